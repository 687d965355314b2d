#include "cli/auth/auth_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "auth/rbac/grants.h"
#include "cli/auth/resource_lookup.h"
#include "cli/cluster/cluster_flags.h"
#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "kube/list.h"
#include "meta/service_account.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using value::Value;

constexpr std::size_t kPage = 500;
constexpr std::string_view kFormats[] = {"text", "json"};
constexpr std::string_view kRbacPath = "/apis/rbac.authorization.k8s.io/v1/";

// The kind is not written inside a list: it is that of the list.
struct Listed {
  std::string_view plural;
  std::string_view kind;
};
constexpr Listed kListed[] = {{"clusterroles", "ClusterRole"},
                              {"roles", "Role"},
                              {"clusterrolebindings", "ClusterRoleBinding"},
                              {"rolebindings", "RoleBinding"}};

Result<auth::Grants> fetch_grants(const kube::Client& cluster) {
  auth::Grants out;
  for (const Listed& one : kListed) {
    STRAKE_TRY(const std::vector<std::string> pages,
               kube::list_pages(cluster, fmt::format("{}{}", kRbacPath, one.plural), kPage));
    for (const std::string& page : pages) {
      STRAKE_TRY(value::Document list, value::read_json(page));
      Value* items = list.root().find("items");
      if (items == nullptr || !items->is_array()) continue;
      for (Value& object : items->mutable_items()) {
        if (!object.is_object()) continue;
        object.set("kind", Value::string(one.kind), list.arena());
        out.add(object);
      }
    }
  }
  return out;
}

// What is asked about: VERB RESOURCE [NAME], or VERB /path.
Result<api::RequestInfo> read_question(std::span<const std::string> words, const Arguments& args,
                                       const kube::Client& cluster) {
  api::RequestInfo out;
  out.verb = words[0];
  if (words[1].starts_with('/')) {
    if (words.size() > 2) return fail(Code::kUsage, "a path has no name behind it");
    out.path = words[1];
    return out;
  }
  STRAKE_TRY(const FoundResource found, find_resource(cluster, words[1]));
  out.is_resource = true;
  out.group = found.group;
  out.version = "v1";
  out.resource = found.resource;
  out.subresource = found.subresource;
  if (words.size() > 2) out.name = words[2];
  if (found.namespaced && !args.on("all-namespaces")) {
    out.namespace_name = args.given("namespace")
                             ? args.text("namespace")
                             : std::string_view(cluster.access().namespace_name);
    if (out.namespace_name.empty()) out.namespace_name = "default";
  }
  return out;
}

std::string words_of(const api::RequestInfo& request) {
  if (!request.is_resource) return fmt::format("{} {}", request.verb, request.path);
  std::string out = fmt::format("{} {}", request.verb, request.resource);
  if (!request.group.empty()) out += "." + request.group;
  if (!request.subresource.empty()) out += "/" + request.subresource;
  if (!request.name.empty()) out += " " + request.name;
  if (!request.namespace_name.empty())
    out += fmt::format(" in the namespace {}", request.namespace_name);
  return out;
}

std::string binding_of(const auth::Grant& grant) {
  return grant.namespace_name.empty()
             ? fmt::format("ClusterRoleBinding {}", grant.binding)
             : fmt::format("RoleBinding {}/{}", grant.namespace_name, grant.binding);
}

std::string subject_of(const auth::GrantSubject& subject) {
  return subject.namespace_name.empty()
             ? fmt::format("{} {}", subject.kind, subject.name)
             : fmt::format("{} {}/{}", subject.kind, subject.namespace_name, subject.name);
}

Value json_of(const auth::Grant& grant, Arena& arena) {
  Value out = Value::object({});
  const auto set = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) out.set(key, Value::string(arena.copy(text)), arena);
  };
  set("binding", grant.binding);
  set("namespace", grant.namespace_name);
  set("role", grant.role);
  set("roleKind", grant.role_kind);
  const auth::PolicyRule rules[] = {grant.rule};
  out.set("rule", auth::write_rules(rules, arena).items()[0], arena);
  Value subject = Value::object({});
  subject.set("kind", Value::string(arena.copy(grant.subject.kind)), arena);
  subject.set("name", Value::string(arena.copy(grant.subject.name)), arena);
  if (!grant.subject.namespace_name.empty())
    subject.set("namespace", Value::string(arena.copy(grant.subject.namespace_name)), arena);
  out.set("subject", subject, arena);
  return out;
}

void write_json_line(const Value& value, Io& io) {
  io.out.write(printable_json(value::to_json(value, {.indent = 2})) + "\n");
}

void show_who(const api::RequestInfo& request, const std::vector<auth::Grant>& grants, Io& io) {
  io.out.write(printable(fmt::format("who can {}:", words_of(request))) + "\n");
  io.out.write("  Group system:masters, always\n");
  for (const auth::Grant& one : grants) {
    io.out.write(printable(fmt::format("  {}: {}, {} {}, rule {} ({})", subject_of(one.subject),
                                       binding_of(one), one.role_kind, one.role, one.rule_number,
                                       auth::sentence_of(one.rule))) +
                 "\n");
  }
}

Result<ExitCode> who_can(const Arguments& args, Io& io) {
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  STRAKE_TRY(const api::RequestInfo request, read_question(args.operands(), args, cluster));
  STRAKE_TRY(const auth::Grants grants, fetch_grants(cluster));
  const std::vector<auth::Grant> found = grants.who_can(request);
  if (args.text("output") == "json") {
    value::Document out;
    out.root() = Value::array({});
    for (const auth::Grant& one : found) out.root().append(json_of(one, out.arena()), out.arena());
    write_json_line(out.root(), io);
  } else {
    show_who(request, found, io);
    for (const std::string& one : grants.dangling())
      io.err.write(printable(fmt::format("note: {}", one)) + "\n");
  }
  return ExitCode::kFine;
}

// The command that would bind the role.
std::string advice(const api::User& user, const api::RequestInfo& request,
                   const auth::Explanation::Role& role) {
  const bool cluster_wide = request.namespace_name.empty();
  std::string who = "--user=" + user.name;
  if (const auto account = meta::parse_service_account_user(user.name))
    who = fmt::format("--serviceaccount={}:{}", account->namespace_name, account->name);
  return fmt::format("kubectl create {} NAME --{}={} {}{}",
                     cluster_wide ? "clusterrolebinding" : "rolebinding",
                     role.kind == "ClusterRole" ? "clusterrole" : "role", role.name, who,
                     cluster_wide ? "" : " -n " + request.namespace_name);
}

void show_why(const api::User& user, const api::RequestInfo& request, const auth::Explanation& why,
              Io& io) {
  const auto line = [&io](const std::string& text) { io.out.write(printable(text) + "\n"); };
  const bool allowed = why.is_master || !why.grants.empty();
  line(fmt::format("{}: {} {} {}", allowed ? "yes" : "no", user.name, allowed ? "can" : "cannot",
                   words_of(request)));
  if (why.is_master) line("  a member of system:masters can do everything");
  for (const auth::Grant& one : why.grants) {
    line(fmt::format("  {} gives {} the {} {}", binding_of(one), subject_of(one.subject),
                     one.role_kind, one.role));
    line(fmt::format("    rule {}: {}", one.rule_number, auth::sentence_of(one.rule)));
  }
  if (allowed) return;
  if (why.closest.empty()) {
    line("  no binding gives this user anything like it");
  } else {
    line("closest:");
  }
  for (const auth::NearMiss& one : why.closest) {
    line(fmt::format("  {} gives {} the {} {}", binding_of(one.grant),
                     subject_of(one.grant.subject), one.grant.role_kind, one.grant.role));
    line(fmt::format("    rule {}: {}", one.grant.rule_number, auth::sentence_of(one.grant.rule)));
    line(fmt::format("    it lacks {}", fmt::join(one.lacking, " and ")));
  }
  if (why.roles.empty()) {
    line("no role in the cluster allows it");
    return;
  }
  line("roles that allow it, the narrowest first:");
  for (const auth::Explanation::Role& one : why.roles) {
    line(fmt::format("  {} {}: {}", one.kind, one.name, advice(user, request, one)));
  }
}

Value json_of(const auth::Explanation& why, Arena& arena) {
  Value out = Value::object({});
  out.set("allowed", Value::boolean(why.is_master || !why.grants.empty()), arena);
  Value grants = Value::array({});
  for (const auth::Grant& one : why.grants) grants.append(json_of(one, arena), arena);
  out.set("grants", grants, arena);
  Value closest = Value::array({});
  for (const auth::NearMiss& one : why.closest) {
    Value miss = json_of(one.grant, arena);
    Value lacking = Value::array({});
    for (const std::string& text : one.lacking)
      lacking.append(Value::string(arena.copy(text)), arena);
    miss.set("lacking", lacking, arena);
    closest.append(miss, arena);
  }
  out.set("closest", closest, arena);
  Value roles = Value::array({});
  for (const auth::Explanation::Role& one : why.roles) {
    Value role = Value::object({});
    role.set("kind", Value::string(arena.copy(one.kind)), arena);
    role.set("name", Value::string(arena.copy(one.name)), arena);
    roles.append(role, arena);
  }
  out.set("rolesThatAllow", roles, arena);
  return out;
}

Result<ExitCode> explain(const Arguments& args, Io& io) {
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const std::span<const std::string> words = args.operands();
  STRAKE_TRY(const api::RequestInfo request, read_question(words.subspan(1), args, cluster));
  STRAKE_TRY(const auth::Grants grants, fetch_grants(cluster));
  const api::User user = auth::user_with_groups(words[0], args.texts("group"));
  const auth::Explanation why = grants.explain(user, request);
  if (args.text("output") == "json") {
    value::Document out;
    out.root() = json_of(why, out.arena());
    write_json_line(out.root(), io);
  } else {
    show_why(user, request, why, io);
  }
  return why.is_master || !why.grants.empty() ? ExitCode::kFine : ExitCode::kFindings;
}

ExitCode run_who_can(const Arguments& args, Io& io) {
  const Result<ExitCode> done = who_can(args, io);
  return done ? *done : failed(done.error(), io);
}

ExitCode run_explain(const Arguments& args, Io& io) {
  const Result<ExitCode> done = explain(args, io);
  return done ? *done : failed(done.error(), io);
}

constexpr FlagSpec kNamespaceFlag = {.name = "namespace",
                                     .letter = 'n',
                                     .kind = FlagKind::kText,
                                     .value_name = "NAME",
                                     .summary =
                                         "namespace of the request; default: that of the "
                                         "context, then default"};
constexpr FlagSpec kAllNamespacesFlag = {
    .name = "all-namespaces", .letter = 'A', .summary = "ask about all namespaces at once"};

constexpr FlagSpec kWhoCanFlags[] = {
    kNamespaceFlag,
    kAllNamespacesFlag,
    kContextFlag,
    kKubeconfigFlag,
    output_flag("output format", kFormats),
};
constexpr FlagSpec kExplainFlags[] = {
    {.name = "group",
     .kind = FlagKind::kTexts,
     .value_name = "NAME",
     .summary = "group of the user, beside system:authenticated"},
    kNamespaceFlag,
    kAllNamespacesFlag,
    kContextFlag,
    kKubeconfigFlag,
    output_flag("output format", kFormats),
};

constexpr Example kWhoCanExamples[] = {
    {"strake auth who-can delete pods -n prod", "everyone who can delete pods in a namespace"},
    {"strake auth who-can get secrets db-password -n prod", "who can read one secret"},
    {"strake auth who-can get /metrics", "a path that is no resource"},
};
constexpr Example kExplainExamples[] = {
    {"strake auth explain eve create deployments -n dev", "which binding and rule allows it"},
    {"strake auth explain system:serviceaccount:ci:bot patch widgets.example.com",
     "a service account"},
};

}  // namespace

constinit const Command kAuthWhoCanCommand = {
    .name = "auth who-can",
    .group = Group::kServe,
    .summary = "list everyone who can do something in a cluster",
    .description =
        "Reads the roles and bindings (RBAC) of the cluster in the kubeconfig and lists each user, "
        "group and service account that can make the request, with the binding, the role and the "
        "rule that allow it. RESOURCE can be a plural, a kind or a short name, with a group and a "
        "subresource: deploy, widgets.example.com, pods/log.\n\n"
        "Works with every Kubernetes cluster. You need permission to list roles and bindings.",
    .flags = kWhoCanFlags,
    .operands = {.usage = "VERB RESOURCE|/PATH [NAME]", .at_least = 2, .at_most = 3},
    .examples = kWhoCanExamples,
    .run = run_who_can,
};

constinit const Command kAuthExplainCommand = {
    .name = "auth explain",
    .group = Group::kServe,
    .summary = "explain why a user can or cannot do something in a cluster",
    .description =
        "Names the bindings and rules (RBAC) that allow the request. If none does, shows the rules "
        "of this user that come closest and what they lack, and the narrowest roles that would "
        "allow it.\n\n"
        "Exits 0 if the request is allowed and 1 if it is not. Works with every Kubernetes "
        "cluster. You need permission to list roles and bindings.",
    .flags = kExplainFlags,
    .operands = {.usage = "USER VERB RESOURCE|/PATH [NAME]", .at_least = 3, .at_most = 4},
    .examples = kExplainExamples,
    .run = run_explain,
};

}  // namespace strake::cli
