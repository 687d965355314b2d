#pragma once
// The work behind import_schema: documents are indexed (who is where, under which URI), then
// schemas are compiled one after the other from a list, so that neither deep nor recursive
// documents use native stack.
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/loose/import.h"

namespace strake::schema::loose {

// Which families of keywords count, by the metaschema's $vocabulary.
struct Vocabulary {
  bool applicator = true;
  bool validation = true;
  bool unevaluated = true;
  bool format_assertion = false;
};

// Where a schema stands.
struct Place {
  const value::Value* schema = nullptr;
  std::string prefix;  // the document's URI with '#', empty for the root document
  std::string pointer;
  SchemaResource* resource = nullptr;
  Dialect dialect = Dialect::kDraft2020;
  Vocabulary vocabulary;
};

class Importer {
 public:
  explicit Importer(const ImportOptions& options)
      : options_(options), schema_(std::make_shared<Schema>()) {}
  Result<Imported> run(const value::Value& document);

 private:
  // importer.cc: documents and references.
  Result<> add_root(const value::Value& document);
  Result<const value::Value*> load(std::string_view uri, const Place& from);
  Result<> index(Place start);
  Result<> index_identity(Place& place);
  Result<Vocabulary> read_vocabulary(std::string_view metaschema, const Place& place);
  Result<const value::Value*> resolve(const Place& from, std::string_view keyword,
                                      std::string_view reference);
  Result<const value::Value*> follow_pointer(const value::Value& resource_root,
                                             std::string_view pointer, const Place& from,
                                             std::string_view reference);
  Result<LooseNode*> node_for(const value::Value& schema);
  Result<> compile_pending();
  Result<> pick_root(const value::Value& document);
  Result<> pick_components(const value::Value& document);
  const Place& place_of(const value::Value& schema) const { return places_.at(&schema); }

  // import_keywords.cc and import_applicators.cc: one schema.
  Result<> compile(LooseNode& node, const Place& place);
  Result<> read_types(LooseNode& node, const Place& place);
  Result<> read_values(LooseNode& node, const Place& place);
  Result<> read_bounds(LooseNode& node, const Place& place);
  Result<> read_text(LooseNode& node, const Place& place);
  Result<> read_array(LooseNode& node, const Place& place);
  Result<> read_object(LooseNode& node, const Place& place);
  Result<> read_in_place(LooseNode& node, const Place& place);
  Result<> read_reference(LooseNode& node, const Place& place);
  Result<> read_discriminator(LooseNode& node, const Place& place);
  Result<> read_count(const Place& place, std::string_view keyword,
                      std::optional<std::uint64_t>& out);
  Result<PatternPtr> read_pattern(const Place& place, std::string_view keyword,
                                  std::string_view text);
  void report_ignored(const Place& place);

  // import_check.cc: the finished graph.
  Result<> check_loops();
  void check_branches();
  void check_defaults();

  void note(const Place& place, std::string_view keyword, std::string message);
  std::unexpected<Error> wrong(const Place& place, std::string_view keyword,
                               std::string_view message) const;

  const ImportOptions& options_;
  std::shared_ptr<Schema> schema_;
  std::vector<Diagnostic> diagnostics_;
  std::unordered_map<const value::Value*, Place> places_;
  std::unordered_map<const value::Value*, LooseNode*> nodes_;
  std::unordered_map<const LooseNode*, const Place*> node_places_;
  std::vector<std::pair<LooseNode*, const value::Value*>> pending_;
  std::map<std::string, const value::Value*, std::less<>> resources_;  // by URI
  std::map<std::pair<std::string, std::string>, const value::Value*>
      anchors_;  // by resource URI and name
  std::vector<std::pair<const value::Value*, std::string>> dynamic_anchors_;
};

inline const value::Value* keyword_of(const Place& place, std::string_view name) {
  return place.schema->find(name);
}
inline bool is_true(const value::Value* v) { return v != nullptr && v->is_bool() && v->as_bool(); }
inline bool is_openapi(Dialect dialect) { return dialect >= Dialect::kOpenApi30; }
// Where a $ref lets nothing stand beside it.
inline bool reference_stands_alone(Dialect dialect) {
  return dialect <= Dialect::kDraft7 || dialect == Dialect::kOpenApi30 ||
         dialect == Dialect::kSwagger2;
}

// Escapes a key for a JSON pointer and appends it with its slash.
std::string pointer_step(std::string_view pointer, std::string_view key);
std::string pointer_step(std::string_view pointer, std::size_t index);

}  // namespace strake::schema::loose
