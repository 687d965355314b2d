#include "kinds/pods/check_file_volumes.h"

#include "kinds/fields.h"
#include "kinds/pods/check_env.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// {key, path, mode}
void check_key_and_path(const Value& file, const FieldPath& at, FieldErrors& errors) {
  require_text(file, "key", at, errors);
  require_text(file, "path", at, errors);
  check_unreserved_path(value::text_of(file, "path"), at / "path", errors);
  check_file_mode(file, "mode", at, errors);
}

void check_keys_and_paths(const Value& source, const FieldPath& at, FieldErrors& errors) {
  const auto files = items(source, "items");
  for (std::size_t i = 0; i < files.size(); ++i)
    check_key_and_path(files[i], at / "items" / i, errors);
}

// kube-apiserver 1.36 says all this of the source, without the index of the file.
void check_downward_file(const Value& file, const FieldPath& at, FieldErrors& errors) {
  require_text(file, "path", at, errors);
  check_unreserved_path(value::text_of(file, "path"), at / "path", errors);
  const Value* field = member(file, "fieldRef");
  const Value* resource = member(file, "resourceFieldRef");
  if (field != nullptr) {
    check_field_ref(*field, FieldUser::kVolume, at / "fieldRef", errors);
    if (resource != nullptr) {
      add_invalid(at, "resource",
                  "fieldRef and resourceFieldRef can not be specified simultaneously", errors);
    }
  } else if (resource != nullptr) {
    check_resource_field_ref(*resource, FieldUser::kVolume, at / "resourceFieldRef", errors);
  } else {
    errors.push_back(FieldError::required(at, "one of fieldRef and resourceFieldRef is required"));
  }
  check_file_mode(file, "mode", at, errors);
}

// The sources of one projected volume, which share a folder.
class Projections {
 public:
  Projections(const PodAllowances& allowed, const FieldPath& volume, FieldErrors& errors)
      : allowed_(allowed), volume_(volume), errors_(errors) {}

  void check(const Value& source, const FieldPath& at) {
    int found = 0;
    for (const std::string_view key : {"secret", "configMap"}) {
      if (const Value* given = member(source, key); given != nullptr && ++found > 0)
        check_keys(*given, at / key);
    }
    if (const Value* given = member(source, "downwardAPI"); given != nullptr && ++found > 0)
      check_fields(*given, at / "downwardAPI");
    if (const Value* given = member(source, "serviceAccountToken"); given != nullptr && ++found > 0)
      check_token(*given, at / "serviceAccountToken");
    // clusterTrustBundle and podCertificate are behind feature gates that are off: they were
    // dropped.
    if (found > 1) {
      errors_.push_back(
          FieldError::forbidden(at, "may not specify more than 1 volume type per source"));
    }
  }

 private:
  // `shown` is what kube-apiserver 1.36 shows of the one that comes too late.
  void take(std::string_view path, std::string_view shown) {
    if (!path.empty() && !paths_.insert(path).second)
      add_invalid(volume_, shown, "conflicting duplicate paths", errors_);
  }

  void check_keys(const Value& source, const FieldPath& at) {
    require_text(source, "name", at, errors_);
    const auto files = items(source, "items");
    for (std::size_t i = 0; i < files.size(); ++i) {
      check_key_and_path(files[i], at / "items" / i, errors_);
      take(value::text_of(files[i], "path"), value::text_of(source, "name"));
    }
  }

  void check_fields(const Value& source, const FieldPath& at) {
    for (const Value& file : items(source, "items")) {
      check_downward_file(file, at, errors_);
      take(value::text_of(file, "path"), value::text_of(file, "path"));
    }
  }

  void check_token(const Value& token, const FieldPath& at) {
    constexpr std::int64_t kLeastSeconds = 600;
    constexpr std::int64_t kMostSeconds = std::int64_t{1} << 32;
    const std::int64_t seconds = integer(token, "expirationSeconds");
    const FieldPath path = at / "expirationSeconds";
    if (seconds < kLeastSeconds) {
      add_invalid(path, Value::integer(seconds), "may not specify a duration less than 10 minutes",
                  errors_);
    }
    if (seconds > kMostSeconds) {
      add_invalid(path, Value::integer(seconds),
                  "may not specify a duration larger than 2^32 seconds", errors_);
    }
    // Named as a field of the volume by kube-apiserver 1.36.
    if (require_text(token, "path", volume_, errors_) && !allowed_.token_paths)
      check_unreserved_path(value::text_of(token, "path"), volume_ / "path", errors_);
  }

  const PodAllowances& allowed_;
  const FieldPath& volume_;
  FieldErrors& errors_;
  std::unordered_set<std::string_view> paths_;
};

}  // namespace

void check_config_map_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "name", at, errors);
  check_file_mode(source, "defaultMode", at, errors);
  check_keys_and_paths(source, at, errors);
}

void check_secret_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  require_text(source, "secretName", at, errors);
  check_file_mode(source, "defaultMode", at, errors);
  check_keys_and_paths(source, at, errors);
}

void check_downward_volume(const Value& source, const FieldPath& at, FieldErrors& errors) {
  check_file_mode(source, "defaultMode", at, errors);
  for (const Value& file : items(source, "items")) check_downward_file(file, at, errors);
}

void check_projected_volume(const Value& source, const PodAllowances& allowed, const FieldPath& at,
                            FieldErrors& errors) {
  check_file_mode(source, "defaultMode", at, errors);
  Projections projections(allowed, at, errors);
  const auto sources = items(source, "sources");
  for (std::size_t i = 0; i < sources.size(); ++i)
    projections.check(sources[i], at / "sources" / i);
}

}  // namespace strake::kinds
