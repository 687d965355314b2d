#include "kinds/flow_control.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/lines.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::FieldError;
using value::Value;

// A priority level is a line: its name, the number of its shares, how many percent it lends, and
// its queues (number, hand, length), `reject`, or `exempt`. A flow schema is a line with its
// name, its priority level, its precedence and how flows are told apart, over lines with subjects
// and rules. `!` marks what is mandatory; ALL is every request.
constexpr std::string_view kTable = R"(
level !exempt 0 0 exempt
level !catch-all 5 0 reject
level global-default 20 50 128 6 50
level leader-election 10 0 16 4 50
level node-high 40 25 64 6 50
level system 30 33 64 6 50
level workload-high 40 50 128 6 50
level workload-low 100 90 128 6 50
schema !exempt exempt 1 -
  group system:masters
  ALL
schema probes exempt 2 -
  group system:unauthenticated
  group system:authenticated
  url get /healthz,/readyz,/livez
schema system-leader-election leader-election 100 ByUser
  user system:kube-controller-manager
  user system:kube-scheduler
  account kube-system *
  namespaced get,create,update coordination.k8s.io leases
schema system-node-high node-high 400 ByUser
  group system:nodes
  everywhere * core nodes,nodes/status
  namespaced * coordination.k8s.io leases
schema system-nodes system 500 ByUser
  group system:nodes
  ALL
schema kube-controller-manager workload-high 800 ByNamespace
  user system:kube-controller-manager
  ALL
schema kube-scheduler workload-high 800 ByNamespace
  user system:kube-scheduler
  ALL
schema kube-system-service-accounts workload-high 900 ByNamespace
  account kube-system *
  ALL
schema service-accounts workload-low 9000 ByUser
  group system:serviceaccounts
  ALL
schema global-default global-default 9900 ByUser
  group system:unauthenticated
  group system:authenticated
  ALL
schema !catch-all catch-all 10000 ByUser
  group system:unauthenticated
  group system:authenticated
  ALL
)";

std::string_view take_word(std::string_view& line, char end = ' ') {
  const std::size_t at = std::min(line.find(end), line.size());
  const std::string_view word = line.substr(0, at);
  line.remove_prefix(std::min(at + 1, line.size()));
  return word;
}

Value number(std::string_view word) {
  std::int64_t out = 0;
  for (const char digit : word) out = out * 10 + (digit - '0');
  return Value::integer(out);
}

Value list(std::string_view words, Arena& arena) {
  Value out = Value::array({});
  while (!words.empty()) {
    const std::string_view word = take_word(words, ',');
    out.append(Value::string(word == "core" ? std::string_view() : word), arena);
  }
  return out;
}

Value object_of(std::initializer_list<std::pair<std::string_view, Value>> members, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, value] : members) out.set(key, value, arena);
  return out;
}

Value text(std::string_view word) { return Value::string(word); }

void add_item(Value& object, std::string_view key, Value item, Arena& arena) {
  Value* items = object.find(key);
  if (items == nullptr) items = &object.set(key, Value::array({}), arena);
  items->append(item, arena);
}

Value level_spec(std::string_view line, Arena& arena) {
  const Value shares = number(take_word(line));
  const Value lent = number(take_word(line));
  if (line == "exempt") {
    return object_of(
        {{"exempt",
          object_of({{"lendablePercent", lent}, {"nominalConcurrencyShares", shares}}, arena)},
         {"type", text("Exempt")}},
        arena);
  }
  Value response = Value::object({});
  if (line == "reject") {
    response.set("type", text("Reject"), arena);
  } else {
    const Value queues = number(take_word(line));
    const Value hand = number(take_word(line));
    response = object_of({{"queuing", object_of({{"handSize", hand},
                                                 {"queueLengthLimit", number(take_word(line))},
                                                 {"queues", queues}},
                                                arena)},
                          {"type", text("Queue")}},
                         arena);
  }
  return object_of({{"limited", object_of({{"lendablePercent", lent},
                                           {"limitResponse", response},
                                           {"nominalConcurrencyShares", shares}},
                                          arena)},
                    {"type", text("Limited")}},
                   arena);
}

Value schema_spec(std::string_view line, Arena& arena) {
  Value out = Value::object({});
  const std::string_view level = take_word(line);
  const std::string_view precedence = take_word(line);
  if (line != "-") out.set("distinguisherMethod", object_of({{"type", text(line)}}, arena), arena);
  out.set("matchingPrecedence", number(precedence), arena);
  out.set("priorityLevelConfiguration", object_of({{"name", text(level)}}, arena), arena);
  Value rules = Value::array({});
  rules.append(Value::object({}), arena);
  out.set("rules", rules, arena);
  return out;
}

void add_resource_rule(Value& rule, Value verbs, Value groups, Value resources, bool everywhere,
                       Arena& arena) {
  Value added = Value::object({});
  added.set("apiGroups", groups, arena);
  if (everywhere) added.set("clusterScope", Value::boolean(true), arena);
  added.set("namespaces", list("*", arena), arena);
  added.set("resources", resources, arena);
  added.set("verbs", verbs, arena);
  add_item(rule, "resourceRules", added, arena);
}

void add_url_rule(Value& rule, Value verbs, Value urls, Arena& arena) {
  add_item(rule, "nonResourceRules",
           object_of({{"nonResourceURLs", urls}, {"verbs", verbs}}, arena), arena);
}

// A line below a flow schema.
void add_to_rule(Value& rule, std::string_view line, Arena& arena) {
  const std::string_view what = take_word(line);
  const auto add_subject = [&](std::string_view kind, std::string_view key, Value subject) {
    add_item(rule, "subjects", object_of({{key, subject}, {"kind", text(kind)}}, arena), arena);
  };
  if (what == "group") {
    add_subject("Group", "group", object_of({{"name", text(line)}}, arena));
  } else if (what == "user") {
    add_subject("User", "user", object_of({{"name", text(line)}}, arena));
  } else if (what == "account") {
    const std::string_view in = take_word(line);
    add_subject("ServiceAccount", "serviceAccount",
                object_of({{"name", text(line)}, {"namespace", text(in)}}, arena));
  } else if (what == "ALL") {
    add_resource_rule(rule, list("*", arena), list("*", arena), list("*", arena), true, arena);
    add_url_rule(rule, list("*", arena), list("*", arena), arena);
  } else if (what == "url") {
    const Value verbs = list(take_word(line), arena);
    add_url_rule(rule, verbs, list(line, arena), arena);
  } else {
    const Value verbs = list(take_word(line), arena);
    const Value groups = list(take_word(line), arena);
    add_resource_rule(rule, verbs, groups, list(line, arena), what == "everywhere", arena);
  }
}

DefaultFlowObject begin_object(std::string_view line) {
  DefaultFlowObject out;
  const bool is_level = take_word(line) == "level";
  out.plural = is_level ? "prioritylevelconfigurations" : "flowschemas";
  out.name = take_word(line);
  out.mandatory = out.name.starts_with('!');
  if (out.mandatory) out.name.remove_prefix(1);
  Arena& arena = out.document.arena();
  out.document.root() = object_of(
      {{"apiVersion", text("flowcontrol.apiserver.k8s.io/v1")},
       {"kind", text(is_level ? "PriorityLevelConfiguration" : "FlowSchema")},
       {"metadata", object_of({{"annotations", object_of({{kAutoUpdateSpec, text("true")}}, arena)},
                               {"name", text(out.name)}},
                              arena)},
       {"spec", is_level ? level_spec(line, arena) : schema_spec(line, arena)},
       {"status", Value::object({})}},
      arena);
  return out;
}

std::vector<DefaultFlowObject> read_table() {
  std::vector<DefaultFlowObject> out;
  std::string_view rest = kTable;
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    if (line.empty()) continue;
    if (!line.starts_with("  ")) {
      out.push_back(begin_object(line));
      continue;
    }
    line.remove_prefix(2);
    Document& document = out.back().document;
    Value* rules = document.root().object_at("spec", document.arena()).find("rules");
    if (rules != nullptr) add_to_rule(rules->mutable_items().front(), line, document.arena());
  }
  return out;
}

}  // namespace

const std::vector<DefaultFlowObject>& default_flow_objects() {
  static const std::vector<DefaultFlowObject>& all =
      *new std::vector<DefaultFlowObject>(read_table());
  return all;
}

const Value* mandatory_flow_spec(std::string_view plural, std::string_view name) {
  for (const DefaultFlowObject& one : default_flow_objects()) {
    if (one.mandatory && one.plural == plural && one.name == name)
      return one.document.root().find("spec");
  }
  return nullptr;
}

void check_flow_conditions(const Value& object, value::FieldErrors& errors) {
  const Value* status = member(object, "status");
  if (status == nullptr) return;
  const FieldPath at = FieldPath() / "status" / "conditions";
  const std::span<const Value> conditions = items(*status, "conditions");
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string_view type = text_of(conditions[i], "type");
    if (!seen.insert(type).second)
      errors.push_back(FieldError::duplicate(at / i / "type", Value::string(type)));
    if (type.empty()) errors.push_back(FieldError::required(at / i / "type", "must not be empty"));
  }
}

int entropy_bits(std::int64_t deck, std::int64_t hand) {
  return static_cast<int>(
      std::ceil(std::log2(static_cast<double>(deck)) * static_cast<double>(hand)));
}

}  // namespace strake::kinds
