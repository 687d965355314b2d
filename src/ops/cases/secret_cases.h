#pragma once
// Secrets set by hand in the namespace of an app: environments of Compose services, laid over what
// their env_file entries say, and credentials for image registries. After a change the hash on the
// component's pod template is set, so pods start anew. Contents are never told.
#include <map>
#include <string>

#include "base/secret.h"
#include "ops/cases/session.h"

namespace strake::ops {

struct EnvSecretOf {
  std::string component{provider::kAppComponent};
  std::string service;  // of the Compose document; for a box that stands alone its name
};

// `<app>-<component>-<service>-override` has these variables and no others. The namespace is made
// when the app is not deployed yet. `name` is that of the file, which tells the form (.env, .yml,
// .yaml, .json). Fails with kValidation for text that is none, or too long.
provider::Outcome<> set_env_secret(const Session& session, const provider::Call& call,
                                   const provider::App& app, const EnvSecretOf& of,
                                   const std::string& name, const Secret& text);
// Success when it is not there.
provider::Outcome<> delete_env_secret(const Session& session, const provider::Call& call,
                                      const provider::App& app, const EnvSecretOf& of);

// `<app>-<component>--pull` has this .dockerconfigjson, and the Deployment, when there is one, uses
// it to pull images. Fails with kValidation when it is no JSON object with "auths".
provider::Outcome<> set_pull_secret(const Session& session, const provider::Call& call,
                                    const provider::App& app, const std::string& component,
                                    const Secret& docker_config);
provider::Outcome<> delete_pull_secret(const Session& session, const provider::Call& call,
                                       const provider::App& app, const std::string& component);

}  // namespace strake::ops
