#pragma once
// The schemas of a check, under either profile: CRDs and OpenAPI documents by the kinds they
// describe, and at most one schema of no kind, which judges every document that no other does.
// Adding belongs to one thread; then any number of threads may ask.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/loose/import.h"
#include "validate/catalog.h"
#include "validate/judges.h"

namespace strake::validate {

class SchemaSet {
 public:
  // `root` names the schema that is meant in documents with several: a component's name or a
  // pointer (#/$defs/x). For the loose profile.
  explicit SchemaSet(const JudgeOptions& options, std::string root = {});

  // Everything in the text that is a schema; returns how many there were. Fails with kParse or
  // kLimit when the text cannot be read, with kInvalid when a schema cannot be used, and with
  // kUsage for a second schema of no kind.
  Result<std::size_t> add(const std::string& file, std::shared_ptr<const std::string> text);
  // The same with what a scan of the text has found. A scan changes nothing, and any number of
  // threads may scan before one adds.
  std::vector<ScannedPart> scan(std::string_view text) const;
  Result<std::size_t> add(const std::string& file, std::shared_ptr<const std::string> text,
                          std::span<const ScannedPart> parts);
  // Only the schemas of kinds. For texts that are inputs, too: any object may look like a schema.
  Result<std::size_t> add_kinds(const std::string& file, std::shared_ptr<const std::string> text,
                                Trust trust = Trust::kAsOptionsSay);
  // The same with what was parsed, as a catalog reads it.
  Result<std::size_t> add_kinds(const std::shared_ptr<const ParsedFile>& parsed, Trust trust);

  const Catalog& catalog() const { return catalog_; }
  // Null when there is none.
  const Judge* any() const { return any_.get(); }

  // What was not taken exactly as it is written; without a keyword, what was not taken at all.
  struct Diagnostic {
    std::string file;
    schema::loose::Diagnostic about;
  };
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  // What the last text had instead of schemas, for a message when nothing was found in it; may be
  // empty.
  const std::string& passed_over() const { return passed_over_; }

 private:
  Result<std::size_t> add_documents(const std::string& file, std::string_view text,
                                    bool kinds_only);
  Result<std::size_t> add_loose_kinds(const std::string& file, const value::Value& root);
  Result<std::size_t> add_loose_definition(const std::string& file, const value::Value& crd);
  Result<> add_bare(const std::string& file, const value::Value& schema, const std::string& root);
  Result<std::size_t> add_only_component(const std::string& file, const value::Value& description);
  void note_passed_over(const value::Value& root);
  void add_shadowed();
  schema::NodePtr rules_of(const value::Value* schema) const;

  JudgeOptions options_;
  std::string root_;
  Catalog catalog_;
  std::shared_ptr<const Judge> any_;
  std::string any_file_;
  std::vector<Diagnostic> diagnostics_;
  std::string passed_over_;
};

}  // namespace strake::validate
