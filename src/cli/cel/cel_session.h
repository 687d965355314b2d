#pragma once
// What `strake cel` works on: the documents that self and oldSelf stand for, a schema that types
// them, and the place in both that is looked at. Expressions compile and run as rules of a CRD do.
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "base/result.h"
#include "cel/cost/cost_range.h"
#include "cel/env/env.h"
#include "cel/eval/program.h"
#include "cel/syntax/ast.h"
#include "cli/io/io.h"
#include "crd/crd.h"
#include "resource/validate.h"
#include "rules/shapes.h"
#include "schema/node.h"
#include "value/document.h"

namespace strake::cli {

// An expression that compiled. Lives no longer than the session's documents and schema stay as they
// are.
struct CelExpression {
  std::unique_ptr<Arena> types = std::make_unique<Arena>();  // of the variables
  cel::Ast ast;
  cel::Program program;
  cel::Program observable;  // the same with every node reporting its value; costs a little more
  cel::CostRange estimate;  // of one evaluation
  std::uint64_t occurrences = 1;  // of the place in one object, at most
  std::vector<cel::Value> variables;
  std::string missing;  // a variable that it uses and that has no value; or empty

  const cel::Type& type() const { return *ast.root->type; }
  // What counts against the limit of an expression.
  std::uint64_t total_cost() const { return cel::saturating_multiply(estimate.max, occurrences); }
};

// The compiler's words when the expression was refused.
using CelCompiled = std::expected<CelExpression, std::string>;

struct CelOutcome {
  cel::Value value;
  std::uint64_t cost = 0;
};

class CelSession {
 public:
  explicit CelSession(Io& io) : io_(io) {}

  // Each takes effect only when it succeeds. "-" is standard input.
  Result<> load_self(const std::string& file);
  // The same for a file with any number of documents; the first is in use until use_self().
  Result<> load_selves(const std::string& file);
  Result<> load_old(const std::string& file);
  // A CRD, or what one has as openAPIV3Schema. Without a version that of self is taken, else the
  // stored one.
  Result<> load_schema(const std::string& file, std::string_view version);
  Result<> choose(std::string_view path);

  std::size_t count_selves() const { return selves_.size(); }
  // The document as people name it: Kind/name, or by its place in the file.
  std::string self_label(std::size_t index) const;
  void use_self(std::size_t index);

  // Faults that are not the expression's are errors: a path that leads nowhere, data that
  // expressions cannot see.
  Result<CelCompiled> compile(std::string_view text);
  // Within the limit that the API server sets on one rule. The arena must outlive the result.
  CelOutcome evaluate(const CelExpression& expression, Arena& arena) const;

  // Everything the server finds in self, written over oldSelf if there is one.
  Result<resource::Verdict> judge();

 private:
  struct Place {
    const value::Value* self = nullptr;  // null when there is none
    const value::Value* old = nullptr;
    const rules::SchemaShape* shape = nullptr;  // null without a schema
    std::uint64_t occurrences = 1;
  };

  Result<std::vector<value::Document>> read_all(const std::string& file) const;
  Result<value::Document> read_one(const std::string& file) const;
  // Settles the documents against the schema; again after anything was loaded.
  Result<> prepare();
  Result<resource::Kind> kind() const;
  Result<Place> find_place();

  Io& io_;
  std::vector<value::Document> selves_;
  std::optional<value::Document> self_;  // the one of selves_ in use
  std::optional<value::Document> old_;
  std::optional<crd::Crd> crd_;
  schema::NodePtr bare_;  // a schema without a CRD
  std::string version_;
  FieldPath path_;

  bool ready_ = false;
  schema::NodePtr schema_;  // of the version in use
  std::optional<value::Document> settled_self_;
  std::optional<value::Document> settled_old_;
  std::unique_ptr<rules::Shapes> shapes_;
  Arena arena_;  // for values of the variables
};

}  // namespace strake::cli
