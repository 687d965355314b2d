#include "auth/rbac/default_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/controllers/controller.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "auth/rbac/coverage.h"
#include "auth/rbac/policy_rule.h"
#include "meta/object_meta.h"

namespace strake::auth {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kAutoUpdate = "rbac.authorization.kubernetes.io/autoupdate";
constexpr std::string_view kAggregateTo = "rbac.authorization.k8s.io/aggregate-to-";
constexpr std::size_t kAtOnce = 32;

std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

// "a,b" as a list. READ, WRITE and ALL stand for the usual verbs, `core` for the group without a
// name.
Value list(std::string_view words, Arena& arena) {
  Value out = Value::array({});
  const auto add = [&](std::initializer_list<std::string_view> all) {
    for (const std::string_view one : all) out.append(Value::string(one), arena);
  };
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (word == "READ") {
      add({"get", "list", "watch"});
    } else if (word == "WRITE") {
      add({"create", "delete", "deletecollection", "patch", "update"});
    } else if (word == "ALL") {
      add({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
    } else {
      add({word == "core" ? std::string_view() : word});
    }
  }
  return out;
}

Value text(std::string_view from) { return Value::string(from); }

Value rule_of(std::string_view line, Arena& arena) {
  Value out = Value::object({});
  const Value verbs = list(take_word(line), arena);
  const std::string_view groups = take_word(line);
  if (groups == "url") {
    out.set("nonResourceURLs", list(take_word(line), arena), arena);
  } else {
    out.set("apiGroups", list(groups, arena), arena);
    const Value resources = list(take_word(line), arena);
    if (!line.empty()) out.set("resourceNames", list(take_word(line), arena), arena);
    out.set("resources", resources, arena);
  }
  out.set("verbs", verbs, arena);
  return out;
}

Value subject_of(std::string_view line, Arena& arena) {
  Value out = Value::object({});
  const std::string_view kind = take_word(line);
  if (kind != "ServiceAccount") out.set("apiGroup", text(kRbacGroup), arena);
  out.set("kind", text(kind), arena);
  const std::size_t slash = kind == "ServiceAccount" ? line.find('/') : std::string_view::npos;
  const std::string_view name = slash == std::string_view::npos ? line : line.substr(slash + 1);
  out.set("name", text(name), arena);
  if (slash != std::string_view::npos) out.set("namespace", text(line.substr(0, slash)), arena);
  return out;
}

std::string_view aggregate_label(std::string_view role, Arena& arena) {
  return arena.copy(fmt::format("{}{}", kAggregateTo, role));
}

// A selector of the roles that add to the role.
Value selector_of(std::string_view role, Arena& arena) {
  Value labels = Value::object({});
  labels.set(aggregate_label(role, arena), text("true"), arena);
  Value out = Value::object({});
  out.set("matchLabels", labels, arena);
  return out;
}

// The line that begins an object.
Result<DefaultObject> begin_object(std::string_view line, std::size_t number) {
  const std::string_view kind = take_word(line);
  const std::string_view where = take_word(line);
  const bool is_role = kind == "ClusterRole" || kind == "Role";
  if (!is_role && kind != "ClusterRoleBinding" && kind != "RoleBinding")
    return fail(Code::kParse, "line {}: {} is no kind of RBAC", number, kind);
  DefaultObject out;
  // Names of the table live as long as the program.
  Arena& arena = out.document.arena();
  Value& root = out.document.root() = Value::object({});
  Value annotations = Value::object({});
  annotations.set(kAutoUpdate, text("true"), arena);
  Value labels = Value::object({});
  labels.set("kubernetes.io/bootstrapping", text("rbac-defaults"), arena);
  Value selectors = Value::array({});
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::size_t colon = std::min(word.find(':'), word.size() - 1);
    const std::string_view what = word.substr(0, colon);
    const std::string_view of = word.substr(colon + 1);
    if (what == "adds-to") {
      labels.set(aggregate_label(of, arena), text("true"), arena);
    } else if (what == "sum-of") {
      selectors.append(selector_of(of, arena), arena);
    } else if (const std::size_t slash = of.find('/');
               what == "to" && slash != std::string_view::npos) {
      Value role = Value::object({});
      role.set("apiGroup", text(kRbacGroup), arena);
      role.set("kind", text(of.substr(0, slash)), arena);
      role.set("name", text(of.substr(slash + 1)), arena);
      root.set("roleRef", role, arena);
    } else {
      return fail(Code::kParse, "line {}: {} says nothing", number, word);
    }
  }
  const bool namespaced = kind == "Role" || kind == "RoleBinding";
  const std::size_t slash = namespaced ? where.find('/') : std::string_view::npos;
  out.name = slash == std::string_view::npos ? where : where.substr(slash + 1);
  if (slash != std::string_view::npos) out.namespace_name = where.substr(0, slash);
  out.plural = kind == "ClusterRole"          ? "clusterroles"
               : kind == "Role"               ? "roles"
               : kind == "ClusterRoleBinding" ? "clusterrolebindings"
                                              : "rolebindings";
  Value metadata = Value::object({});
  metadata.set("annotations", annotations, arena);
  metadata.set("labels", labels, arena);
  metadata.set("name", text(arena.copy(out.name)), arena);
  if (namespaced) metadata.set("namespace", text(arena.copy(out.namespace_name)), arena);
  root.set("apiVersion", text("rbac.authorization.k8s.io/v1"), arena);
  root.set("kind", text(kind), arena);
  root.set("metadata", metadata, arena);
  if (selectors.size() > 0) {
    Value sum = Value::object({});
    sum.set("clusterRoleSelectors", selectors, arena);
    root.set("aggregationRule", sum, arena);
  }
  // Null until there are some, as the Go type is written.
  if (is_role) root.set("rules", Value(), arena);
  return out;
}

Value& member(Value& of, std::string_view key, const Value& otherwise, Arena& arena) {
  Value* found = of.find(key);
  if (found == nullptr || found->type() != otherwise.type()) found = &of.set(key, otherwise, arena);
  return *found;
}

// Members that are missing or have another value.
bool add_members(Value& to, const Value* from, Arena& arena) {
  bool changed = false;
  if (from == nullptr) return false;
  for (const value::Member& one : from->members()) {
    const Value* there = to.find(one.key);
    if (there != nullptr && value::identical(*there, one.value)) continue;
    to.set(arena.copy(one.key), value::deep_copy(one.value, arena), arena);
    changed = true;
  }
  return changed;
}

// Items that are missing.
bool add_items(Value& to, const Value& from, Arena& arena) {
  bool changed = false;
  for (const Value& one : from.items()) {
    if (std::ranges::any_of(to.items(), [&](const Value& t) { return value::identical(t, one); }))
      continue;
    to.append(value::deep_copy(one, arena), arena);
    changed = true;
  }
  return changed;
}

bool add_rules(Document& present, const Value& wanted) {
  const std::vector<PolicyRule> missing =
      compare_rules(read_rules(present.root()), read_rules(wanted)).missing;
  if (missing.empty()) return false;
  Arena& arena = present.arena();
  Value& rules = member(present.root(), "rules", Value::array({}), arena);
  for (const Value& one : write_rules(missing, arena).items()) rules.append(one, arena);
  return true;
}

boost::asio::awaitable<void> reconcile_one(api::Core& core, const DefaultObject& wanted,
                                           Result<>& outcome) {
  const api::EndpointPtr endpoint = core.registry.find(kRbacGroup, wanted.plural);
  if (!endpoint) co_return;
  api::Call call = api::internal_call(core, endpoint, wanted.namespace_name, wanted.name);
  const auto note = [&](const meta::Status& refused) {
    outcome = fail(Code::kInternal, "{} {}: {}", wanted.plural, wanted.name, refused.message);
  };
  const std::string key = endpoint->key(wanted.namespace_name, wanted.name);
  const api::ObjectPtr present = endpoint->cache().get(key);
  if (!present) {
    Document document;
    document.root() = value::deep_copy(wanted.document.root(), document.arena());
    const auto made = co_await api::create_object(core, call, std::move(document), {});
    if (!made && made.error().reason != "AlreadyExists") note(made.error());
    co_return;
  }
  Result<Document> document = api::parse_stored(*present->bytes());
  if (document && !reconcile(*document, wanted.document.root())) co_return;
  const auto mended = co_await api::edit_object(
      core, call, {.manager = "kube-apiserver", .apply = [&](Document& current) {
                     static_cast<void>(reconcile(current, wanted.document.root()));
                   }});
  if (!mended) note(mended.error());
}

}  // namespace

Result<std::vector<DefaultObject>> read_default_roles(std::string_view table) {
  std::vector<DefaultObject> out;
  std::size_t number = 0;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    std::string_view line = table.substr(0, end);
    table.remove_prefix(std::min(end + 1, table.size()));
    ++number;
    if (line.empty()) continue;
    if (!line.starts_with("  ")) {
      STRAKE_TRY(DefaultObject object, begin_object(line, number));
      out.push_back(std::move(object));
      continue;
    }
    if (out.empty()) return fail(Code::kParse, "line {}: there is no object above it", number);
    line.remove_prefix(2);
    Document& document = out.back().document;
    Arena& arena = document.arena();
    if (out.back().plural.ends_with("roles")) {
      member(document.root(), "rules", Value::array({}), arena).append(rule_of(line, arena), arena);
    } else {
      member(document.root(), "subjects", Value::array({}), arena)
          .append(subject_of(line, arena), arena);
    }
  }
  return out;
}

bool reconcile(Document& present, const Value& wanted) {
  Value& root = present.root();
  Arena& arena = present.arena();
  const auto metadata = meta::ObjectMeta::of(root);
  if (metadata.annotation(kAutoUpdate) == "false") return false;
  const Value& own = wanted.get("metadata");
  Value& meta = member(root, "metadata", Value::object({}), arena);
  bool changed = false;
  for (const std::string_view key : {"annotations", "labels"}) {
    changed =
        add_members(member(meta, key, Value::object({}), arena), own.find(key), arena) || changed;
  }
  if (const Value* sum = wanted.find("aggregationRule")) {
    // The rules are the controller's.
    Value& present_sum = member(root, "aggregationRule", Value::object({}), arena);
    Value& selectors = member(present_sum, "clusterRoleSelectors", Value::array({}), arena);
    return add_items(selectors, sum->get("clusterRoleSelectors"), arena) || changed;
  }
  if (wanted.find("rules") != nullptr) return add_rules(present, wanted) || changed;
  if (const Value* subjects = wanted.find("subjects")) {
    changed =
        add_items(member(root, "subjects", Value::array({}), arena), *subjects, arena) || changed;
  }
  return changed;
}

async::Task<> reconcile_default_roles(api::Core& core) {
  STRAKE_CO_TRY(const std::vector<DefaultObject> wanted, read_default_roles(default_roles_table()));
  Result<> outcome;
  co_await async::for_each_concurrently(wanted.size(), kAtOnce, [&](std::size_t i) {
    return reconcile_one(core, wanted[i], outcome);
  });
  co_return outcome;
}

}  // namespace strake::auth
