#include "kinds/pods/check_mounts.h"

#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// Names and paths in one of the two lists, to find what is in both. When a name stands twice in
// the list its last path counts.
class Places {
 public:
  Places(const Value& container, std::string_view list, std::string_view path_key) {
    std::unordered_map<std::string_view, std::string_view> paths;
    for (const Value& one : items(container, list)) {
      const std::string_view name = value::text_of(one, "name");
      names_.insert(name);
      paths[name] = value::text_of(one, path_key);
    }
    for (const auto& [name, path] : paths) paths_.insert(path);
  }

  bool has_name(std::string_view name) const { return names_.contains(name); }
  bool has_path(std::string_view path) const { return paths_.contains(path); }

 private:
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string_view> paths_;
};

bool is_privileged(const Value& container) {
  return value::flag_of(container.get("securityContext"), "privileged");
}

void check_propagation(const Value& mount, const Value& container, const FieldPath& at,
                       FieldErrors& errors) {
  if (member(mount, "mountPropagation") == nullptr) return;
  const std::string_view propagation = value::text_of(mount, "mountPropagation");
  check_choice(propagation, {"Bidirectional", "HostToContainer", "None"}, at / "mountPropagation",
               errors);
  if (propagation == "Bidirectional" && !is_privileged(container)) {
    errors.push_back(FieldError::forbidden(
        at / "mountPropagation",
        "Bidirectional mount propagation is available only to privileged containers"));
  }
}

void check_recursive_read_only(const Value& mount, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kKey = "recursiveReadOnly";
  if (member(mount, kKey) == nullptr) return;
  const std::string_view mode = value::text_of(mount, kKey);
  check_choice(mode, {"Disabled", "Enabled", "IfPossible"}, at / kKey, errors);
  if (mode != "Enabled" && mode != "IfPossible") return;
  if (!value::flag_of(mount, "readOnly")) {
    errors.push_back(
        FieldError::forbidden(at / kKey, "may only be specified when readOnly is true"));
  }
  if (member(mount, "mountPropagation") != nullptr &&
      value::text_of(mount, "mountPropagation") != "None") {
    errors.push_back(FieldError::forbidden(
        at / kKey, "may only be specified when mountPropagation is None or not specified"));
  }
}

// kube-apiserver 1.36 says all this of the list, without the index of the mount.
void check_mount_options(const Value& mount, const Value& container, const FieldPath& at,
                         const FieldPath& here, FieldErrors& errors) {
  const std::string_view path = value::text_of(mount, "subPath");
  const std::string_view expression = value::text_of(mount, "subPathExpr");
  if (!path.empty()) check_relative_path(path, at / "subPath", errors);
  if (!expression.empty()) {
    if (!path.empty()) {
      add_invalid(here / "subPathExpr", expression,
                  "subPathExpr and subPath are mutually exclusive", errors);
    }
    check_relative_path(expression, at / "subPathExpr", errors);
  }
  check_propagation(mount, container, at, errors);
  check_recursive_read_only(mount, at, errors);
}

void check_volume_mounts(const Value& container, const PodScope& pod, const FieldPath& at,
                         FieldErrors& errors) {
  const Places devices(container, "volumeDevices", "devicePath");
  std::unordered_set<std::string_view> paths;
  const auto mounts = items(container, "volumeMounts");
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const FieldPath here = at / i;
    const std::string_view name = value::text_of(mounts[i], "name");
    const std::string_view path = value::text_of(mounts[i], "mountPath");
    require_text(mounts[i], "name", here, errors);
    if (!pod.volumes.contains(name))
      errors.push_back(FieldError::not_found(here / "name", Value::string(name)));
    require_text(mounts[i], "mountPath", here, errors);
    if (!paths.insert(path).second) add_invalid(here / "mountPath", path, "must be unique", errors);
    if (devices.has_name(name))
      add_invalid(here / "name", name, "must not already exist in volumeDevices", errors);
    if (devices.has_path(path)) {
      add_invalid(here / "mountPath", path, "must not already exist as a path in volumeDevices",
                  errors);
    }
    check_mount_options(mounts[i], container, at, here, errors);
  }
}

void check_volume_devices(const Value& container, const PodScope& pod, const FieldPath& at,
                          FieldErrors& errors) {
  const Places mounts(container, "volumeMounts", "mountPath");
  std::unordered_set<std::string_view> paths;
  std::unordered_set<std::string_view> names;
  const auto devices = items(container, "volumeDevices");
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const FieldPath here = at / i;
    const std::string_view name = value::text_of(devices[i], "name");
    const std::string_view path = value::text_of(devices[i], "devicePath");
    require_text(devices[i], "name", here, errors);
    if (!name.empty() && !names.insert(name).second)
      add_invalid(here / "name", name, "must be unique", errors);
    const auto volume = pod.volumes.find(name);
    if (volume == pod.volumes.end()) {
      errors.push_back(FieldError::not_found(here / "name", Value::string(name)));
    } else if (member(*volume->second, "persistentVolumeClaim") == nullptr &&
               member(*volume->second, "ephemeral") == nullptr) {
      add_invalid(
          here / "name", name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
          errors);
    }
    require_text(devices[i], "devicePath", here, errors);
    const bool again = paths.contains(path);
    if (again) add_invalid(here / "devicePath", path, "must be unique", errors);
    if (has_backsteps(path)) {
      add_invalid(here / "devicePath", path, "can not contain backsteps ('..')", errors);
    } else {
      paths.insert(path);
    }
    if (mounts.has_name(name))
      add_invalid(here / "name", name, "must not already exist in volumeMounts", errors);
    if (mounts.has_path(path)) {
      add_invalid(here / "devicePath", path, "must not already exist as a path in volumeMounts",
                  errors);
    }
  }
}

}  // namespace

void check_mounts(const Value& container, const PodScope& pod, const FieldPath& at,
                  FieldErrors& errors) {
  check_volume_mounts(container, pod, at / "volumeMounts", errors);
  check_volume_devices(container, pod, at / "volumeDevices", errors);
}

}  // namespace strake::kinds
