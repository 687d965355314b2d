#pragma once
// How a cluster is reached, and as whom: one context of the kubeconfig, with everything that it
// points to read. Or, inside of a pod that has no kubeconfig, the cluster the pod runs in.
#include <optional>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "kube/kubeconfig.h"

namespace strake::kube {

struct Credentials {
  std::string certificate_pem;
  Secret key_pem;
  Secret token;
  std::string user_name;  // with a password
  Secret password;
  std::optional<WallTime> expires;  // when the plugin that made them says so
};

struct Access {
  std::string context;  // for messages; "the cluster of this pod" when there is none
  std::string server;   // without a slash at the end
  std::string tls_server_name;
  std::string ca_pem;  // empty: the system's authorities
  bool insecure = false;
  std::string proxy_url;
  std::string namespace_name;  // the namespace to work in; never empty
  Credentials credentials;
  std::string token_file;  // read for each request, since it is kept fresh; wins over the token
  std::optional<ExecPlugin> exec;  // makes credentials
  std::string exec_config;
  Impersonation as;
};

// What the process was given; empty for what it was not.
struct Environment {
  std::string kubeconfig;  // KUBECONFIG: files divided by colons
  std::string home;
  std::string service_host;  // KUBERNETES_SERVICE_HOST and _PORT
  std::string service_port;
  std::string service_account = "/var/run/secrets/kubernetes.io/serviceaccount";
};

struct AccessOptions {
  std::string kubeconfig;  // this file alone
  std::string context;     // instead of the current one
  Environment environment;
};

// Files that KUBECONFIG names and that are not there are passed over, as other clients do; one that
// the options name must be there. Fails with kIo, kParse, kInvalid or kUnsupported, saying what
// there is to choose from. No message holds a secret.
Result<Access> find_access(const AccessOptions& options);

struct KubeconfigUse {
  std::string context = {};   // instead of the current one
  bool allow_plugins = true;  // programs that make credentials; otherwise they are refused
};

// Of a kubeconfig that is in memory, and stays there. Fails as find_access, with kInvalid for one
// that is empty, and with kUnsupported for a plugin that is not allowed.
Result<Access> access_of_kubeconfig(const Secret& kubeconfig, const KubeconfigUse& use = {});

}  // namespace strake::kube
