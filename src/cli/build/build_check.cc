#include "cli/build/build_check.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "cli/build/build_why.h"
#include "cli/io/disk_files.h"
#include "cli/validate/offline_policies.h"
#include "cli/validate/validate_report.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/builtin_kinds.h"
#include "validate/checker.h"
#include "validate/document_stream.h"
#include "validate/phrases.h"
#include "validate/schema_set.h"
#include "validate/source_text.h"

namespace strake::cli {
namespace {

constexpr std::uint64_t kMostSchemaBytes = std::uint64_t{1} << 30;
constexpr std::string_view kNoFile = "result";  // of what no file has

using kustomize::BuildResult;
using validate::DocumentResult;
using validate::FileResult;
using value::Value;

std::vector<std::string> steps_of(const FieldPath& path) {
  std::vector<std::string> out;
  for (const FieldPath::Step& step : path.steps())
    out.push_back(step.kind == FieldPath::Kind::kIndex ? fmt::format("{}", step.index) : step.name);
  return out;
}

// A file that a field comes from, with the places of everything in it.
struct Source {
  std::string text;
  std::vector<value::Document> documents;
};

// Looks for what stands on a line of a document under a name, or as an element.
class LineSearch {
 public:
  LineSearch(std::uint32_t line, const FieldPath::Step& step) : line_(line), step_(step) {}

  bool walk(const Value& v) {
    const std::size_t count = v.is_object() || v.is_array() ? v.size() : 0;
    for (std::size_t i = 0; i < count && v.has_positions(); ++i) {
      if (v.is_object()) {
        path_.push_field(v.members()[i].key);
        const bool on_line = v.key_position(i).line == line_ || v.value_position(i).line == line_;
        const bool named =
            step_.kind != FieldPath::Kind::kIndex && v.members()[i].key == step_.name;
        if ((on_line && named) || walk(v.members()[i].value)) return true;
      } else {
        path_.push_index(i);
        const bool element = step_.kind == FieldPath::Kind::kIndex;
        if ((element && v.item_position(i).line == line_) || walk(v.items()[i])) return true;
      }
      path_.pop();
    }
    return false;
  }

  const FieldPath& path() const { return path_; }

 private:
  std::uint32_t line_;
  const FieldPath::Step& step_;
  FieldPath path_;
};

class Sources {
 public:
  explicit Sources(const DiskFiles& files) : files_(files) {}

  // The place of a finding whose field, or the nearest one around it, stands on that line.
  void show(validate::Finding& finding, const std::string& file, std::uint32_t line) {
    finding.position = Position{.line = line};
    const Source& source = read(file);
    // The last document that begins on the line or before it.
    const auto behind = std::ranges::upper_bound(
        source.documents, line, {},
        [](const value::Document& document) { return document.position({}).line; });
    if (behind == source.documents.begin()) return;
    const value::Document& document = *std::prev(behind);
    const auto& steps = finding.path.steps();
    // A field that is not there is shown at what should have it.
    for (std::size_t known = steps.size(); known > 0; --known) {
      LineSearch search(line, steps[known - 1]);
      if (!search.walk(document.root())) continue;
      finding.fault.at_key = finding.fault.at_key && known == steps.size();
      return validate::show_place(finding, document, search.path(), source.text);
    }
    if (document.position({}).line == line)
      validate::show_place(finding, document, {}, source.text);
  }

 private:
  const Source& read(const std::string& file) {
    const auto [at, fresh] = sources_.try_emplace(file);
    Source& source = at->second;
    if (!fresh) return source;
    // A file that cannot be read any more has lines, but no columns.
    auto text = files_.read(file, kMostSchemaBytes);
    if (!text) return source;
    source.text = *std::move(text);
    validate::DocumentStream stream(source.text, validate::read_options(file, {}, true));
    while (true) {
      auto next = stream.next();
      if (!next || !*next) return source;
      source.documents.push_back(*std::move(*next));
    }
  }

  const DiskFiles& files_;
  std::map<std::string, Source> sources_;
};

// From the place in the result to that in the file which the field comes from.
void place(validate::Finding& finding, const BuildResult& result, std::size_t item,
           Sources& sources) {
  finding.position.reset();
  finding.source_line.clear();
  finding.fragment.clear();
  finding.length = 0;
  const auto origin = result.origin_of(item, steps_of(finding.path));
  if (!origin) return;
  if (!origin->file.empty()) finding.file = shown_file(origin->file);
  if (origin->line != 0) sources.show(finding, origin->file, origin->line);
  if (origin->step.empty()) return;
  std::string& hint = finding.fault.hint;
  hint = hint.empty() ? validate::say(validate::Phrase::kSetBy, origin->step)
                      : validate::say(validate::Phrase::kSetByAnd, origin->step, hint);
}

// Where a resource stands. What no file has, generated ones for example, stands behind all others.
struct ItemPlace {
  std::string file;
  std::uint32_t line = 0;
  std::size_t item = 0;

  bool operator<(const ItemPlace& other) const {
    const bool lost = file == kNoFile;
    if (lost != (other.file == kNoFile)) return !lost;
    return std::tie(file, line, item) < std::tie(other.file, other.line, other.item);
  }
};

ItemPlace place_of(const BuildResult& result, std::size_t item) {
  const auto origin = result.origin_of(item, {"kind"});
  if (!origin || origin->file.empty()) return {.file = std::string(kNoFile), .item = item};
  return {.file = shown_file(origin->file), .line = origin->line, .item = item};
}

// In the order of their files, as a check of the files tells of them.
std::vector<ItemPlace> places_of(const BuildResult& result) {
  std::vector<ItemPlace> out;
  for (std::size_t i = 0; i < result.items().size(); ++i) out.push_back(place_of(result, i));
  std::ranges::sort(out, std::less<>{});
  return out;
}

// The objects of a build, without parsing what it prints. CRDs are kept: they are checked, and
// others are checked with them.
class Objects {
 public:
  explicit Objects(const BuildResult& result) : result_(result) {}

  // Points into the result.
  std::shared_ptr<const validate::ParsedFile> get(const ItemPlace& at) {
    if (const auto kept = definitions_.find(at.item); kept != definitions_.end())
      return kept->second;
    const BuildResult::Item& item = result_.items()[at.item];
    auto out = std::make_shared<validate::ParsedFile>();
    out->file = at.file;
    out->text = {std::shared_ptr<const void>(), &item.yaml};
    out->documents.push_back(result_.object(at.item));
    if (item.kind == "CustomResourceDefinition") definitions_.emplace(at.item, out);
    return out;
  }

 private:
  const BuildResult& result_;
  std::map<std::size_t, std::shared_ptr<const validate::ParsedFile>> definitions_;
};

Result<> add_schemas(const BuildResult& result, std::span<const std::string> operands,
                     const DiskFiles& files, Objects& objects, validate::SchemaSet& schemas) {
  for (const std::string& operand : operands) {
    STRAKE_TRY(const std::vector<std::string> names, files.find(operand));
    for (const std::string& name : names) {
      STRAKE_TRY(std::string text, files.read(name, kMostSchemaBytes));
      STRAKE_CHECK(schemas.add_kinds(name, std::make_shared<const std::string>(std::move(text))));
    }
  }
  for (std::size_t i = 0; i < result.items().size(); ++i) {
    if (result.items()[i].kind != "CustomResourceDefinition") continue;
    STRAKE_CHECK(schemas.add_kinds(objects.get(place_of(result, i)), validate::Trust::kInput));
  }
  return {};
}

}  // namespace

Result<ExitCode> check_build(const BuildResult& result, const BuildCheck& how, Io& io) {
  const rules::Engine rules;
  rules::CrdRules crd_rules;
  validate::JudgeOptions judge;
  STRAKE_TRY(judge.kubernetes_minor, validate::kubernetes_minor(validate::newest_kubernetes()));
  validate::CheckOptions options;
  if (how.strict) {
    judge.unknown = validate::UnknownFields::kStrict;
    options.duplicates = validate::DuplicateKeys::kError;
  }
  judge.rules = &rules;
  judge.rule_compiler = &crd_rules;
  options.ignore_missing_schemas = true;
  const DiskFiles files(io);
  validate::SchemaSet schemas(judge);
  Objects objects(result);
  STRAKE_CHECK(add_schemas(result, how.schemas, files, objects, schemas));
  OfflinePolicies policies(schemas.catalog());
  if (!how.policies.empty()) {
    STRAKE_CHECK(add_policy_files(how.policies, files, options, policies));
    options.reviewer = &policies;
  }
  const validate::Checker checker(schemas.catalog(), nullptr, options);

  Sources sources(files);
  std::vector<FileResult> results;
  ExitCode code = ExitCode::kFine;
  for (const ItemPlace& at : places_of(result)) {
    FileResult checked = checker.check(*objects.get(at));
    if (checked.has_errors() || checked.unreadable) code = ExitCode::kFindings;
    if (results.empty() || results.back().file != at.file) results.push_back({.file = at.file});
    FileResult& into = results.back();
    into.unreadable = into.unreadable || checked.unreadable;
    for (DocumentResult& document : checked.documents) {
      for (validate::Finding& finding : document.findings) place(finding, result, at.item, sources);
      document.document = into.documents.size();
      into.documents.push_back(std::move(document));
    }
  }
  write_results(results, {.locale = how.locale, .color = io.color_err}, io.err);
  return code;
}

}  // namespace strake::cli
