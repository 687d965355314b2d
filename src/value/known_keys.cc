#include "value/known_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/edit_distance.h"

namespace strake::value {

Result<> check_known_keys(const Document& document, const FieldPath& at,
                          std::span<const std::string_view> known) {
  const Value* object = document.at(at);
  if (object == nullptr || !object->is_object())
    return std::unexpected(
        Error(Code::kInvalid, "an object was expected here").at(document.position(at)));
  for (const Member& member : object->members()) {
    if (std::ranges::find(known, member.key) != known.end()) continue;
    const auto near = closest(member.key, known);
    return std::unexpected(
        Error(Code::kInvalid, fmt::format("unknown key \"{}\"{}", member.key,
                                          near ? fmt::format(": did you mean \"{}\"?", *near) : ""))
            .at(document.key_position(at / member.key)));
  }
  return {};
}

}  // namespace strake::value
