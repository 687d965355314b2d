#pragma once
// The audit policy: which requests are recorded, and how much of them. Reads the Policy of
// audit.k8s.io/v1; the first rule that matches a request decides, and what no rule matches is not
// recorded.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/roles.h"
#include "base/result.h"

namespace strake::audit {

// Each has what those before it have.
enum class Level : std::uint8_t { kNone, kMetadata, kRequest, kRequestResponse };
std::string_view to_string(Level level);

enum class Stage : std::uint8_t { kRequestReceived, kResponseStarted, kResponseComplete, kPanic };
std::string_view to_string(Stage stage);

// What is recorded of a request.
struct Decision {
  Level level = Level::kNone;
  std::uint8_t omitted = 0;  // a bit for each Stage
  bool omit_managed_fields = false;
  bool omits(Stage stage) const {
    return level == Level::kNone || (omitted >> static_cast<unsigned>(stage) & 1) != 0;
  }
};

class Policy {
 public:
  // YAML or JSON. Fails with kInvalid or kParse and the position in the file.
  static Result<Policy> read(std::string_view text, const std::string& file);
  // The user is the one whose credentials came, not whom the request acts as.
  Decision decide(const api::User& user, const api::RequestInfo& request) const;

 private:
  struct Resources {
    std::string group;
    std::vector<std::string> resources;
    std::vector<std::string> names;
  };
  struct Rule {
    Decision decision;
    std::vector<std::string> users;
    std::vector<std::string> groups;
    std::vector<std::string> verbs;
    std::vector<std::string> namespaces;
    std::vector<std::string> urls;
    std::vector<Resources> resources;
  };
  friend class PolicyReader;
  static bool matches(const Rule& rule, const api::User& user, const api::RequestInfo& request);
  static bool matches_resource(const Rule& rule, const api::RequestInfo& request);

  std::vector<Rule> rules_;
};

}  // namespace strake::audit
