#pragma once
// A list in the form, the encoding and the layout that a call asks for: whole, or part by part with
// the same bytes.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/call.h"
#include "api/verbs/respond.h"
#include "http/message.h"

namespace strake::api {

// How many objects are handled between two looks at whether the call still runs.
inline constexpr std::size_t kBetweenLooks = 256;

// Whether the list is more than a frame around bytes that are there: YAML, tables, bare metadata,
// indented JSON, protobuf.
bool must_be_made(const Call& call);
// Whether it can be made in parts: a list in protobuf begins with its length.
bool comes_in_parts(const Call& call);

// Where such a list is made. May be used from any thread; the call must outlive it. Objects have
// been made ready (ready.h).
class ListText {
 public:
  // Fails when the call asks for what there is not.
  static Answer<ListText> of(const Call& call, const ListMeta& meta);

  // What stands before the first object and after the last, when there is one.
  const std::string& head() const { return head_; }
  const std::string& tail() const { return tail_; }
  const std::string& without_objects() const { return without_objects_; }
  // Some of the objects, in order; whether they are the first ones matters for what separates them.
  Answer<std::string> part(std::span<const ObjectPtr> objects, bool is_first) const;
  std::string_view media_type() const;

 private:
  enum class Layout : std::uint8_t { kCompact, kIndented, kYaml };
  ListText() = default;
  Answer<> split(std::string_view head, std::string_view tail);
  Answer<> add_json(const Object& object, std::string& out) const;

  const Call* call_ = nullptr;
  Layout layout_ = Layout::kCompact;
  publish::IncludeObject include_ = publish::IncludeObject::kMetadata;
  std::string_view key_;  // of the array
  std::string head_;
  std::string tail_;
  std::string without_objects_;
};

// The whole list at once, of objects that are ready. Given up with 503 when the call is cancelled.
Answer<http::Response> list_response(const Call& call, std::span<const ObjectPtr> objects,
                                     const ListMeta& meta);

}  // namespace strake::api
