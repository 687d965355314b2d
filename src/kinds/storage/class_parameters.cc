#include "kinds/storage/class_parameters.h"

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void check_provisioner(const Value& object, std::string_view key, FieldErrors& errors) {
  const FieldPath at = FieldPath() / key;
  const std::string_view name = text_of(object, key);
  if (name.empty()) return errors.push_back(FieldError::required(at));
  const std::string lower = meta::to_lower_ascii(name);
  add_messages(meta::check_qualified_name(lower), lower, at, errors);
}

void check_class_parameters(const Value& object, FieldErrors& errors) {
  constexpr std::size_t kMostParameters = 512;
  constexpr std::size_t kMostBytes = 256 << 10;
  const FieldPath at = FieldPath() / "parameters";
  const auto parameters = members(object, "parameters");
  // kube-apiserver 1.36 says bytes of both limits.
  if (parameters.size() > kMostParameters)
    return errors.push_back(FieldError::too_long(at, kMostParameters));
  std::size_t bytes = 0;
  for (const value::Member& one : parameters) {
    if (one.key.empty())
      errors.push_back(FieldError::invalid(at, Value::string(""), "field can not be empty."));
    bytes += one.key.size() + value::text_of(one.value).size();
  }
  if (bytes > kMostBytes) errors.push_back(FieldError::too_long(at, kMostBytes));
}

}  // namespace strake::kinds
