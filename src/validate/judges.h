#pragma once
// The judges for custom resources and for their definitions: both reproduce what the API server
// answers to a create, or to an update when there is an old object.
#include <cstdint>
#include <memory>
#include <string>

#include "crd/rule_compiler.h"
#include "meta/gvk.h"
#include "resource/kind.h"
#include "resource/rule_runner.h"
#include "validate/judge.h"

namespace strake::validate {

enum class UnknownFields : std::uint8_t {
  kWarn,      // dropped with a warning, as the server does by default
  kPrune,     // dropped without a word
  kStrict,    // errors
  kPreserve,  // kept
};

struct JudgeOptions {
  UnknownFields unknown = UnknownFields::kWarn;
  // CRDs that objects are checked with are taken as they are: the check of a large one takes longer
  // than reading it.
  bool trust_definitions = false;
  // Null leaves the rules of x-kubernetes-validations unread. Both are called from many threads.
  const resource::RuleRunner* rules = nullptr;
  crd::RuleCompiler* rule_compiler = nullptr;
};

// `deprecation` is the warning that the version carries; empty when it has none.
std::unique_ptr<const Judge> judge_custom_resource(resource::Kind kind, std::string deprecation,
                                                   const JudgeOptions& options);
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
                                          const JudgeOptions& options);

// Every object has this one fault: its schema cannot be used.
std::unique_ptr<const Judge> judge_without_schema(std::string why);

}  // namespace strake::validate
