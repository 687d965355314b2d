#pragma once
// The fields `configMapGenerator` and `secretGenerator`, and the small generator of service
// accounts that is a built-in plugin.
#include <string>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/loader.h"
#include "kustomize/transform/build_context.h"

namespace strake::kustomize {

// Fail with kustomize's words; contents of files and literals are never part of them.
Result<Resource*> generate_config_map(const GeneratorArgs& args, const Loader& loader,
                                      BuildContext& context);
Result<Resource*> generate_secret(const GeneratorArgs& args, const Loader& loader,
                                  BuildContext& context);

struct IamPolicyArgs {
  std::string cloud;
  std::string service_space;
  std::string service_name;
  std::string account_name;
  std::string project;
};
Result<Resource*> generate_iam_policy(const IamPolicyArgs& args, BuildContext& context);

}  // namespace strake::kustomize
