#pragma once
// The folder in which a server keeps what is its own: keys and certificates, the store's file, the
// administrator's kubeconfig. What is there is used again; what is missing or has run out is made.
#include <string>
#include <string_view>
#include <vector>

#include "base/private_folder.h"
#include "base/result.h"
#include "base/time.h"
#include "http/pki.h"
#include "store/sqlite/maintenance.h"

namespace strake::server {

struct Identity {
  std::string ca_pem;
  http::CertifiedKey ca;
  http::CertifiedKey serving;
  http::CertifiedKey admin;
  http::CertifiedKey front_proxy_ca;       // of those who vouch for users in headers
  http::CertifiedKey front_proxy_client;   // of this server, when it is one of them
  Secret service_account_key;              // signs tokens
  std::string service_account_public_pem;  // sa.pub: keys that verify them; may be empty
};

// The common name of front_proxy_client.
inline constexpr std::string_view kFrontProxyName = "front-proxy-client";

class DataDir {
 public:
  // See PrivateFolder::open.
  static Result<DataDir> open(const std::string& path);

  const std::string& path() const { return folder_.path(); }
  std::string file(std::string_view name) const { return folder_.file(name); }  // a path inside

  // The serving certificate is made anew when it does not name all of the hosts. One that was made
  // and could not be written, as on a full disk, is used all the same, and the log says so.
  Result<Identity> identity(const std::vector<std::string>& hosts, const Clock& clock) const;
  // What a server of pods shows to kubelets: pki/apiserver-kubelet-client.crt and its key.
  Result<http::CertifiedKey> kubelet_client(const Identity& identity, const Clock& clock) const;
  // admin.kubeconfig, mode 0600, for a server at that URL. One that is right already is left alone.
  Result<std::string> write_kubeconfig(const Identity& identity, std::string_view server_url) const;
  // pki/ca.key and so on.
  Result<> write_key(std::string_view name, const Secret& content, unsigned mode) const;

 private:
  DataDir(PrivateFolder folder, PrivateFolder pki)
      : folder_(std::move(folder)), pki_(std::move(pki)) {}
  PrivateFolder folder_;
  PrivateFolder pki_;
};

// Without a folder: everything lives in memory and is gone with the process.
Result<Identity> make_identity(const std::vector<std::string>& hosts, const Clock& clock);
// The same in two parts, which two threads may make: what proxies need, and all the rest.
Result<> make_front_proxy_keys(Identity& to, const Clock& clock);
Result<> make_own_keys(Identity& to, const std::vector<std::string>& hosts, const Clock& clock);

Result<http::CertifiedKey> make_kubelet_client(const Identity& identity, const Clock& clock);

std::string kubeconfig_text(const Identity& identity, std::string_view server_url);

// The files of pki/ in that folder, named "pki/ca.key" and so on; those that are missing are left
// out.
Result<std::vector<store::sqlite::AttachedFile>> read_keys(const std::string& data_dir);
// Puts them back. Fails with kInvalid, before anything is written, when one has another name, and
// with kAlreadyExists when there are keys already that may not be overwritten.
Result<> write_keys(const std::string& data_dir,
                    const std::vector<store::sqlite::AttachedFile>& files, bool overwrite);

}  // namespace strake::server
