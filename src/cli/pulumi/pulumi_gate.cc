#include "cli/pulumi/pulumi_gate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "cel/compile.h"
#include "cel/lib/k8s_environment.h"
#include "cel/lib/k8s_format.h"
#include "crd/check.h"
#include "crd/schema_view.h"
#include "rules/crd_rules.h"

namespace strake::cli {
namespace {

using value::FieldError;
using value::Value;

// Only the names matter to a compiler.
std::vector<std::string> never_asked(std::string_view) { return {}; }
constexpr cel::NamedFormat kGateFormats[] = {
    {"dns1123Label", "DNS1123Label", 30, never_asked},
    {"dns1123Subdomain", "DNS1123Subdomain", 60, never_asked},
    {"dns1035Label", "DNS1035Label", 30, never_asked},
    {"qualifiedName", "QualifiedName", 60, never_asked},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30, never_asked},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, never_asked},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30, never_asked},
    {"labelValue", "LabelValue", 40, never_asked},
    {"uri", "URI", 1103, never_asked},
    {"uuid", "uuid", 87, never_asked},
    {"byte", "byte", 84, never_asked},
    {"date", "date", 86, never_asked},
    {"datetime", "datetime", 86, never_asked},
};

std::vector<std::string_view> expressions_of(const crd::Crd& crd) {
  std::vector<std::string_view> out;
  for (const crd::Version& version : crd.versions()) {
    if (version.schema() == nullptr) continue;
    crd::SchemaView(*version.schema()).any([&](const crd::SchemaView& schema) {
      for (const Value& rule : schema.list("x-kubernetes-validations")) {
        for (const std::string_view key : {"rule", "messageExpression"}) {
          const Value* text = rule.find(key);
          if (text != nullptr && text->is_string() && text->size() > 0)
            out.push_back(text->as_string());
        }
      }
      return false;
    });
  }
  return out;
}

// Types are checked where the schema is known; here only what is there to be called counts.
std::optional<std::string> expression_fault(std::string_view text,
                                            const cel::Environment& environment) {
  const cel::Variable variables[] = {{"self", &cel::types::dyn}, {"oldSelf", &cel::types::dyn}};
  const auto compiled = cel::compile(text, {.environment = &environment, .variables = variables});
  if (compiled) return std::nullopt;
  return compiled.error().to_string();
}

// What is no fault of the text: approvals are given, versions and generations counted, elsewhere.
bool is_left_to_others(const FieldError& error) {
  const std::string field = error.field();
  return field == "metadata.resourceVersion" || field == "metadata.generation" ||
         field.find("api-approved.kubernetes.io") != std::string::npos;
}

}  // namespace

Result<> check_definition(crd::Crd& crd, const crd::Crd* previous) {
  rules::CrdRules compiler;
  value::FieldErrors found;
  if (previous != nullptr) {
    crd.prepare_for_update(*previous);
    found = crd::check_update(crd, *previous, &compiler);
  } else {
    crd.prepare_for_create();
    found = crd::check_create(crd, &compiler);
  }
  value::FieldErrors errors;
  for (const FieldError& error : found) {
    if (!is_left_to_others(error)) errors.push_back(error);
  }
  errors.omit(found.omitted());
  if (errors.empty()) return {};
  return fail(Code::kUnsupported,
              "CustomResourceDefinition.apiextensions.k8s.io \"{}\" is invalid: {}", crd.name(),
              value::aggregate(errors));
}

Result<> check_gate(const crd::Crd& crd, std::span<const std::uint32_t> minors) {
  const auto texts = expressions_of(crd);
  if (texts.empty()) return {};
  for (const std::uint32_t minor : minors) {
    const auto libraries =
        cel::libraries_of(cel::KubernetesMinor{minor - 1}, cel::k8s_format_library<kGateFormats>());
    const cel::Environment environment(libraries, cel::kubernetes_options());
    for (const std::string_view text : texts) {
      if (const auto fault = expression_fault(text, environment)) {
        return fail(Code::kUnsupported, "Kubernetes 1.{} would refuse it: compilation failed: {}",
                    minor, *fault);
      }
    }
  }
  return {};
}

}  // namespace strake::cli
