#include "kinds/pods/app_armor.h"

#include <fmt/format.h>

#include "base/trim.h"
#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::size_t kLongestProfile = 4095;

// The profile of a pod or container; nothing when it has none.
std::optional<AppArmorProfile> profile_of(const Value& holder) {
  const Value* profile = member(holder, {"securityContext", "appArmorProfile"});
  if (profile == nullptr) return std::nullopt;
  return AppArmorProfile{value::text_of(*profile, "type"),
                         value::text_of(*profile, "localhostProfile")};
}

void set_profile(Value& container, const AppArmorProfile& profile, Arena& arena) {
  Value made = Value::object({});
  if (!profile.localhost.empty())
    made.set("localhostProfile", Value::string(profile.localhost), arena);
  made.set("type", Value::string(profile.type), arena);
  container.object_at("securityContext", arena).set("appArmorProfile", made, arena);
}

}  // namespace

std::optional<AppArmorProfile> app_armor_profile(std::string_view annotation) {
  constexpr std::string_view kLocalhost = "localhost/";
  if (annotation == "unconfined") return AppArmorProfile{"Unconfined", {}};
  if (annotation == "runtime/default") return AppArmorProfile{"RuntimeDefault", {}};
  if (!annotation.starts_with(kLocalhost)) return std::nullopt;
  const std::string_view name = annotation.substr(kLocalhost.size());
  if (name.empty() || name.size() > kLongestProfile || trim_unicode(name) != name)
    return std::nullopt;
  return AppArmorProfile{"Localhost", name};
}

void apply_app_armor_annotations(Value& pod, Arena& arena, std::vector<std::string>* warnings) {
  Value* spec = object_member(pod, "spec");
  const Value* annotations = meta::ObjectMeta::of(pod).annotations();
  if (spec == nullptr || annotations == nullptr) return;
  if (text_of(*spec, {"os", "name"}) == "windows") return;
  const std::optional<AppArmorProfile> of_pod = profile_of(*spec);
  // kube-apiserver 1.36 goes through the init containers first.
  for (const std::string_view key : {"initContainers", "containers", "ephemeralContainers"}) {
    edit_each(*spec, key, [&](Value& container) {
      const std::string name =
          fmt::format("{}{}", kAppArmorAnnotation, value::text_of(container, "name"));
      const Value* annotation = annotations->find(name);
      if (annotation == nullptr || profile_of(container)) return;
      const auto profile = app_armor_profile(value::text_of(*annotation));
      if (profile && profile == of_pod) return;
      if (profile) set_profile(container, *profile, arena);
      if (warnings == nullptr) return;
      warnings->push_back(
          fmt::format(R"({}: deprecated since v1.30; use the "appArmorProfile" field instead)",
                      (FieldPath() / "metadata" / "annotations").key(name).to_k8s()));
    });
  }
}

}  // namespace strake::kinds
