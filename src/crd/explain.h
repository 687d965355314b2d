#pragma once
// The documentation of a kind or of one of its fields, laid out as `kubectl explain` (1.32) prints
// it.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crd/crd.h"
#include "meta/gvk.h"
#include "value/value.h"

namespace strake::crd {

struct ExplainOptions {
  bool recursive = false;  // all fields below, without their descriptions
};

// Appends to `out`. `path` leads through properties; lists and maps are passed without a step.
// Fails with kNotFound, `field "x" does not exist`, with the heading already in `out`.
Result<> explain(const Crd& crd, const Version& version, std::span<const std::string> path,
                 const ExplainOptions& options, std::string& out);

// The same for a schema of an OpenAPI document, v2 or v3. `schemas` are all that the document has,
// by name: references lead there. A schema of no kind has a kind of its own name, and neither group
// nor version.
struct OpenApiKind {
  meta::GroupVersionKind gvk;
  const value::Value* schema = nullptr;
  const value::Value* schemas = nullptr;
};
Result<> explain(const OpenApiKind& kind, std::span<const std::string> path,
                 const ExplainOptions& options, std::string& out);
// Those of a document: first the schemas that name their kinds, then the others. Views into it.
std::vector<OpenApiKind> openapi_kinds(const value::Value& document);
// Whether the first of two versions is the more stable or newer one.
bool is_preferred(std::string_view version, std::string_view other);

// The version that the API prefers: the most stable and newest of those that are served. Null when
// none is.
const Version* preferred_version(const Crd& crd);

}  // namespace strake::crd
