#include "cli/operate/admin_commands.h"

#include <algorithm>

#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/ordered_json.h"
#include "ops/protection.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::FailureClass;
using provider::Outcome;

// Settings of providers have client secrets among them.
bool is_secret_setting(std::string_view key) {
  std::string upper(key);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  constexpr std::string_view kWords[] = {"SECRET", "PASSWORD", "TOKEN", "KEY", "CREDENTIAL"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return upper.contains(word); });
}

void write_settings(const provider::Settings& settings, OrderedJson& out) {
  out.open_object("settings");
  for (const auto& [key, text] : settings)
    out.text(key, is_secret_setting(key) ? Secret::kShown : std::string_view(text));
  out.close();
}

void write_entity(const provider::Workspace& one, OrderedJson& out) {
  out.open_object().text("id", one.id).text("name", one.name).close();
}
void write_entity(const provider::ProviderEntity& one, OrderedJson& out) {
  out.open_object()
      .text("id", one.id)
      .text("name", one.name)
      .text("workspaceID", one.workspace_id)
      .text("driver", one.driver);
  write_settings(one.settings, out);
  out.close();
}
void write_entity(const provider::Cluster& one, OrderedJson& out) {
  out.open_object()
      .text("id", one.id)
      .text("name", one.name)
      .text("providerID", one.provider_id)
      .flag("existing", one.existing);
  if (one.ingress) {
    out.open_object("ingress")
        .text("namespace", provider::ingress_namespace(one))
        .text("serviceAccount", provider::ingress_service_account(one))
        .text("domain", one.ingress->domain)
        .text("certResolver", one.ingress->cert_resolver)
        .text("certEmail", one.ingress->cert_email)
        .close();
  }
  out.open_object("protection")
      .text("provisioning", ops::to_string(one.protection.provisioning))
      .text("installation", ops::to_string(one.protection.installation))
      .close();
  write_settings(one.settings, out);
  out.close();
}
void write_entity(const provider::App& one, OrderedJson& out) {
  out.open_object()
      .text("id", one.id)
      .text("name", one.name)
      .text("clusterID", one.cluster_id)
      .text("compose", one.compose)
      .open_list("volumes");
  for (const provider::AppVolume& volume : one.volumes) {
    out.open_object()
        .text("name", volume.name)
        .number("size", volume.size)
        .text("type", provider::to_string(volume.type))
        .options("options", volume.options)
        .close();
  }
  out.close();
  write_settings(one.settings, out);
  out.close();
}

template <typename One, const std::deque<One>& (ops::Store::*kAll)() const>
Outcome<ExitCode> list_entities(OperateRun& run) {
  for (const One& one : (run.configuration().store.*kAll)()) {
    OrderedJson out;
    write_entity(one, out);
    run.io().out.write(out.line());
  }
  return ExitCode::kFine;
}

template <typename One, Outcome<const One*> (ops::Store::*kFind)(std::string_view) const>
Outcome<ExitCode> get_entity(OperateRun& run) {
  STRAKE_TRY(const One* const one, (run.configuration().store.*kFind)(run.args().operands()[0]));
  OrderedJson out;
  write_entity(*one, out);
  run.io().out.write(out.done());
  return ExitCode::kFine;
}

Outcome<ExitCode> refuse_to_write(OperateRun& /*run*/) {
  return provider::refuse(FailureClass::kNotImplemented,
                          "operation not supported: objects are declared in documents; edit those");
}

constexpr auto kAdminFlags = flags_of(kRunFlags);
constexpr auto kAdminWriteFlags = flags_of(std::to_array<FlagSpec>({
                                               {.name = "file",
                                                .letter = 'f',
                                                .kind = FlagKind::kText,
                                                .value_name = "FILE",
                                                .summary = "accepted for compatibility"},
                                           }),
                                           kRunFlags);

#define STRAKE_ADMIN(kind, type, all, find)                                                 \
  constexpr Operation kList##kind{.name = "admin:list",                                     \
                                  .limit = 1min,                                            \
                                  .flags = kAdminFlags,                                     \
                                  .work = list_entities<provider::type, &ops::Store::all>}; \
  constexpr Operation kGet##kind {                                                          \
    .name = "admin:get", .limit = 1min, .flags = kAdminFlags,                               \
    .work = get_entity<provider::type, &ops::Store::find>                                   \
  }
STRAKE_ADMIN(Workspaces, Workspace, workspaces, find_workspace);
STRAKE_ADMIN(Providers, ProviderEntity, providers, find_provider);
STRAKE_ADMIN(Clusters, Cluster, clusters, find_cluster);
STRAKE_ADMIN(Apps, App, apps, find_app);
#undef STRAKE_ADMIN

constexpr Operation kRefuseToWrite{
    .name = "admin:write", .limit = 1min, .flags = kAdminWriteFlags, .work = refuse_to_write};

template <const Operation& kOperation>
constexpr Command admin_list() {
  return {.name = "admin list",
          .group = Group::kOperate,
          .summary = "list the objects that are declared, one a line, as JSON",
          .flags = kAdminFlags,
          .sections = kRunSections,
          .run = run_operation<kOperation>};
}
template <const Operation& kOperation>
constexpr Command admin_get() {
  return {.name = "admin get",
          .group = Group::kOperate,
          .summary = "show an object that is declared, as JSON",
          .flags = kAdminFlags,
          .sections = kRunSections,
          .operands = {.usage = "NAME|ID", .at_least = 1, .at_most = 1},
          .run = run_operation<kOperation>};
}

}  // namespace

constinit const Command kAdminListCommands[4] = {
    admin_list<kListWorkspaces>(), admin_list<kListProviders>(), admin_list<kListClusters>(),
    admin_list<kListApps>()};
constinit const Command kAdminGetCommands[4] = {admin_get<kGetWorkspaces>(),
                                                admin_get<kGetProviders>(),
                                                admin_get<kGetClusters>(), admin_get<kGetApps>()};
constinit const Command kAdminWriteCommand = {
    .name = "admin write",
    .group = Group::kOperate,
    .summary = "not supported: objects are declared in documents",
    .flags = kAdminWriteFlags,
    .sections = kRunSections,
    .operands = {.usage = "[NAME|ID]", .at_most = 1},
    .run = run_operation<kRefuseToWrite>,
};

}  // namespace strake::cli
