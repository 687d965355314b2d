#include "server/kept_identity.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "base/log.h"
#include "base/private_folder.h"
#include "base/replacement_file.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::server {
namespace {

using value::Value;

constexpr std::string_view kFile = "identity.json";
// A suite that begins now may run for so long.
constexpr std::chrono::hours kLeastValidity{24};

struct PairName {
  std::string_view name;
  http::CertifiedKey Identity::* pair;
};
constexpr std::array<PairName, 5> kPairs = {{{"ca", &Identity::ca},
                                             {"serving", &Identity::serving},
                                             {"admin", &Identity::admin},
                                             {"frontProxyCa", &Identity::front_proxy_ca},
                                             {"frontProxyClient", &Identity::front_proxy_client}}};

bool is_good(const http::CertifiedKey& pair, WallTime now) {
  const Result<http::Validity> found = http::read_validity(pair.certificate_pem);
  return found && !pair.key_pem.empty() && found->from <= now &&
         found->until >= now + kLeastValidity;
}

std::string text_of_hosts(const std::vector<std::string>& hosts) {
  return fmt::format("{}", fmt::join(hosts, " "));
}

std::optional<Identity> read_identity(std::string_view text, const std::vector<std::string>& hosts,
                                      WallTime now) {
  const Result<value::Document> read = value::read_json(text);
  if (!read || value::text_of(read->root(), "hosts") != text_of_hosts(hosts)) return std::nullopt;
  Identity out;
  for (const PairName& one : kPairs) {
    http::CertifiedKey& pair = out.*one.pair;
    const Value& from = read->root().get(one.name);
    pair.certificate_pem = value::text_of(from, "certificate");
    pair.key_pem = Secret(std::string(value::text_of(from, "key")));
    if (!is_good(pair, now)) return std::nullopt;
  }
  // The authority is really read: that also sets up the parts of OpenSSL that the server needs
  // next, beside other work.
  if (!http::Authority::read(out.ca)) return std::nullopt;
  out.ca_pem = out.ca.certificate_pem;
  out.service_account_key = Secret(std::string(value::text_of(read->root(), "serviceAccountKey")));
  if (out.service_account_key.empty()) return std::nullopt;
  return out;
}

std::string write_identity(const Identity& from, const std::vector<std::string>& hosts) {
  value::Document out;
  Arena& arena = out.arena();
  const auto text = [&](std::string_view of) { return Value::string(arena.copy(of)); };
  out.root() = Value::object({});
  out.root().set("hosts", text(text_of_hosts(hosts)), arena);
  for (const PairName& one : kPairs) {
    const http::CertifiedKey& pair = from.*one.pair;
    Value made = Value::object({});
    made.set("certificate", text(pair.certificate_pem), arena);
    made.set("key", text(pair.key_pem.reveal()), arena);
    out.root().set(one.name, made, arena);
  }
  out.root().set("serviceAccountKey", text(from.service_account_key.reveal()), arena);
  return value::to_json(out.root());
}

}  // namespace

Result<Identity> kept_identity(const std::string& folder, const std::vector<std::string>& hosts,
                               const Clock& clock) {
  STRAKE_TRY(const PrivateFolder keys, PrivateFolder::open(folder));
  if (const Result<std::string> text = keys.read(std::string(kFile))) {
    if (auto kept = read_identity(*text, hosts, clock.now())) return *std::move(kept);
  }
  STRAKE_TRY(Identity made, make_identity(hosts, clock));
  // Servers that start at once may all write it.
  auto file = ReplacementFile::unique(keys.file(kFile));
  const Result<> written = file ? file->replace(write_identity(made, hosts), 0600)
                                : std::unexpected(std::move(file).error());
  if (!written)
    log::get("server").warn("keys for test servers could not be kept",
                            {{"error", written.error()}});
  return made;
}

}  // namespace strake::server
