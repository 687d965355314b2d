#pragma once
// From JSON Schema, OpenAPI and Swagger documents to the compiled form of the loose profile.
//
//   STRAKE_TRY(loose::Imported imported, loose::import_schema(document.root()));
//   loose::Report report = loose::evaluate(value, *imported.schema->root());
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/loose/schema.h"
#include "value/document.h"

namespace strake::schema::loose {

// Finds documents that a schema refers to. Without one nothing outside the document can be reached.
class Resolver {
 public:
  virtual ~Resolver() = default;
  // The document at an absolute URI without fragment; kNotFound when there is none.
  virtual Result<value::Document> load(std::string_view uri) = 0;
};

struct ImportOptions {
  std::string base_uri;            // where the document came from; relative references start here
  Resolver* resolver = nullptr;    // not owned
  std::optional<Dialect> dialect;  // overrides what the document says of itself
  std::string root;        // a component's name or "#/pointer"; empty for the whole document
  std::string version;     // of a CRD; empty for its storage version
  bool rules_run = false;  // by the caller; else each x-kubernetes-validations is a diagnostic
  std::size_t max_nodes = 1'000'000;  // schemas, over all documents
  std::size_t max_depth = 1000;       // of keywords that apply to the same value, one in the other
  std::size_t max_documents = 1000;
};

// What was not taken exactly as written.
struct Diagnostic {
  std::string schema_path;
  std::string keyword;
  std::string message;
};

struct Imported {
  SchemaPtr schema;
  std::vector<Diagnostic> diagnostics;  // sorted by path
};

// Fails with kInvalid, at the place, for a keyword of the wrong shape, a reference to nothing, and
// references that lead back to where they started without looking at a part of the value; with
// kLimit past a limit.
Result<Imported> import_schema(const value::Value& document, const ImportOptions& options = {});

// What the document says it is: by `openapi`, `swagger` and `$schema`, else by its keywords.
Dialect detect_dialect(const value::Value& document);

// A metaschema of JSON Schema 2020-12 by its URI; null for any other.
const char* builtin_metaschema(std::string_view uri);

}  // namespace strake::schema::loose
