#include "validate/schema_set.h"

#include <algorithm>
#include <array>
#include <optional>

#include "crd/check.h"
#include "crd/crd.h"
#include "schema/compile.h"
#include "validate/document_stream.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

namespace loose = schema::loose;
using value::Value;

bool is_definition(const Value& v) {
  return text_of(v, "kind") == "CustomResourceDefinition" &&
         text_of(v, "apiVersion").starts_with("apiextensions.k8s.io/");
}

bool is_description(const Value& v) {
  return v.find("openapi") != nullptr || v.find("swagger") != nullptr;
}

// A schema has no kind, and keywords that only schemas have.
bool is_bare_schema(const Value& v) {
  if (!v.is_object() || is_description(v)) return false;
  if (v.find("apiVersion") != nullptr && v.find("kind") != nullptr) return false;
  constexpr auto kKeywords =
      std::to_array<std::string_view>({"$anchor",
                                       "$defs",
                                       "$dynamicAnchor",
                                       "$dynamicRef",
                                       "$id",
                                       "$recursiveRef",
                                       "$ref",
                                       "$schema",
                                       "additionalItems",
                                       "additionalProperties",
                                       "allOf",
                                       "anyOf",
                                       "const",
                                       "contains",
                                       "definitions",
                                       "dependencies",
                                       "dependentRequired",
                                       "dependentSchemas",
                                       "enum",
                                       "exclusiveMaximum",
                                       "exclusiveMinimum",
                                       "format",
                                       "if",
                                       "items",
                                       "maxItems",
                                       "maxLength",
                                       "maxProperties",
                                       "maximum",
                                       "minItems",
                                       "minLength",
                                       "minProperties",
                                       "minimum",
                                       "multipleOf",
                                       "not",
                                       "oneOf",
                                       "openAPIV3Schema",
                                       "pattern",
                                       "patternProperties",
                                       "prefixItems",
                                       "properties",
                                       "propertyNames",
                                       "required",
                                       "type",
                                       "unevaluatedItems",
                                       "unevaluatedProperties",
                                       "uniqueItems",
                                       "x-kubernetes-embedded-resource",
                                       "x-kubernetes-int-or-string",
                                       "x-kubernetes-list-type",
                                       "x-kubernetes-preserve-unknown-fields",
                                       "x-kubernetes-validations"});
  return std::ranges::any_of(kKeywords,
                             [&](std::string_view keyword) { return v.find(keyword) != nullptr; });
}

// A schema without keywords: it takes anything, or nothing.
bool is_empty_schema(const Value& v) { return v.is_bool() || (v.is_object() && v.size() == 0); }

value::ReadOptions read_options(const std::string& file) {
  value::ReadOptions out;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  out.text = value::TextPolicy::kReplace;
  out.source_name = file;
  return out;
}

// The schema of a version of a CRD, or the one that v1beta1 has for all of them; null without any.
const Value* schema_of(const Value& spec, std::string_view version) {
  const Value* holder = spec.find("validation");
  if (const Value* versions = spec.find("versions"); versions != nullptr && versions->is_array()) {
    for (const Value& one : versions->items()) {
      if (text_of(one, "name") == version && one.find("schema") != nullptr)
        holder = one.find("schema");
    }
  }
  return holder != nullptr ? holder->find("openAPIV3Schema") : nullptr;
}

// Whether the server would take the schema: asked of a CRD that has it for a field.
Result<> check_structural(const Value& schema, crd::RuleCompiler* compiler) {
  constexpr std::string_view kShell = R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","metadata":{"name":"shells.example.com"},
    "spec":{"group":"example.com","scope":"Cluster",
      "names":{"kind":"Shell","listKind":"ShellList","plural":"shells","singular":"shell"},
      "versions":[{"name":"v1","served":true,"storage":true,
        "schema":{"openAPIV3Schema":{"type":"object","properties":{}}}}]}})";
  STRAKE_TRY(value::Document shell, value::read_json(kShell));
  const FieldPath at = FieldPath() / "spec" / "versions" / std::size_t{0} / "schema" /
                       "openAPIV3Schema" / "properties" / "it";
  STRAKE_CHECK(shell.set(at, value::deep_copy(schema, shell.arena())));
  STRAKE_TRY(crd::Crd crd, crd::Crd::read(std::move(shell)));
  crd.prepare_for_create();
  const value::FieldErrors errors = crd::check_create(crd, compiler);
  if (errors.empty()) return {};
  std::string text = errors.front().to_string();
  constexpr std::string_view kFront = "spec.validation.openAPIV3Schema.properties[it]";
  if (text.starts_with(kFront)) text.replace(0, kFront.size(), "schema");
  return fail(Code::kInvalid, "{}", say(Phrase::kNotStructural, text));
}

}  // namespace

SchemaSet::SchemaSet(const JudgeOptions& options, std::string root)
    : options_(options), root_(std::move(root)), catalog_(options) {}

Result<std::size_t> SchemaSet::add(const std::string& file,
                                   std::shared_ptr<const std::string> text) {
  const std::vector<ScannedPart> parts = scan(*text);
  return add(file, std::move(text), parts);
}

// The loose profile reads every document, and has no use for a look from afar.
std::vector<ScannedPart> SchemaSet::scan(std::string_view text) const {
  return options_.profile == Profile::kLoose ? std::vector<ScannedPart>() : scan_text(text);
}

Result<std::size_t> SchemaSet::add(const std::string& file, std::shared_ptr<const std::string> text,
                                   std::span<const ScannedPart> parts) {
  passed_over_.clear();
  if (options_.profile == Profile::kLoose) return add_documents(file, *text, false);
  STRAKE_TRY(const std::size_t count, catalog_.add(file, text, parts));
  add_shadowed();
  return count > 0 ? Result<std::size_t>(count) : add_documents(file, *text, false);
}

Result<std::size_t> SchemaSet::add_kinds(const std::string& file,
                                         std::shared_ptr<const std::string> text, Trust trust) {
  if (options_.profile == Profile::kLoose) return add_documents(file, *text, true);
  auto count = catalog_.add(file, std::move(text), trust);
  add_shadowed();
  return count;
}

Result<std::size_t> SchemaSet::add_kinds(const std::shared_ptr<const ParsedFile>& parsed,
                                         Trust trust) {
  if (options_.profile != Profile::kLoose) {
    auto count = catalog_.add(parsed, trust);
    add_shadowed();
    return count;
  }
  std::size_t count = 0;
  for (const Result<value::Document>& one : parsed->documents) {
    if (!one) return std::unexpected(Error(one.error()).in(parsed->file));
    auto added = add_loose_kinds(parsed->file, one->root());
    if (!added) return std::unexpected(std::move(added).error().in(parsed->file));
    count += *added;
  }
  return count;
}

void SchemaSet::add_shadowed() {
  for (Catalog::Shadowed& one : catalog_.take_shadowed())
    diagnostics_.push_back({std::move(one.file), {.message = std::move(one.message)}});
  for (Catalog::Approximated& one : catalog_.take_approximated())
    diagnostics_.push_back({std::move(one.file), std::move(one.about)});
}

void SchemaSet::note_passed_over(const Value& root) {
  if (is_definition(root)) {
    passed_over_ = say(Phrase::kOldDefinition, text_of(root, "apiVersion"));
  } else if (is_description(root)) {
    passed_over_ = say(Phrase::kNoKindsNamed);
  }
}

Result<std::size_t> SchemaSet::add_documents(const std::string& file, std::string_view text,
                                             bool kinds_only) {
  std::size_t count = 0;
  std::size_t documents = 0;
  std::optional<value::Document> empty_schema;
  DocumentStream stream(text, read_options(file));
  while (true) {
    auto next = stream.next();
    if (!next) return std::unexpected(std::move(next).error().in(file));
    if (!*next) break;
    const Value& root = (*next)->root();
    if (++documents == 1 && !kinds_only && is_empty_schema(root)) {
      empty_schema = *std::move(*next);
      continue;
    }
    const bool by_root = !root_.empty() && !kinds_only && !is_definition(root);
    if (!kinds_only && (by_root || is_bare_schema(root))) {
      if (auto added = add_bare(file, root, root_); !added)
        return std::unexpected(std::move(added).error().in(file));
      ++count;
    } else if (options_.profile == Profile::kLoose) {
      auto added = add_loose_kinds(file, root);
      if (added && *added == 0 && !kinds_only && is_description(root))
        added = add_only_component(file, root);
      if (!added) return std::unexpected(std::move(added).error().in(file));
      count += *added;
    } else {
      note_passed_over(root);
    }
  }
  // Among other documents it is more likely a remainder than a schema for everything.
  if (documents > 1 || !empty_schema) return count;
  if (auto added = add_bare(file, empty_schema->root(), root_); !added)
    return std::unexpected(std::move(added).error().in(file));
  return std::size_t{1};
}

Result<std::size_t> SchemaSet::add_loose_kinds(const std::string& file, const Value& root) {
  if (is_definition(root)) return add_loose_definition(file, root);
  std::size_t count = 0;
  if (is_description(root)) {
    auto copy = std::make_shared<value::Document>();
    copy->root() = value::deep_copy(root, copy->arena());
    for (KindJudge& one : judges_of_open_api(std::move(copy), file, options_)) {
      catalog_.add(one.gvk, std::move(one.judge));
      ++count;
    }
    if (count > 0 && options_.import_at_once) {
      for (loose::Diagnostic& one : diagnostics_of_open_api(root, file, options_))
        diagnostics_.push_back({file, std::move(one)});
    }
    return count;
  }
  const Value* items = root.find("items");
  if (items == nullptr || !items->is_array() || !text_of(root, "kind").ends_with("List")) return 0;
  const bool typed = text_of(root, "kind") == "CustomResourceDefinitionList";
  for (const Value& item : items->items()) {
    if (!is_definition(item) && !(typed && item.is_object() && item.find("kind") == nullptr))
      continue;
    STRAKE_TRY(const std::size_t added, add_loose_definition(file, item));
    count += added;
  }
  return count;
}

// Of a description without kinds, the one schema it has.
Result<std::size_t> SchemaSet::add_only_component(const std::string& file,
                                                  const Value& description) {
  const Value* components = description.find("components");
  const Value* schemas =
      components != nullptr ? components->find("schemas") : description.find("definitions");
  if (schemas == nullptr || !schemas->is_object() || schemas->size() == 0) {
    passed_over_ = say(Phrase::kNoComponents);
    return std::size_t{0};
  }
  if (schemas->size() > 1) {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::string_view> names;
    for (const value::Member& m : schemas->members()) names.push_back(m.key);
    const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
    names.resize(names.size() - more);
    const std::string listed = fmt::format("{}", fmt::join(names, ", "));
    return fail(
        Code::kUsage, "{}",
        more > 0 ? say(Phrase::kWhichOfMany, listed, more) : say(Phrase::kWhichSchema, listed));
  }
  STRAKE_CHECK(add_bare(file, description, std::string(schemas->members()[0].key)));
  return std::size_t{1};
}

Result<std::size_t> SchemaSet::add_loose_definition(const std::string& file, const Value& crd) {
  const Value* spec = crd.find("spec");
  const Value* versions = spec != nullptr ? spec->find("versions") : nullptr;
  const Value* names = spec != nullptr ? spec->find("names") : nullptr;
  std::vector<std::string> version_names;
  if (versions != nullptr && versions->is_array()) {
    for (const Value& version : versions->items())
      version_names.emplace_back(text_of(version, "name"));
  } else if (const std::string_view only = text_of(spec, "version"); !only.empty()) {
    version_names.emplace_back(only);  // of apiextensions.k8s.io/v1beta1
  }
  if (version_names.empty()) return fail(Code::kInvalid, "{}", say(Phrase::kNoVersions));
  for (const std::string& name : version_names) {
    loose::ImportOptions how = import_options(file, options_);
    how.version = name;
    schema::NodePtr with_rules = rules_of(schema_of(*spec, name));
    how.rules_run = with_rules != nullptr || options_.rules == nullptr;
    STRAKE_TRY(loose::Imported imported, loose::import_schema(crd, how));
    for (loose::Diagnostic& one : imported.diagnostics)
      diagnostics_.push_back({file, std::move(one)});
    const loose::LooseNode* root = imported.schema->root();
    catalog_.add(
        {std::string(text_of(spec, "group")), name, std::string(text_of(names, "kind"))},
        judge_loosely({std::move(imported.schema), root, true, std::move(with_rules)}, options_));
  }
  return std::size_t{1};
}

// For the rules of a loose schema; null when it has none, or is not one that a server would read.
schema::NodePtr SchemaSet::rules_of(const Value* schema) const {
  if (schema == nullptr || options_.rules == nullptr) return nullptr;
  auto compiled = schema::compile(*schema);
  return compiled && *compiled != nullptr && (*compiled)->has_rules_below ? *std::move(compiled)
                                                                          : nullptr;
}

Result<> SchemaSet::add_bare(const std::string& file, const Value& schema,
                             const std::string& wanted) {
  if (any_) {
    return fail(Code::kUsage, "{}", say(Phrase::kSecondSchema, any_file_));
  }
  if (options_.profile == Profile::kLoose) {
    loose::ImportOptions how = import_options(file, options_);
    how.root = wanted;
    const Value* held = schema.find("openAPIV3Schema");
    schema::NodePtr with_rules =
        wanted.empty() ? rules_of(held != nullptr ? held : &schema) : nullptr;
    how.rules_run = with_rules != nullptr || options_.rules == nullptr;
    STRAKE_TRY(loose::Imported imported, loose::import_schema(schema, how));
    for (loose::Diagnostic& one : imported.diagnostics)
      diagnostics_.push_back({file, std::move(one)});
    const loose::LooseNode* root = imported.schema->root();
    if (root == nullptr) return fail(Code::kInvalid, "{}", say(Phrase::kNoRoot));
    any_ =
        judge_loosely({std::move(imported.schema), root, false, std::move(with_rules)}, options_);
  } else {
    const Value* held = schema.find("openAPIV3Schema");
    const Value& structural = held != nullptr ? *held : schema;
    if (!options_.trust_definitions)
      STRAKE_CHECK(check_structural(structural, options_.rule_compiler));
    STRAKE_TRY(schema::NodePtr compiled, schema::compile(structural));
    any_ = judge_structurally(std::move(compiled), options_);
  }
  any_file_ = file;
  return {};
}

}  // namespace strake::validate
