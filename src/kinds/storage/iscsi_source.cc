#include "kinds/storage/iscsi_source.h"

#include <algorithm>

#include "base/utf8.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

bool is_iscsi_digit(char c) { return c >= '0' && c <= '9'; }
bool is_iscsi_alphanumeric(char c) {
  return is_iscsi_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool may_be_in_authority(char c) { return is_iscsi_alphanumeric(c) || c == '-' || c == '.'; }

constexpr std::string_view kNotInTarget = ",;*&$|\t\n\f\r ";
constexpr std::string_view kPrefix = "iqn.";

// Whether the text goes on with a year, a month and a dot: "2001-04."
bool starts_with_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00.";
  if (text.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '0' ? !is_iscsi_digit(text[i]) : text[i] != kForm[i]) return false;
  }
  return true;
}

// kube-apiserver 1.36 takes a name with any text before it. All candidates within one run of
// characters of an authority end at the same place, so that one look at it is enough.
bool ends_with_iqn(std::string_view text) {
  constexpr std::size_t kDateBytes = 8;
  const std::size_t last_bad = text.find_last_of(kNotInTarget);
  for (std::size_t at = text.find(kPrefix); at != std::string_view::npos;
       at = text.find(kPrefix, at)) {
    at += kPrefix.size();
    if (!starts_with_date(text.substr(at))) continue;
    const std::size_t authority = at + kDateBytes;
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(authority);
    const auto end = std::find_if_not(begin, text.end(), may_be_in_authority);
    at = static_cast<std::size_t>(end - text.begin());
    if (at > authority && at + 1 < text.size() && text[at] == ':' &&
        (last_bad == std::string_view::npos || last_bad < at)) {
      return true;
    }
  }
  return false;
}

// One character of any kind, and so many letters and digits.
bool is_character_and(std::size_t count, std::string_view text) {
  if (text.size() < count + 1) return false;
  const std::string_view tail = text.substr(text.size() - count);
  const std::string_view character = text.substr(0, text.size() - count);
  return std::ranges::all_of(tail, is_iscsi_alphanumeric) && character != "\n" &&
         utf8::count(character) == 1;
}

void check_iscsi_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (!is_iscsi_name(name))
    errors.push_back(FieldError::invalid(at, Value::string(name), "must be valid format"));
}

}  // namespace

bool is_iscsi_name(std::string_view name) {
  constexpr std::size_t kEuiDigits = 16;
  constexpr std::size_t kNaaDigits = 32;
  constexpr std::size_t kKindBytes = 3;
  if (name.starts_with("iqn")) return ends_with_iqn(name);
  if (name.starts_with("eui")) return is_character_and(kEuiDigits, name.substr(kKindBytes));
  if (name.starts_with("naa")) return is_character_and(kNaaDigits, name.substr(kKindBytes));
  return false;
}

void check_iscsi_source(const Value& source, std::string_view volume_name, const FieldPath& at,
                        FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 64;
  constexpr std::int64_t kMostLun = 255;
  const std::string_view portal = text_of(source, "targetPortal");
  const Value* initiator = member(source, "initiatorName");
  if (portal.empty()) errors.push_back(FieldError::required(at / "targetPortal"));
  if (initiator != nullptr && volume_name.size() + 1 + portal.size() > kMostBytes) {
    errors.push_back(FieldError::invalid(
        at / "targetportal", Value::string(portal),
        "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
        "iscsi.initiatorName is specified."));
  }
  if (const std::string_view target = text_of(source, "iqn"); target.empty()) {
    errors.push_back(FieldError::required(at / "iqn"));
  } else {
    check_iscsi_name(target, at / "iqn", errors);
  }
  if (const std::int64_t lun = integer(source, "lun"); lun < 0 || lun > kMostLun) {
    errors.push_back(FieldError::invalid(at / "lun", Value::integer(lun),
                                         "must be between 0 and 255, inclusive"));
  }
  const Value* secret = member(source, "secretRef");
  if (secret != nullptr) {
    if (text_of(*secret, "name").empty())
      errors.push_back(FieldError::required(at / "secretRef" / "name"));
  } else if (value::flag_of(source, "chapAuthDiscovery") ||
             value::flag_of(source, "chapAuthSession")) {
    errors.push_back(FieldError::required(at / "secretRef"));
  }
  if (initiator != nullptr)
    check_iscsi_name(value::text_of(*initiator), at / "initiatorname", errors);
}

}  // namespace strake::kinds
