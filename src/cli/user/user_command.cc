#include "cli/user/user_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/go_duration.h"
#include "base/quote.h"
#include "base/replacement_file.h"
#include "base/rfc3339.h"
#include "cli/cluster/cluster_flags.h"
#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "cli/user/cluster_users.h"
#include "kube/kubeconfig_writer.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using value::Value;

constexpr std::string_view kFormats[] = {"text", "json"};
// What a CertificateSigningRequest can ask for.
constexpr std::chrono::seconds kShortestLife{600};
constexpr std::chrono::seconds kLongestLife{std::chrono::hours(24 * 365 * 10)};
constexpr std::size_t kLongestName = 64;  // of the common name in a certificate

// A Go duration, or a number of days: 12h, 90d.
Result<std::chrono::seconds> read_life(std::string_view text) {
  std::string as_hours(text);
  std::size_t days = 0;
  if (text.ends_with('d') && text.size() < 8 &&
      std::ranges::all_of(text.substr(0, text.size() - 1),
                          [](char c) { return c >= '0' && c <= '9'; })) {
    for (const char c : text.substr(0, text.size() - 1))
      days = days * 10 + static_cast<std::size_t>(c - '0');
    as_hours = fmt::format("{}h", days * 24);
  }
  const auto read = parse_go_duration(as_hours);
  if (!read) return fail(Code::kUsage, "--ttl {}: not a duration such as 12h or 90d", quote(text));
  const auto out = std::chrono::duration_cast<std::chrono::seconds>(*read);
  if (out < kShortestLife || out > kLongestLife)
    return fail(Code::kUsage, "--ttl {}: must be from 10m to 3650d", quote(text));
  return out;
}

Result<> check_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName)
    return fail(Code::kUsage, "the name of a user has 1 to {} characters", kLongestName);
  if (name.starts_with("system:"))
    return fail(Code::kUsage,
                "{} belongs to the cluster itself; for a service account, use "
                "`kubectl create serviceaccount` and `kubectl create token`",
                quote(name));
  return {};
}

// Names that become a part of a path. The server checks the rest.
Result<> check_path_name(std::string_view flag, std::string_view name) {
  const bool fits = std::ranges::all_of(name, [](char c) {
    return c > ' ' && c < '\x7f' && c != '/' && c != '%' && c != '?' && c != '#';
  });
  if (name.empty() || name == "." || name == ".." || !fits)
    return fail(Code::kUsage, "--{} {}: no object can have that name", flag, quote(name));
  return {};
}

kube::NewKubeconfig kubeconfig_for(const NewUser& user, const kube::Access& access,
                                   http::CertifiedKey made) {
  const std::string cluster = access.context.empty() ? std::string("cluster") : access.context;
  return {.cluster = cluster,
          .user = user.name,
          .context = fmt::format("{}@{}", user.name, cluster),
          .server = access.server,
          .ca_pem = access.ca_pem,
          .tls_server_name = access.tls_server_name,
          .proxy_url = access.proxy_url,
          .namespace_name = user.namespace_name,
          .insecure = access.insecure,
          .certificate_pem = std::move(made.certificate_pem),
          .key_pem = std::move(made.key_pem)};
}

Result<> write_private(const std::string& path, const Secret& text) {
  STRAKE_TRY(ReplacementFile file, ReplacementFile::partial(AT_FDCWD, path));
  return file.replace(text.reveal(), 0600);
}

Result<ExitCode> add(const Arguments& args, Io& io) {
  NewUser user{.name = args.operands()[0],
               .groups = args.texts("group"),
               .roles = args.texts("role"),
               .namespace_name = std::string(args.text("namespace")),
               .life = {}};
  STRAKE_CHECK(check_name(user.name));
  STRAKE_TRY(user.life, read_life(args.text("ttl")));
  for (const std::string& role : user.roles) STRAKE_CHECK(check_path_name("role", role));
  if (args.given("namespace")) STRAKE_CHECK(check_path_name("namespace", user.namespace_name));
  if (user.roles.empty() && args.given("namespace"))
    return fail(Code::kUsage, "--namespace says where roles hold, and there is no --role");
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const ClusterUsers users(cluster, system_clock());
  STRAKE_TRY(http::CertifiedKey made, users.add(user));
  const Secret text =
      kube::write_kubeconfig(kubeconfig_for(user, cluster.access(), std::move(made)));
  const std::string file(args.text("file"));
  if (file.empty()) {
    io.out.write(text.reveal());
  } else {
    STRAKE_CHECK(write_private(file, text));
  }
  std::string roles = user.roles.empty() ? std::string("no roles yet")
                                         : fmt::format("{}", fmt::join(user.roles, ", "));
  if (!user.namespace_name.empty())
    roles += fmt::format(" in the namespace {}", user.namespace_name);
  io.err.write(printable(fmt::format("added the user {} ({}){}", user.name, roles,
                                     file.empty() ? "" : fmt::format(": {}", file))) +
               "\n");
  return ExitCode::kFine;
}

// The latest of its certificates; empty when there is none.
std::string expiry_of(const auth::UserRecord& record) {
  std::string out;
  for (const auto& one : record.certificates) out = std::max(out, one.expires);
  return out;
}

std::string_view status_of(const auth::UserRecord& record, std::string_view now) {
  if (record.is_revoked()) return "revoked";
  return expiry_of(record) < now ? "expired" : "active";
}

std::string role_text(const UserRole& role) {
  return role.namespace_name.empty() ? role.name
                                     : fmt::format("{}/{}", role.namespace_name, role.name);
}

Value json_of(const ClusterUser& user, std::string_view now, Arena& arena) {
  Value out = Value::object({});
  const auto set = [&arena](Value& object, std::string_view key, std::string_view text) {
    if (!text.empty()) object.set(key, Value::string(arena.copy(text)), arena);
  };
  set(out, "name", user.record.name);
  set(out, "status", status_of(user.record, now));
  Value groups = Value::array({});
  for (const std::string& one : user.record.groups)
    groups.append(Value::string(arena.copy(one)), arena);
  out.set("groups", groups, arena);
  Value roles = Value::array({});
  for (const UserRole& one : user.roles) {
    Value role = Value::object({});
    set(role, "kind", one.kind);
    set(role, "name", one.name);
    set(role, "namespace", one.namespace_name);
    roles.append(role, arena);
  }
  out.set("roles", roles, arena);
  set(out, "expires", expiry_of(user.record));
  set(out, "revokedAt", user.record.revoked_at);
  return out;
}

using Row = std::array<std::string, 5>;

std::string table_of(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], i + 1 < row.size() ? widths[i] + 3 : 0);
    out += line + "\n";
  }
  return out;
}

Result<ExitCode> list(const Arguments& args, Io& io) {
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  STRAKE_TRY(const std::vector<ClusterUser> users, ClusterUsers(cluster, system_clock()).list());
  const std::string now = format_rfc3339(Instant::from(system_clock().now()));
  if (args.text("output") == "json") {
    value::Document out;
    out.root() = Value::array({});
    for (const ClusterUser& one : users)
      out.root().append(json_of(one, now, out.arena()), out.arena());
    io.out.write(printable_json(value::to_json(out.root(), {.indent = 2})) + "\n");
    return ExitCode::kFine;
  }
  if (users.empty()) {
    io.err.write("no users: `strake user add NAME --role ROLE` makes one\n");
    return ExitCode::kFine;
  }
  std::vector<Row> rows = {{"NAME", "STATUS", "GROUPS", "ROLES", "EXPIRES"}};
  for (const ClusterUser& one : users) {
    std::vector<std::string> roles;
    for (const UserRole& role : one.roles) roles.push_back(role_text(role));
    const std::string expires = expiry_of(one.record);
    rows.push_back(
        {printable(one.record.name), std::string(status_of(one.record, now)),
         one.record.groups.empty()
             ? std::string("-")
             : printable(fmt::format("{}", fmt::join(one.record.groups, ","))),
         roles.empty() ? std::string("-") : printable(fmt::format("{}", fmt::join(roles, ","))),
         expires.empty() ? std::string("-") : printable(expires)});
  }
  io.out.write(table_of(rows));
  return ExitCode::kFine;
}

Result<ExitCode> revoke(const Arguments& args, Io& io) {
  const std::string& name = args.operands()[0];
  STRAKE_CHECK(check_name(name));
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const ClusterUsers users(cluster, system_clock());
  STRAKE_TRY(const std::string own, users.own_name());
  // Whoever revokes is there to undo it: nobody can lock everyone out.
  if (own == name)
    return fail(Code::kUsage, "you are {}: use the credentials of another user to revoke this one",
                quote(name));
  STRAKE_TRY(const bool refuses, users.refuses_revoked());
  STRAKE_TRY(const std::size_t removed, users.revoke(name));
  io.out.write(printable(fmt::format("revoked the user {}: {} role binding{} removed{}", name,
                                     removed, removed == 1 ? "" : "s",
                                     refuses ? ", and no credential works any more" : "")) +
               "\n");
  if (refuses) return ExitCode::kFine;
  print_error(
      fmt::format("this cluster cannot revoke certificates: {} stays authenticated, without "
                  "these roles, until the certificates expire",
                  quote(name)),
      io);
  return ExitCode::kFindings;
}

template <Result<ExitCode> (*kRun)(const Arguments&, Io&)>
ExitCode run(const Arguments& args, Io& io) {
  const Result<ExitCode> done = kRun(args, io);
  return done ? *done : failed(done.error(), io);
}

constexpr FlagSpec kAddFlags[] = {
    {.name = "role",
     .kind = FlagKind::kTexts,
     .value_name = "NAME",
     .summary = "bind this ClusterRole, such as view, edit or cluster-admin"},
    {.name = "namespace",
     .letter = 'n',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "bind the roles in this namespace only; a Role there can be given too"},
    {.name = "group",
     .kind = FlagKind::kTexts,
     .value_name = "NAME",
     .summary = "group of the user, written into the certificate"},
    {.name = "ttl",
     .kind = FlagKind::kText,
     .value_name = "TIME",
     .fallback = "90d",
     .summary = "how long the certificate is good: 12h, 90d"},
    {.name = "file",
     .letter = 'f',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write the kubeconfig to this file, which only you can read"},
    kContextFlag,
    kKubeconfigFlag,
};
constexpr FlagSpec kListFlags[] = {
    kContextFlag,
    kKubeconfigFlag,
    output_flag("output format", kFormats),
};
constexpr FlagSpec kRevokeFlags[] = {kContextFlag, kKubeconfigFlag};

constexpr Example kAddExamples[] = {
    {"strake user add eve --role edit -n dev -f eve.kubeconfig", "a colleague, in one namespace"},
    {"strake user add ci --role deployer --group robots --ttl 12h", "a CI job, for half a day"},
};
constexpr Example kListExamples[] = {{"strake user list -o json", "for scripts"}};
constexpr Example kRevokeExamples[] = {{"strake user revoke eve", "at once, on a Strake server"}};

}  // namespace

constinit const Command kUserAddCommand = {
    .name = "user add",
    .group = Group::kServe,
    .summary = "make a kubeconfig for a colleague or a CI job",
    .description =
        "Makes a key, has the cluster sign a client certificate for it "
        "(CertificateSigningRequest), binds the roles and prints a kubeconfig. The key never "
        "leaves this machine except in that kubeconfig. For a user who is there already, this "
        "makes another certificate.\n\n"
        "Works with every Kubernetes cluster that signs certificates for clients. You need "
        "permission to approve them, to bind the roles, and to write ConfigMaps in kube-system, "
        "where users are noted.",
    .flags = kAddFlags,
    .operands = {.usage = "NAME", .at_least = 1, .at_most = 1},
    .examples = kAddExamples,
    .run = run<add>,
};

constinit const Command kUserListCommand = {
    .name = "user list",
    .group = Group::kServe,
    .summary = "list the users made with `user add`",
    .description = "Shows each user with groups, roles, and when the last certificate expires.",
    .flags = kListFlags,
    .operands = {},
    .examples = kListExamples,
    .run = run<list>,
};

constinit const Command kUserRevokeCommand = {
    .name = "user revoke",
    .group = Group::kServe,
    .summary = "end a user's access at once",
    .description =
        "Removes the role bindings that `user add` made, and notes that the user is revoked. A "
        "Strake server then refuses every credential of that name from the next request on, "
        "certificates and tokens alike, and ends the user's watches. `user add` with the same "
        "name lets the user in again, with the new certificate only.\n\n"
        "Other Kubernetes servers cannot revoke certificates: there the user loses the roles, and "
        "the command says so and exits 1.",
    .flags = kRevokeFlags,
    .operands = {.usage = "NAME", .at_least = 1, .at_most = 1},
    .examples = kRevokeExamples,
    .run = run<revoke>,
};

}  // namespace strake::cli
