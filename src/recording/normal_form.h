#pragma once
// What of two runs can be compared. Things that differ from one run to the next whatever clients do
// are given names: <uid>, <time>, <version> (of a resource), <port> (of this machine),
// <certificate> (and any caBundle), <continue>, and <generated> for the end of a name that the
// server made.
#include <string>
#include <string_view>
#include <unordered_map>

#include "value/value.h"

namespace strake::recording {

// Names that the server made from metadata.generateName, and what they are compared as.
class GeneratedNames {
 public:
  // Takes note of those in an object, or in what a list or an event holds.
  void note(const value::Value& body);
  // Empty when it is not such a name.
  std::string_view find(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::string> names_;
};

// On one line.
std::string normal_json(const value::Value& body, const GeneratedNames& names);
// Any text, such as a message, or a path.
std::string normal_text(std::string_view text, const GeneratedNames& names);
// A query. What clients pick at random, timeoutSeconds of watches, is left out.
std::string normal_query(std::string_view query, const GeneratedNames& names);

}  // namespace strake::recording
