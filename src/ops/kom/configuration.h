#pragma once
// All that a run is given: documents from the sources that the request names, or the single file of
// old. All or nothing: one fault anywhere, and nothing is taken.
#include <optional>
#include <string>
#include <vector>

#include "ops/kom/documents.h"
#include "ops/kom/environment.h"
#include "ops/kom/legacy.h"
#include "ops/kom/sources.h"
#include "ops/kom/store.h"

namespace strake::ops {

struct Configuration {
  Store store;
  // What is meant when nothing is said. IDs; empty where there is none.
  std::string default_app_id;
  std::string default_cluster_id;
  // Where it comes from: documents, parents first, or a single file.
  std::vector<KomDocument> documents;  // without Defaults; their models are in the store
  std::optional<LegacyFile> legacy;    // its models are in the store as well

  bool from_documents() const { return !documents.empty(); }
};

inline constexpr std::string_view kAppFile = "kompoxapp.yml";
inline constexpr std::string_view kLegacyFile = "kompoxops.yml";

// Fails with the class of the first fault; the message has a line for each.
provider::Outcome<Configuration> load_configuration(const KomFiles& files,
                                                    const RunRequest& request,
                                                    const RunEnvironment& environment,
                                                    const KomLimits& limits = {});

// `cluster_id` and `cluster_name` as flags gave them, both may be empty: then the default. Fails
// with kInvalid when there is none, else as Store::find_cluster.
provider::Outcome<const provider::Cluster*> choose_cluster(const Configuration& from,
                                                           std::string_view cluster_id,
                                                           std::string_view cluster_name);
provider::Outcome<const provider::App*> choose_app(const Configuration& from,
                                                   std::string_view app_id,
                                                   std::string_view app_name);

}  // namespace strake::ops
