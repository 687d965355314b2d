#include "server/data_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/base64.h"
#include "base/quote.h"

namespace strake::server {
namespace {

using http::CertifiedKey;
using std::chrono::hours;

struct KeyFile {
  std::string_view name;
  unsigned mode;
};
constexpr KeyFile kKeyFiles[] = {
    {"pki/admin.crt", 0644},     {"pki/admin.key", 0600}, {"pki/apiserver.crt", 0644},
    {"pki/apiserver.key", 0600}, {"pki/ca.crt", 0644},    {"pki/ca.key", 0600},
    {"pki/sa.key", 0600},        {"pki/sa.pub", 0644},
};

constexpr hours kDay{24};
constexpr auto kAuthorityLife = kDay * 3650;
constexpr auto kCertificateLife = kDay * 365;
constexpr auto kRenewBefore = kDay * 30;

http::Validity validity(const Clock& clock, hours life) {
  // A little into the past: clocks of clients differ.
  return {.from = clock.now() - hours(1), .until = clock.now() + life};
}

bool is_address(std::string_view host) {
  return host.contains(':') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

http::CertificateSpec serving_spec(const std::vector<std::string>& hosts, const Clock& clock) {
  http::CertificateSpec spec;
  spec.common_name = "strake";
  spec.validity = validity(clock, kCertificateLife);
  for (const std::string& host : hosts)
    (is_address(host) ? spec.ip_addresses : spec.dns_names).push_back(host);
  return spec;
}

http::CertificateSpec admin_spec(const Clock& clock) {
  http::CertificateSpec spec;
  spec.common_name = "admin";
  spec.organizations = {"system:masters"};
  spec.use = http::CertificateUse::kClient;
  spec.validity = validity(clock, kCertificateLife);
  return spec;
}

bool names_all(const http::CertificateInfo& info, const std::vector<std::string>& hosts) {
  return std::all_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
    const auto& names = is_address(host) ? info.ip_addresses : info.dns_names;
    return std::find(names.begin(), names.end(), host) != names.end();
  });
}

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  Result<std::optional<CertifiedKey>> read_pair(std::string_view name) const {
    Result<std::string> certificate = read_file(fmt::format("{}/{}.crt", path_, name));
    Result<std::string> key = read_file(fmt::format("{}/{}.key", path_, name));
    const auto absent = [](const Result<std::string>& one) {
      return !one && one.error().code() == Code::kNotFound;
    };
    if (absent(certificate) || absent(key)) return std::optional<CertifiedKey>();
    if (!certificate) return std::unexpected(certificate.error());
    if (!key) return std::unexpected(key.error());
    return CertifiedKey{.certificate_pem = *std::move(certificate),
                        .key_pem = Secret(*std::move(key))};
  }
  Result<> write_pair(std::string_view name, const CertifiedKey& pair) const {
    STRAKE_CHECK(write_file(fmt::format("{}/{}.key", path_, name), pair.key_pem.reveal(), 0600));
    return write_file(fmt::format("{}/{}.crt", path_, name), pair.certificate_pem, 0644);
  }
  // What is there if it is still good, else a new one.
  template <typename Good>
  Result<CertifiedKey> keep_or_issue(std::string_view name, const CertifiedKey& ca,
                                     const http::CertificateSpec& spec, const Clock& clock,
                                     Good good) const {
    STRAKE_TRY(std::optional<CertifiedKey> pair, read_pair(name));
    if (pair && http::check_certificate(*pair, ca.certificate_pem, clock.now() + kRenewBefore)) {
      const auto info = http::read_certificate(pair->certificate_pem);
      if (info && good(*info)) return *std::move(pair);
    }
    STRAKE_TRY(CertifiedKey made, http::issue_certificate(ca, spec));
    STRAKE_CHECK(write_pair(name, made));
    return made;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<CertifiedKey> authority(const Folder& folder, const Clock& clock) {
  STRAKE_TRY(std::optional<CertifiedKey> pair, folder.read_pair("ca"));
  if (pair) {
    const Result<> good = http::check_certificate(*pair, pair->certificate_pem, clock.now());
    if (good) return *std::move(pair);
    // Not replaced by itself: everything that trusts it would have to be told.
    return fail(Code::kInvalid, "the authority in {}/ca.crt cannot be used: {}", folder.path(),
                good.error().message());
  }
  STRAKE_TRY(CertifiedKey made, http::make_ca("strake-ca", validity(clock, kAuthorityLife)));
  STRAKE_CHECK(folder.write_pair("ca", made));
  return made;
}

Error io_error(std::string_view doing, const std::string& path) {
  const int number = errno;
  return {number == ENOENT ? Code::kNotFound : Code::kIo,
          fmt::format("cannot {} {}: {}", doing, path, std::strerror(number))};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::unexpected(io_error("read", path));
  std::string out;
  char buffer[16384];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = io_error("read", path);
      ::close(fd);
      return std::unexpected(std::move(error));
    }
    if (got == 0) break;
    out.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return out;
}

Result<> write_file(const std::string& path, std::string_view content, unsigned mode) {
  const std::string partial = path + ".partial";
  const int fd = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return std::unexpected(io_error("write", partial));
  bool good = ::fchmod(fd, mode) == 0;
  while (good && !content.empty()) {
    const ssize_t put = ::write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    good = put > 0;
    if (good) content.remove_prefix(static_cast<std::size_t>(put));
  }
  if (!good) {
    Error error = io_error("write", partial);
    ::close(fd);
    ::unlink(partial.c_str());
    return std::unexpected(std::move(error));
  }
  ::close(fd);
  if (::rename(partial.c_str(), path.c_str()) != 0) return std::unexpected(io_error("write", path));
  return {};
}

Result<DataDir> DataDir::open(std::string path) {
  std::error_code error;
  std::filesystem::create_directories(path + "/pki", error);
  if (error) return fail(Code::kIo, "cannot make the data folder {}: {}", path, error.message());
  if (::chmod(path.c_str(), 0700) != 0) return std::unexpected(io_error("set the mode of", path));
  return DataDir(std::move(path));
}

std::string DataDir::file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

Result<Identity> DataDir::identity(const std::vector<std::string>& hosts,
                                   const Clock& clock) const {
  const Folder folder(file("pki"));
  Identity out;
  STRAKE_TRY(out.ca, authority(folder, clock));
  out.ca_pem = out.ca.certificate_pem;
  STRAKE_TRY(out.serving,
             folder.keep_or_issue("apiserver", out.ca, serving_spec(hosts, clock), clock,
                                  [&](const auto& info) { return names_all(info, hosts); }));
  STRAKE_TRY(out.admin, folder.keep_or_issue("admin", out.ca, admin_spec(clock), clock,
                                             [](const auto&) { return true; }));
  Result<std::string> key = read_file(file("pki/sa.key"));
  if (key) {
    out.service_account_key = Secret(*std::move(key));
  } else if (key.error().code() == Code::kNotFound) {
    STRAKE_TRY(const http::SigningKey made, http::SigningKey::make());
    out.service_account_key = made.key_pem();
    STRAKE_CHECK(write_file(file("pki/sa.key"), out.service_account_key.reveal(), 0600));
    STRAKE_CHECK(write_file(file("pki/sa.pub"), made.public_pem(), 0644));
  } else {
    return std::unexpected(key.error());
  }
  return out;
}

Result<std::string> DataDir::write_kubeconfig(const Identity& identity,
                                              std::string_view server_url) const {
  const std::string path = file("admin.kubeconfig");
  STRAKE_CHECK(write_file(path, kubeconfig_text(identity, server_url), 0600));
  return path;
}

Result<std::vector<store::sqlite::AttachedFile>> read_keys(const std::string& data_dir) {
  std::vector<store::sqlite::AttachedFile> out;
  for (const KeyFile& file : kKeyFiles) {
    Result<std::string> content = read_file(fmt::format("{}/{}", data_dir, file.name));
    if (content) {
      out.push_back({.name = std::string(file.name), .content = Secret(*std::move(content))});
    } else if (content.error().code() != Code::kNotFound) {
      return std::unexpected(content.error());
    }
  }
  return out;
}

Result<> write_keys(const std::string& data_dir,
                    const std::vector<store::sqlite::AttachedFile>& files, bool overwrite) {
  if (files.empty()) return {};
  const auto mode_of = [](std::string_view name) -> std::optional<unsigned> {
    for (const KeyFile& file : kKeyFiles) {
      if (file.name == name) return file.mode;
    }
    return std::nullopt;
  };
  for (const auto& file : files) {
    if (!mode_of(file.name))
      return fail(Code::kInvalid, "the backup holds a file {} that no server has",
                  quote(file.name));
    if (!overwrite && ::access(fmt::format("{}/{}", data_dir, file.name).c_str(), F_OK) == 0)
      return fail(Code::kAlreadyExists, "{}/{} is there already", data_dir, file.name);
  }
  STRAKE_CHECK(DataDir::open(data_dir));
  for (const auto& file : files) {
    STRAKE_CHECK(write_file(fmt::format("{}/{}", data_dir, file.name), file.content.reveal(),
                            *mode_of(file.name)));
  }
  return {};
}

Result<Identity> make_identity(const std::vector<std::string>& hosts, const Clock& clock) {
  Identity out;
  STRAKE_TRY(out.ca, http::make_ca("strake-ca", validity(clock, kAuthorityLife)));
  out.ca_pem = out.ca.certificate_pem;
  STRAKE_TRY(out.serving, http::issue_certificate(out.ca, serving_spec(hosts, clock)));
  STRAKE_TRY(out.admin, http::issue_certificate(out.ca, admin_spec(clock)));
  STRAKE_TRY(const http::SigningKey key, http::SigningKey::make());
  out.service_account_key = key.key_pem();
  return out;
}

std::string kubeconfig_text(const Identity& identity, std::string_view server_url) {
  return fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: strake\nclusters:\n- name: strake\n  "
      "cluster:\n    server: {}\n    "
      "certificate-authority-data: {}\ncontexts:\n- name: strake\n  context:\n    cluster: "
      "strake\n    user: admin\n"
      "users:\n- name: admin\n  user:\n    client-certificate-data: {}\n    client-key-data: {}\n",
      server_url, base64_encode(identity.ca_pem), base64_encode(identity.admin.certificate_pem),
      base64_encode(identity.admin.key_pem.reveal()));
}

}  // namespace strake::server
