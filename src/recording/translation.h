#pragma once
// What the server made in a recorded run, and what it made in this one instead: uids, resource
// versions, generated names, continue tokens. Learned from answers that belong together, so that
// later requests can be sent with what is right now.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recording/lines.h"
#include "value/value.h"

namespace strake::recording {

class Translation {
 public:
  // The same answer, or event, of both runs.
  void learn(const Body& recorded, const Body& now);

  std::string path(std::string_view recorded) const;
  std::string query(std::string_view recorded) const;
  // JSON is translated; everything else is sent as it was.
  std::string body(const Body& recorded) const;

 private:
  void learn(const value::Value& recorded, const value::Value& now);
  void learn_version(std::string_view recorded, std::string_view now);
  std::string text(std::string_view recorded) const;
  std::string version(std::string_view recorded) const;
  void rewrite(value::Value& in, Arena& arena) const;

  std::unordered_map<std::string, std::string> texts_;
  std::map<std::uint64_t, std::uint64_t> versions_;
};

}  // namespace strake::recording
