#pragma once
// Looking a second time at a document that was not held: for its type, for the places of its
// faults.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "validate/byte_source.h"
#include "validate/finding.h"
#include "value/events.h"
#include "value/read_options.h"

namespace strake::validate {

struct TypeNames {
  std::optional<std::string> api_version;
  std::optional<std::string> kind;
  std::string namespace_name;
  std::string name;
  bool complete() const { return api_version && kind; }
};

// The members apiVersion and kind of the root, and the name in its metadata, as they pass. Nothing
// else is kept.
class TypeWatch {
 public:
  void begin() { ++depth_; }
  void end() { --depth_; }
  void key(std::string_view name) {
    if (depth_ == 1) key_ = name;
    if (depth_ == 2) inner_key_ = name;
  }
  void scalar(const value::Value& v);

  std::size_t depth() const { return depth_; }
  const std::string& root_key() const { return key_; }  // of the member under way
  const TypeNames& names() const { return names_; }

 private:
  std::size_t depth_ = 0;
  std::string key_;
  std::string inner_key_;
  TypeNames names_;
};

// Reads the document at the offset until its type is known or it ends. Code::kUnsupported when the
// source cannot go back.
Result<TypeNames> find_type(ByteSource& source, std::uint64_t offset,
                            const value::ReadOptions& options);

// Gives findings their positions, lengths and fragments. `start` is where the document begins.
// Leaves them alone when the source cannot go back.
void find_places(std::vector<Finding>& findings, ByteSource& source, const Position& start,
                 const value::ReadOptions& options);

// The length, the fragment and the line of a finding whose position is known.
void show_place(Finding& finding, ByteSource& source);

// A position that counts from the start of a part, seen from the start of the text.
Position moved(const Position& inside, const Position& start);

}  // namespace strake::validate
