#include "target.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/base64.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::load {
namespace {

using value::Value;

constexpr std::size_t kMaxFile = 4 * 1024 * 1024;

// The `inner` object of the entry of this name in a list of {name, inner}.
const Value* named(const Value& root, std::string_view list, std::string_view name,
                   std::string_view inner) {
  const Value* entries = root.find(list);
  if (entries == nullptr || !entries->is_array()) return nullptr;
  for (const Value& entry : entries->items()) {
    if (text_of(&entry, "name") == name) return entry.find(inner);
  }
  return nullptr;
}

// `<key>-data` in base64, or the file that `<key>` names; empty when neither is there.
Result<std::string> pem_of(const Value* object, const std::string& key,
                           const std::filesystem::path& folder) {
  if (const std::string_view data = text_of(object, key + "-data"); !data.empty()) {
    auto decoded = base64_decode(data);
    if (!decoded) return fail(Code::kInvalid, "{}-data is not base64", key);
    return decoded;
  }
  const std::string_view path = text_of(object, key);
  if (path.empty()) return std::string();
  return read_file((folder / path).string());
}

struct FreeSsl {
  void operator()(BIO* p) const { BIO_free(p); }
  void operator()(X509* p) const { X509_free(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
};
template <typename T>
using Owned = std::unique_ptr<T, FreeSsl>;

Owned<BIO> open_text(std::string_view text) {
  return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Result<> trust(SSL_CTX* context, const Target& target) {
  if (target.insecure) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    return {};
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const Owned<BIO> bio = open_text(target.ca_pem);
  int count = 0;
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    const Owned<X509> authority(one);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get());
    ++count;
  }
  ERR_clear_error();
  if (count == 0) return fail(Code::kInvalid, "no certificate of an authority given");
  return {};
}

Result<> identify(SSL_CTX* context, const Target& target) {
  if (target.certificate_pem.empty()) return {};
  const Owned<BIO> certificate_text = open_text(target.certificate_pem);
  const Owned<X509> certificate(
      PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr));
  const Owned<BIO> key_text = open_text(target.key_pem.reveal());
  const Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  if (!certificate || !key || SSL_CTX_use_certificate(context, certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    ERR_clear_error();
    return fail(Code::kInvalid, "the client certificate and its key cannot be used");
  }
  return {};
}

Result<std::shared_ptr<ssl_ctx_st>> make_tls(const Target& target) {
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context) return fail(Code::kInternal, "cannot set up TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // One read of the socket for a record, not two.
  SSL_CTX_set_read_ahead(context.get(), 1);
  // Ten thousand watchers must not hold two buffers of 16 KiB each.
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  static constexpr std::string_view kAlpn("\x08http/1.1");
  SSL_CTX_set_alpn_protos(context.get(), reinterpret_cast<const unsigned char*>(kAlpn.data()),
                          static_cast<unsigned>(kAlpn.size()));
  STRAKE_CHECK(trust(context.get(), target));
  STRAKE_CHECK(identify(context.get(), target));
  return context;
}

struct HostPort {
  std::string host;
  std::string port;
};

Result<HostPort> split(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  if (!url.starts_with(kScheme))
    return fail(Code::kUsage, "the server must be an https:// URL, got \"{}\"", url);
  url.remove_prefix(kScheme.size());
  if (const std::size_t slash = url.find('/'); slash != std::string_view::npos) {
    if (slash + 1 != url.size()) return fail(Code::kUsage, "a path in the URL is not supported");
    url = url.substr(0, slash);
  }
  const std::size_t colon = url.rfind(':');
  const std::size_t bracket = url.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  HostPort out;
  std::string_view host = has_port ? url.substr(0, colon) : url;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  out.host = host;
  out.port = has_port ? std::string(url.substr(colon + 1)) : "443";
  return out;
}

bool is_address(const std::string& host) {
  in6_addr ignored;
  return ::inet_pton(AF_INET, host.c_str(), &ignored) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Code::kIo, "cannot read {}: {}", path, std::strerror(errno));
  std::string text(kMaxFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return fail(Code::kIo, "cannot read {}", path);
  if (text.size() > kMaxFile) return fail(Code::kInvalid, "{} is larger than 4 MiB", path);
  return text;
}

Result<Target> read_kubeconfig(const std::string& path) {
  STRAKE_TRY(const std::string text, read_file(path));
  STRAKE_TRY(const value::Document document, value::read_yaml(text));
  const Value& root = document.root();
  if (!root.is_object()) return fail(Code::kInvalid, "{} is not a kubeconfig", path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Value* context = named(root, "contexts", text_of(&root, "current-context"), "context");
  const Value* cluster = named(root, "clusters", text_of(context, "cluster"), "cluster");
  const Value* user = named(root, "users", text_of(context, "user"), "user");
  if (cluster == nullptr)
    return fail(Code::kInvalid, "{}: the current context names no cluster", path);
  Target out;
  out.url = text_of(cluster, "server");
  out.tls_server_name = text_of(cluster, "tls-server-name");
  const Value* insecure =
      cluster->is_object() ? cluster->find("insecure-skip-tls-verify") : nullptr;
  out.insecure = insecure != nullptr && insecure->is_bool() && insecure->as_bool();
  STRAKE_TRY(out.ca_pem, pem_of(cluster, "certificate-authority", folder));
  STRAKE_TRY(out.certificate_pem, pem_of(user, "client-certificate", folder));
  STRAKE_TRY(std::string key, pem_of(user, "client-key", folder));
  out.key_pem = Secret(std::move(key));
  out.token = Secret(std::string(text_of(user, "token")));
  return out;
}

Result<Endpoint> prepare(const Target& target) {
  STRAKE_TRY(const HostPort at, split(target.url));
  Endpoint out;
  out.host_header =
      fmt::format(fmt::runtime(at.host.contains(':') ? "[{}]:{}" : "{}:{}"), at.host, at.port);
  out.server_name = target.tls_server_name.empty() ? at.host : target.tls_server_name;
  out.server_is_address = is_address(out.server_name);
  out.insecure = target.insecure;
  if (!target.token.empty())
    out.authorization = fmt::format("Authorization: Bearer {}\r\n", target.token.reveal());
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(at.host.c_str(), at.port.c_str(), &hints, &found); error != 0)
    return fail(Code::kIo, "cannot look up {}: {}", at.host, ::gai_strerror(error));
  std::memcpy(&out.address, found->ai_addr, found->ai_addrlen);
  out.address_size = found->ai_addrlen;
  ::freeaddrinfo(found);
  STRAKE_TRY(out.tls, make_tls(target));
  return out;
}

}  // namespace strake::load
