#pragma once
// Finds a few places in the JSON text of an object without parsing the rest. The text must be valid
// JSON, as everything is that the server has written or read.
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace strake::api {

struct ObjectPlaces {
  std::string_view api_version;    // without quotes
  std::size_t metadata_begin = 0;  // behind the opening brace of metadata
  bool metadata_empty = false;
  std::size_t version_place = 0;  // where the member resourceVersion belongs among the sorted keys
  bool version_last = false;      // it would be the last member
  bool has_version = false;       // it is there already
  bool owned = false;             // ownerReferences is there
  bool being_deleted = false;     // deletionTimestamp is there
  std::string_view labels;        // the object's text, braces included; empty when there is none
};

// Nothing when the text is not an object that has metadata.
std::optional<ObjectPlaces> find_places(std::string_view text);

// The text of a member of the object; empty when there is none. The key means itself, without
// escapes.
std::string_view member_text(std::string_view text, std::string_view key);

// The text without the members apiVersion and kind, as three parts of it. Nothing when the text
// does not have both, each before another member: the server writes objects so, others may not.
std::optional<std::array<std::string_view, 3>> parts_without_type(std::string_view text);

// Calls f(key, value) for the members of a flat object of strings without escapes.
template <typename F>
void for_each_string(std::string_view object, F&& f) {
  std::size_t at = 1;
  while (at < object.size() && object[at] == '"') {
    const std::size_t key_end = object.find('"', at + 1);
    const std::size_t value = object.find('"', key_end + 1);
    const std::size_t value_end =
        value == std::string_view::npos ? value : object.find('"', value + 1);
    if (value_end == std::string_view::npos) return;
    f(object.substr(at + 1, key_end - at - 1), object.substr(value + 1, value_end - value - 1));
    at = value_end + 1;
    if (at < object.size() && object[at] == ',') ++at;
  }
}

}  // namespace strake::api
