#pragma once
// What fair use needs to know of FlowSchemas and PriorityLevelConfigurations, and which requests a
// flow schema is about.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/cache/object.h"
#include "api/fairness/fair_queues.h"
#include "api/fairness/seat_shares.h"
#include "api/request/request_info.h"
#include "api/request/roles.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::api {

inline constexpr std::string_view kFlowSchemas = "/registry/flowschemas/";
inline constexpr std::string_view kPriorityLevels = "/registry/prioritylevelconfigurations/";

// A list of names, or all of them.
struct NameSet {
  bool all = false;
  std::vector<std::string> names;
  bool has(std::string_view name) const;
};

// Requests by who asks and for what.
struct FlowRule {
  struct Account {
    std::string namespace_name;
    std::string name;  // "*" for all of the namespace
  };
  struct Resources {
    NameSet verbs;
    NameSet groups;
    NameSet resources;  // "pods", "pods/status"
    NameSet namespaces;
    bool cluster_scope = false;
  };
  struct Urls {
    NameSet verbs;
    std::vector<std::string> paths;  // "*", "/healthz", "/metrics/*"
  };
  NameSet users;
  NameSet groups;
  std::vector<Account> accounts;
  std::vector<Resources> resources;
  std::vector<Urls> urls;

  bool is_about(const User& user) const;
  // Of a user whom it is about.
  bool is_about(const RequestInfo& info) const;
};

struct FlowSchemaFacts {
  enum class Distinguisher : std::uint8_t { kNone, kUser, kNamespace };
  std::string name;
  std::string uid;
  std::string level;
  std::int64_t precedence = 0;
  Distinguisher distinguisher = Distinguisher::kNone;
  std::vector<FlowRule> rules;

  // What tells its flows apart.
  std::string_view flow_of(const User& user, const RequestInfo& info) const;
};

struct PriorityLevelFacts {
  std::string name;
  std::string uid;
  LevelShares shares;
  FairQueues::Settings settings;
};

FlowSchemaFacts read_flow_schema(const value::Value& object);
PriorityLevelFacts read_priority_level(const value::Value& object);

// Of an object under either prefix.
using FlowFacts = std::variant<FlowSchemaFacts, PriorityLevelFacts>;
Result<FlowFacts> read_flow_facts(const Object& object);

}  // namespace strake::api
