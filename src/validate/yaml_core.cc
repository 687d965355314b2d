#include "validate/yaml_core.h"

#include <fmt/format.h>

#include "validate/phrases.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using value::Member;
using value::Value;

constexpr std::size_t kMostDifferences = 100;
constexpr std::size_t kMostShown = 80;

std::string shown(const Value& v) {
  std::string text = value::to_json(v, {.escape_html = false});
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "...";
  return fmt::format("{} {}", value::to_string(v.type()), text);
}

class Comparison {
 public:
  void compare(const Value& core, const Value& server) {
    if (faults.size() == kMostDifferences) return;
    if (core.is_object() && server.is_object()) {
      compare_members(core, server);
    } else if (core.is_array() && server.is_array() && core.size() == server.size()) {
      for (std::size_t i = 0; i < core.size(); ++i) {
        path_.push_index(i);
        compare(core.items()[i], server.items()[i]);
        path_.pop();
      }
    } else if (!value::identical(core, server)) {
      add(say(Phrase::kYamlCoreValue, shown(core), shown(server)), false);
    }
  }

  std::vector<Fault> faults;

 private:
  void compare_members(const Value& core, const Value& server) {
    for (const Member& m : core.members()) {
      path_.push_field(m.key);
      if (const Value* other = server.find(m.key)) {
        compare(m.value, *other);
      } else {
        add(say(Phrase::kYamlCoreKey), true);
      }
      path_.pop();
    }
  }

  void add(std::string message, bool at_key) {
    if (faults.size() == kMostDifferences) return;
    faults.push_back({.issue = Issue::kCustom,
                      .severity = Severity::kWarning,
                      .path = path_,
                      .at_key = at_key,
                      .field = path_.to_k8s(),
                      .message = std::move(message)});
  }

  FieldPath path_;
};

}  // namespace

std::vector<Fault> core_differences(const Value& core, const Value& server) {
  Comparison comparison;
  comparison.compare(core, server);
  return std::move(comparison.faults);
}

}  // namespace strake::validate
