#pragma once
// A kubeconfig as it is written: clusters, users and contexts by name. Paths in it are made whole
// by the folder of the file they stand in; what they lead to is read when it is needed (access.h).
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace strake::kube {

// A part that may be given in the file itself or as the path of another one. The text wins.
struct TextOrFile {
  Secret text;  // decoded
  std::string file;
  bool empty() const { return text.empty() && file.empty(); }
};

struct Cluster {
  std::string server;  // a URL
  std::string tls_server_name;
  TextOrFile authority;
  bool insecure = false;
  std::string proxy_url;
  std::string exec_config;  // JSON, for the plugin; empty when there is none
};

struct ExecPlugin {
  enum class Interactive : std::uint8_t { kNever, kIfAvailable, kAlways };

  std::string command;  // a name for PATH, or a whole path
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // "NAME=value"
  std::string api_version;
  std::string install_hint;
  bool provide_cluster_info = false;
  Interactive interactive = Interactive::kIfAvailable;
};

struct Impersonation {
  std::string user;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

struct User {
  TextOrFile certificate;
  TextOrFile key;
  TextOrFile token;  // here the file wins: it is kept fresh
  std::string name;
  Secret password;
  std::optional<ExecPlugin> exec;
  std::string auth_provider;  // a way in that no client has any more
  Impersonation as;
};

struct Context {
  std::string cluster;
  std::string user;
  std::string namespace_name;  // the namespace
};

struct Kubeconfig {
  std::string current_context;
  std::map<std::string, Cluster, std::less<>> clusters;
  std::map<std::string, User, std::less<>> users;
  std::map<std::string, Context, std::less<>> contexts;

  // YAML or JSON. Unknown fields are passed over, as other clients do. `file` is for messages and,
  // by its folder, for relative paths. Fails with kParse, or kInvalid with path and position.
  static Result<Kubeconfig> read(std::string_view text, const std::string& file);

  // Takes in what this one does not have. An entry that both have stays as it is, wholly.
  void merge(Kubeconfig other);
};

}  // namespace strake::kube
