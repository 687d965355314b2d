#pragma once
// The judges for custom resources and for their definitions: both reproduce what the API server
// answers to a create, or to an update when there is an old object.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "crd/rule_compiler.h"
#include "meta/gvk.h"
#include "resource/kind.h"
#include "resource/rule_runner.h"
#include "schema/loose/import.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "validate/default_mode.h"
#include "validate/judge.h"

namespace strake::validate {

enum class UnknownFields : std::uint8_t {
  kWarn,      // dropped with a warning, as the server does by default
  kPrune,     // dropped without a word
  kStrict,    // errors
  kPreserve,  // kept
};

enum class Profile : std::uint8_t {
  kStructural,  // CRDs as the API server takes them
  kLoose,       // any OpenAPI or JSON Schema document; what cannot be honoured is approximated
};

struct JudgeOptions {
  UnknownFields unknown = UnknownFields::kWarn;
  // CRDs that objects are checked with are taken as they are: the check of a large one takes longer
  // than reading it.
  bool trust_definitions = false;
  DefaultMode defaults = DefaultMode::kApply;
  // The minor version of Kubernetes whose own kinds are known; nothing leaves them unknown.
  std::optional<int> kubernetes_minor = std::nullopt;
  // For schemas that are no CRDs, and for CRDs too under the loose profile.
  Profile profile = Profile::kStructural;
  // Reads the files that schemas refer to; null keeps every schema to itself. Called from many
  // threads. Relative references start at the schema's own file, whose name may itself be relative
  // to the folder.
  schema::loose::Resolver* resolver = nullptr;
  std::string folder;
  // What OpenAPI documents say of kinds is imported when it is first needed, and only then is it
  // known what was not taken as written; or for all kinds at once, when they are added.
  bool import_at_once = false;
  schema::loose::Options loose = {.numbers = schema::loose::NumberMode::kK8s, .max_depth = 10'000};
  // Null leaves the rules of x-kubernetes-validations unread. Both are called from many threads.
  const resource::RuleRunner* rules = nullptr;
  crd::RuleCompiler* rule_compiler = nullptr;
};

// `deprecation` is the warning that the version carries; empty when it has none.
std::unique_ptr<const Judge> judge_custom_resource(resource::Kind kind, std::string deprecation,
                                                   const JudgeOptions& options);
// The same for an object that passes by. Null for kinds whose unknown fields are kept: those need
// the object whole.
std::unique_ptr<StreamJudge> stream_custom_resource(const resource::Kind& kind,
                                                    const std::string& deprecation,
                                                    const JudgeOptions& options,
                                                    const StreamLimits& limits);
// For apiextensions.k8s.io/v1 CustomResourceDefinition.
std::unique_ptr<const Judge> judge_definitions(const JudgeOptions& options);
// The kinds that an OpenAPI v3 or Swagger 2.0 document describes, by
// x-kubernetes-group-version-kind. Each component is read when the first object of its kind is met;
// one that cannot be used is then a fault of the object.
struct KindJudge {
  meta::GroupVersionKind gvk;
  std::shared_ptr<const Judge> judge;
};
std::vector<KindJudge> judges_of_open_api(std::shared_ptr<const value::Document> document,
                                          const std::string& file, const JudgeOptions& options);
// What is not taken as written in the document, over all of its schemas.
std::vector<schema::loose::Diagnostic> diagnostics_of_open_api(const value::Value& document,
                                                               const std::string& file,
                                                               const JudgeOptions& options);

// The options with which a loose schema from the file is imported.
schema::loose::ImportOptions import_options(const std::string& file, const JudgeOptions& options);

// Documents against one schema of the loose profile.
struct LooseSchema {
  schema::loose::SchemaPtr schema;
  const schema::loose::LooseNode* root = nullptr;  // of that schema
  bool resource =
      false;  // the documents are resources: their apiVersion, kind and metadata are known
  schema::NodePtr rules =
      nullptr;             // the same schema as a server reads it, for its rules; null without any
  bool of_server = false;  // it is a server's description of its own kinds
};
std::unique_ptr<const Judge> judge_loosely(LooseSchema schema, const JudgeOptions& options);

// Documents of any shape against one structural schema, which is no resource's.
std::unique_ptr<const Judge> judge_structurally(schema::NodePtr schema,
                                                const JudgeOptions& options);

std::unique_ptr<StreamJudge> stream_structurally(schema::NodePtr schema,
                                                 const JudgeOptions& options,
                                                 const StreamLimits& limits);

// Every object has this one fault: its schema cannot be used.
std::unique_ptr<const Judge> judge_without_schema(std::string why);

}  // namespace strake::validate
