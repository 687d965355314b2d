#pragma once
// What a webhook knows: the schemas and policies of its files, as they stood when it was made, and
// what they say of an AdmissionRequest. That is what `strake validate` would say of the object.
// Immutable: any number of threads may ask.
#include <memory>
#include <string>
#include <vector>

#include "cli/io/disk_files.h"
#include "cli/validate/validate_options.h"
#include "cli/validate/validate_run.h"
#include "meta/status.h"
#include "value/value.h"

namespace strake::cli {

class WebhookJudge {
 public:
  // Fails, naming the file, when a schema or a policy cannot be read, or when a server would refuse
  // it.
  static Result<std::shared_ptr<const WebhookJudge>> load(const ValidateOptions& options,
                                                          const DiskFiles& files, Io& io);

  struct Verdict {
    std::optional<meta::Status> refused;  // nothing when the request is allowed
    std::vector<std::string> warnings;
  };
  Verdict judge(const value::Value& request) const;

  // Every kind and version that there is a schema for.
  const std::vector<meta::GroupVersionKind>& kinds() const { return kinds_; }
  const validate::Catalog& catalog() const { return run_.catalog(); }
  // Null without policies.
  const OfflinePolicies* policies() const { return run_.policies(); }
  // What it was made from.
  std::vector<std::string> files() const { return run_.all_files(); }

  WebhookJudge(const ValidateOptions& options, const DiskFiles& files, Io& io)
      : options_(options), run_(options_, files, io) {}

 private:
  Result<> load();

  const ValidateOptions options_;
  ValidateRun run_;
  std::vector<meta::GroupVersionKind> kinds_;
};

}  // namespace strake::cli
