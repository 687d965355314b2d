#include "kinds/networking/references.h"

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void check_reference_group(const Value& reference, std::string_view key, const FieldPath& at,
                           FieldErrors& errors) {
  const Value* group = member(reference, key);
  if (group == nullptr) return;
  const std::string_view text = value::text_of(*group);
  add_messages(meta::check_dns1123_subdomain(text), text, at / key, errors);
}

void check_reference_part(const Value& reference, std::string_view key, const FieldPath& at,
                          FieldErrors& errors) {
  const std::string_view text = text_of(reference, key);
  if (text.empty()) return errors.push_back(FieldError::required(at / key));
  add_messages(meta::check_path_segment_name(text), text, at / key, errors);
}

void check_object_reference(const Value& reference, const FieldPath& at, FieldErrors& errors) {
  check_reference_group(reference, "apiGroup", at, errors);
  check_reference_part(reference, "kind", at, errors);
  check_reference_part(reference, "name", at, errors);
}

}  // namespace strake::kinds
