#include "validate/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "validate/classify.h"
#include "validate/document_stream.h"
#include "validate/gzip.h"
#include "validate/ignore_comments.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "validate/source_text.h"
#include "validate/yaml_core.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using meta::GroupVersionKind;
using value::Document;
using value::Value;

constexpr std::size_t kMostNestedLists = 16;
// JSON may write one byte as six: \u003c.
constexpr std::uint64_t kMostGrowth = 6;

bool starts_with(const FieldPath& path, const FieldPath& front) {
  const auto& steps = path.steps();
  if (steps.size() < front.steps().size()) return false;
  return std::equal(
      front.steps().begin(), front.steps().end(), steps.begin(), [](const auto& a, const auto& b) {
        return a.kind == FieldPath::Kind::kIndex ? b.kind == a.kind && a.index == b.index
                                                 : a.name == b.name;
      });
}

FieldPath without_front(const FieldPath& path, std::size_t count) {
  FieldPath out;
  for (std::size_t i = count; i < path.steps().size(); ++i) {
    const FieldPath::Step& step = path.steps()[i];
    if (step.kind == FieldPath::Kind::kIndex) {
      out.push_index(step.index);
    } else {
      out.push_field(step.name);
    }
  }
  return out;
}

// "first at /spec/a/0" of an item becomes "first at /items/2/spec/a/0".
void show_in_document(std::string& hint, const FieldPath& front) {
  const std::size_t pointer = hint.find('/');
  if (pointer != std::string::npos) hint.insert(pointer, front.to_pointer());
}

void imply_type(Value& object, const ImpliedType& type, Arena& arena) {
  if (!object.is_object() || type.kind.empty()) return;
  if (object.find("kind") == nullptr)
    object.set("kind", Value::string(arena.copy(type.kind)), arena);
  if (object.find("apiVersion") == nullptr)
    object.set("apiVersion", Value::string(arena.copy(type.api_version)), arena);
}

Fault simple_fault(Issue issue, FieldPath path, std::string message) {
  return {.issue = issue, .path = std::move(path), .message = std::move(message)};
}

// Data of other programs may well have a kind, and nothing else of an object.
bool is_no_object(const Value& v) {
  if (!v.is_object()) return true;
  return v.find("apiVersion") == nullptr &&
         (v.find("kind") == nullptr || v.find("metadata") == nullptr);
}

// A text that cannot be read.
Fault fault_of(const Error& error) {
  const bool too_large = error.message().find("64-bit float") != std::string::npos;
  Fault fault = simple_fault(error.code() == Code::kIo ? Issue::kUnreadable
                             : too_large               ? Issue::kOverflow
                                                       : Issue::kParseError,
                             {}, plain_parse_error(error.message()));
  if (error.code() == Code::kLimit) {
    const bool depth = error.message().find("nesting") != std::string::npos ||
                       error.message().find("depth") != std::string::npos;
    fault.params.push_back({"limit", json_text(depth ? "depth" : "input")});
  }
  if (error.position()) fault.params.push_back({"at", fmt::format("{}", error.position()->offset)});
  return fault;
}

// One file, either in haste or thoroughly. In haste only the fact counts that something is wrong:
// no positions are kept and documents are settled in place. Most files are fine, and the others are
// then checked once more.
class FileCheck {
 public:
  FileCheck(const Catalog& catalog, const OldObjects* old, const CheckOptions& options,
            const std::string& file, std::string_view text, const ImpliedType& implied,
            bool thorough)
      : catalog_(catalog),
        old_(old),
        options_(options),
        text_(text),
        implied_(implied),
        thorough_(thorough),
        duplicates_told_(options.duplicates == DuplicateKeys::kLastWins ||
                         options.duplicates == DuplicateKeys::kFirstWins),
        budget_(options.results) {
    result_.file = file;
  }

  // Nothing when something was found in haste.
  std::optional<FileResult> run() {
    DocumentStream stream(text_, read_options(result_.file, options_, thorough_));
    // With YAML 1.2 rules a second stream reads the same text as a server would; differences
    // between the two readings are findings.
    std::optional<DocumentStream> as_server;
    if (options_.yaml_core) {
      value::ReadOptions server = read_options(result_.file, options_, false);
      server.yaml = value::YamlSchema::kKubernetes;
      as_server.emplace(text_, server);
    }
    std::size_t broken = 0;
    while (!full_) {
      auto next = stream.next();
      if (!next) {
        if (!thorough_) return std::nullopt;
        if (looks_like_template(text_)) return template_result(next.error());
        add_broken(next.error());
        as_server.reset();  // they may go on at different documents
        if (++broken == kMostBroken || !stream.skip_broken(next.error())) break;
        continue;
      }
      if (!*next) break;
      count_ = number_of(**next) + 1;
      const std::size_t results = result_.documents.size();
      if (!thorough_) {
        if (!check_in_haste(**next)) return std::nullopt;
        continue;
      }
      check_thoroughly(**next);
      if (as_server) compare_readings(**next, *as_server, results);
    }
    return std::move(result_);
  }

  // Documents that somebody has parsed, thoroughly: they stay as they are.
  FileResult run(const ParsedFile& parsed) {
    for (const Result<Document>& next : parsed.documents) {
      if (full_) break;
      if (!next) {
        if (looks_like_template(text_)) return template_result(next.error());
        add_broken(next.error());
        continue;
      }
      count_ = number_of(*next) + 1;
      check_thoroughly(*next);
    }
    return std::move(result_);
  }

 private:
  struct Place {
    const Document& document;
    FieldPath front;  // of the object in the document
    std::vector<std::size_t> items;
  };

  // Tells where a server would read something else, in the first result of the document.
  void compare_readings(const Document& document, DocumentStream& as_server, std::size_t first) {
    const auto other = as_server.next();
    if (!other || !*other || result_.documents.size() == first) return;
    std::vector<Finding>& findings = result_.documents[first].findings;
    for (Fault& fault : core_differences(document.root(), (*other)->root())) {
      Finding finding{.fault = std::move(fault)};
      finding.path = finding.fault.path;
      locate(finding, document);
      findings.push_back(std::move(finding));
    }
    sort_findings(findings);
  }

  std::size_t number_of(const Document& document) const { return first_ + document.index(); }

  // False when something was found.
  bool check_in_haste(Document& document) {
    if (!document.duplicates().empty() && !duplicates_told_) return false;
    imply_type(document.root(), implied_, document.arena());
    return check_object(document.root(), document.root(), document.arena(),
                        {.document = document, .front = {}, .items = {}});
  }

  void check_thoroughly(const Document& document) {
    Document work;
    work.root() = value::deep_copy(document.root(), work.arena());
    imply_type(work.root(), implied_, work.arena());
    const std::size_t first = result_.documents.size();
    check_object(work.root(), document.root(), work.arena(),
                 {.document = document, .front = {}, .items = {}});
    add_stray_duplicates(document, first);
  }

  // False when something was found in haste.
  bool check_object(Value& object, const Value& as_sent, Arena& arena, const Place& place) {
    if (is_expandable(as_sent)) return check_items(object, as_sent, arena, place);
    if (is_empty_list(as_sent)) return true;
    if (!budget_.has_room()) {
      if (thorough_) give_up(number_of(place.document));
      return thorough_;
    }
    DocumentResult result{.document = number_of(place.document), .items = place.items};
    std::vector<Fault> faults;
    const Judge* judge = run_judge(object, as_sent, arena, result, faults);
    if (!thorough_ && !faults.empty()) return false;
    for (Fault& fault : faults) {
      Finding finding{.fault = std::move(fault)};
      const MeantPlace meant = meant_by(finding.fault, as_sent);
      finding.fault.at_key = meant.at_key;
      finding.path = join(place.front, meant.path);
      if (finding.fault.issue == Issue::kDuplicateItem)
        show_in_document(finding.fault.hint, place.front);
      result.findings.push_back(std::move(finding));
    }
    if (thorough_ && !duplicates_told_) add_duplicates(place, result);
    finish(result, place.document);
    add_extras(judge, object, as_sent, result);
    add_result(std::move(result));
    return true;
  }

  void add_result(DocumentResult result) {
    budget_.list(result, result_);
    result_.documents.push_back(std::move(result));
  }

  // Nothing behind this document is looked at.
  void give_up(std::size_t document) {
    full_ = true;
    result_.documents.push_back(too_many_documents(document, options_.results.documents));
    result_.unreadable = true;
  }

  void locate(Finding& finding, const Document& document) const {
    show_place(finding, document, finding.path, text_);
  }

  // What else was asked for about an object that a judge has seen.
  void add_extras(const Judge* judge, const Value& object, const Value& as_sent,
                  DocumentResult& result) const {
    const bool fine = result.status == Status::kValid || result.status == Status::kSkipped;
    const KnownNull known = [&](const FieldPath& path) {
      return judge == nullptr || judge->knows(path);
    };
    if (fine && options_.output != Output::kNone) {
      result.output.emplace();
      Arena& arena = result.output->arena();
      result.output->root() = options_.output == Output::kStored
                                  ? value::deep_copy(object, arena)
                                  : preserved(as_sent, object, known, arena);
    }
    if (judge == nullptr || !(options_.presence.on || options_.note_defaults)) return;
    Document filled;
    filled.root() = value::deep_copy(object, filled.arena());
    if (options_.note_defaults) {
      judge->fill_defaults(filled.root(), filled.arena());
      result.defaults = defaulted_places(object, filled.root());
    }
    if (!options_.presence.on ||
        presence_of(as_sent, filled.root(), known, options_.presence, result.presence))
      return;
    result.truncated = true;
    Fault fault = simple_fault(Issue::kTruncated, {}, say(Phrase::kPresenceCut));
    fault.severity = Severity::kWarning;
    fault.params.push_back({"limit", json_text("presence")});
    result.findings.push_back({.fault = std::move(fault)});
  }

  bool is_expandable(const Value& as_sent) const {
    if (options_.any != nullptr || list_items(as_sent) == nullptr) return false;
    return is_list_kind(text_of(as_sent, "apiVersion"), text_of(as_sent, "kind"), catalog_);
  }

  // An empty list is written as null, too.
  bool is_empty_list(const Value& as_sent) const {
    const Value* items = as_sent.find("items");
    return options_.any == nullptr && items != nullptr && items->is_null() &&
           is_list_kind(text_of(as_sent, "apiVersion"), text_of(as_sent, "kind"), catalog_);
  }

  bool check_items(Value& list, const Value& as_sent, Arena& arena, const Place& place) {
    if (place.items.size() >= kMostNestedLists) {
      if (!thorough_) return false;
      DocumentResult result{.document = number_of(place.document), .items = place.items};
      Finding finding{.fault = simple_fault(Issue::kParseError, {}, say(Phrase::kListsTooDeep))};
      finding.path = place.front;
      locate(finding, place.document);
      result.findings.push_back(std::move(finding));
      result.status = Status::kError;
      add_result(std::move(result));
      return true;
    }
    Value& items = list.set("items", list.get("items"), arena);
    const ImpliedType implied =
        implied_by(text_of(as_sent, "apiVersion"), text_of(as_sent, "kind"));
    for (std::size_t i = 0; i < items.size() && !full_; ++i) {
      Value& item = items.mutable_items()[i];
      imply_type(item, implied, arena);
      Place inner{
          .document = place.document, .front = place.front / "items" / i, .items = place.items};
      inner.items.push_back(i);
      if (!check_object(item, as_sent.get("items").items()[i], arena, inner)) return false;
    }
    return true;
  }

  // The judge that looked at the object; null when there is none for it, or when it was not
  // needed.
  const Judge* run_judge(Value& object, const Value& as_sent, Arena& arena, DocumentResult& result,
                         std::vector<Fault>& faults) {
    const Judge* judge = find_judge(object, result, faults);
    if (judge == nullptr) return nullptr;
    if (is_too_large(as_sent)) {
      result.truncated = true;
      faults.push_back(too_large_fault(options_.max_bytes));
      return nullptr;
    }
    if (options_.numbers == value::NumberPolicy::kLiteral && !judge->takes_literals()) {
      // Read again, with the numbers as the server has them.
      if (const auto plain = value::read_json(value::to_json(object)))
        object = value::deep_copy(plain->root(), arena);
    }
    const Value* old = old_ != nullptr ? old_->find(object) : nullptr;
    faults = judge->judge({.object = object, .arena = arena, .as_sent = as_sent, .old = old});
    if (options_.reviewer != nullptr)
      review(*judge, {.object = object, .arena = arena, .as_sent = as_sent, .old = old}, faults);
    if (old_ != nullptr && old == nullptr) {
      faults.push_back({.issue = Issue::kCustom,
                        .severity = Severity::kWarning,
                        .path = FieldPath() / "metadata" / "name",
                        .message = say(Phrase::kNoOldObject)});
    }
    return judge;
  }

  static bool is_error(const Fault& fault) { return fault.severity == Severity::kError; }

  // What policies have to say: as on a server, first those that change objects, then the schema
  // about what they have made, then those that validate.
  void review(const Judge& judge, const Subject& subject, std::vector<Fault>& faults) const {
    bool accepted = std::ranges::none_of(faults, is_error);
    Reviewer::Change change = options_.reviewer->change(subject, judge.schema());
    std::optional<Value> changed;
    if (change.object) {
      changed = value::deep_copy(*change.object, subject.arena);
      std::vector<Fault> found = judge.judge({.object = *changed,
                                              .arena = subject.arena,
                                              .as_sent = subject.as_sent,
                                              .old = subject.old});
      // What a policy adds beyond the schema is dropped without a word.
      std::erase_if(found, [](const Fault& fault) {
        return !is_error(fault) || fault.issue == Issue::kUnknownKey;
      });
      if (accepted) {
        for (Fault& fault : found) {
          fault.message += fmt::format(" (as {} leaves it)", change.by);
          faults.push_back(std::move(fault));
        }
        accepted = found.empty();
      } else if (found.empty()) {
        // The policies have mended it, but for what a server refuses before it asks them.
        std::erase_if(faults, [](const Fault& fault) {
          return is_error(fault) && fault.issue != Issue::kUnknownKey;
        });
        accepted = std::ranges::none_of(faults, is_error);
      }
    }
    if (!accepted) return;
    accepted = std::ranges::none_of(change.faults, is_error);
    std::ranges::move(change.faults, std::back_inserter(faults));
    if (!accepted) return;
    std::ranges::move(options_.reviewer->review({.object = changed ? *changed : subject.object,
                                                 .arena = subject.arena,
                                                 .as_sent = subject.as_sent,
                                                 .old = subject.old}),
                      std::back_inserter(faults));
    if (changed && options_.output == Output::kStored) subject.object = *changed;
  }

  // Whether the object is none of ours, and the result says so.
  bool skips(const std::optional<GroupVersionKind>& gvk, const Value& object,
             DocumentResult& result, std::vector<Fault>& faults) const {
    if (gvk) {
      if (std::ranges::any_of(options_.skip, [&](const KindSelector& selector) {
            return selector.matches(gvk->group, gvk->kind);
          })) {
        result.skipped_as = NotManifest::kExcluded;
      } else if (catalog_.find(*gvk) == nullptr) {
        result.skipped_as = known_kind(*gvk);
      }
    } else if (is_no_object(object)) {
      result.skipped_as = known_file(result_.file);
      if (result.skipped_as == NotManifest::kNo && options_.manifests_only)
        result.skipped_as = NotManifest::kNoKind;
    }
    if (result.skipped_as == NotManifest::kNo) return false;
    result.status = Status::kSkipped;
    faults.clear();
    return true;
  }

  const Judge* find_judge(const Value& object, DocumentResult& result, std::vector<Fault>& faults) {
    if (object.is_object()) {
      const Value* metadata = object.find("metadata");
      result.api_version = text_of(object, "apiVersion");
      result.kind = text_of(object, "kind");
      result.namespace_name = text_of(metadata, "namespace");
      result.name = text_of(metadata, "name");
    }
    const auto gvk = kind_of(object, result, faults);
    if (options_.any != nullptr) {
      const Judge* judge = gvk ? catalog_.find_added(*gvk) : nullptr;
      if (judge != nullptr) return judge;
      faults.clear();
      return options_.any;
    }
    const Judge* judge = gvk && options_.skip.empty() ? catalog_.find(*gvk) : nullptr;
    if (judge != nullptr) return judge;
    if (skips(gvk, object, result, faults)) return nullptr;
    judge = gvk ? catalog_.find(*gvk) : nullptr;
    if (!gvk) {
      result.status = Status::kError;
    } else if (judge == nullptr) {
      report_missing(*gvk, result, faults);
    }
    return judge;
  }

  // Nothing, and faults, when the object does not say.
  static std::optional<GroupVersionKind> kind_of(const Value& object, const DocumentResult& result,
                                                 std::vector<Fault>& faults) {
    if (!object.is_object()) {
      faults.push_back(simple_fault(
          Issue::kInvalidType, {},
          say(Phrase::kNotAnObject,
              fmt::format("{} {}",
                          object.is_array() || object.type() == value::Type::kInt ? "an" : "a",
                          value::to_string(object.type())))));
      return std::nullopt;
    }
    if (!check_type_meta(object, faults)) return std::nullopt;
    auto group_version = meta::parse_group_version(result.api_version);
    if (!group_version) {
      faults.push_back(simple_fault(Issue::kInvalidFormat, FieldPath() / "apiVersion",
                                    group_version.error().message()));
      return std::nullopt;
    }
    return GroupVersionKind{group_version->group, group_version->version, result.kind};
  }

  static bool check_type_meta(const Value& object, std::vector<Fault>& faults) {
    const std::size_t before = faults.size();
    for (const std::string_view key : {"apiVersion", "kind"}) {
      const Value* v = object.find(key);
      if (v != nullptr && !v->is_string() && !v->is_null()) {
        faults.push_back(
            simple_fault(Issue::kInvalidType, FieldPath() / key,
                         say(Phrase::kMustBeString, key, value::to_string(v->type()))));
      } else if (text_of(object, key).empty()) {
        Fault fault = simple_fault(Issue::kRequired, FieldPath() / key, say(Phrase::kNotSet, key));
        fault.params.push_back({"property", json_text(key)});
        faults.push_back(std::move(fault));
      }
    }
    return faults.size() == before;
  }

  void report_missing(const GroupVersionKind& gvk, DocumentResult& result,
                      std::vector<Fault>& faults) {
    if (options_.ignore_missing_schemas && !catalog_.knows(gvk.group_kind())) {
      result.status = Status::kSkipped;
      return;
    }
    result.status = Status::kError;
    Fault fault = simple_fault(Issue::kSchemaMissing, FieldPath() / "kind",
                               say(Phrase::kNoSchema, gvk.kind, gvk.group_version().to_string()));
    if (thorough_) fault.hint = catalog_.explain_missing(gvk);
    faults.push_back(std::move(fault));
  }

  bool is_too_large(const Value& as_sent) const {
    // The size that counts is that of the JSON a client would send. A small file cannot exceed it,
    // and is not written out to find that out.
    if (text_.size() * kMostGrowth <= options_.max_bytes) return false;
    return value::to_json(as_sent).size() > options_.max_bytes;
  }

  void add_duplicates(const Place& place, DocumentResult& result) {
    std::set<std::string> told;
    for (const value::DuplicateKey& duplicate : place.document.duplicates()) {
      // A key that stands there a third time is told once, as by the server.
      if (starts_with(duplicate.path, place.front) &&
          told.insert(duplicate.path.to_pointer()).second)
        add_duplicate(duplicate, place.front.steps().size(), result);
    }
  }

  void add_duplicate(const value::DuplicateKey& duplicate, std::size_t front,
                     DocumentResult& result) {
    Finding finding{.fault = duplicate_key_fault(duplicate, without_front(duplicate.path, front),
                                                 options_.duplicates == DuplicateKeys::kError
                                                     ? Severity::kError
                                                     : Severity::kWarning)};
    finding.path = duplicate.path;
    show_place(finding, duplicate.second, text_);
    result.findings.push_back(std::move(finding));
  }

  // Those that stand in a list outside of its items.
  void add_stray_duplicates(const Document& document, std::size_t first) {
    if (duplicates_told_ || list_items(document.root()) == nullptr) return;
    if (first + 1 == result_.documents.size() && result_.documents[first].items.empty())
      return;  // not taken apart
    DocumentResult result{.document = number_of(document),
                          .api_version = std::string(text_of(document.root(), "apiVersion")),
                          .kind = std::string(text_of(document.root(), "kind"))};
    std::set<std::string> told;
    for (const value::DuplicateKey& duplicate : document.duplicates()) {
      const auto& steps = duplicate.path.steps();
      if (steps.size() > 2 && steps[0].name == "items") continue;
      if (!told.insert(duplicate.path.to_pointer()).second) continue;
      add_duplicate(duplicate, 0, result);
    }
    if (result.findings.empty()) return;
    finish(result, document);
    add_result(std::move(result));
  }

  void finish(DocumentResult& result, const Document& document) {
    sort_findings(result.findings);
    const auto is_error = [](const Finding& f) { return f.fault.severity == Severity::kError; };
    if (result.status == Status::kValid &&
        std::any_of(result.findings.begin(), result.findings.end(), is_error)) {
      const bool no_schema =
          std::any_of(result.findings.begin(), result.findings.end(),
                      [](const Finding& f) { return f.fault.issue == Issue::kSchemaInvalid; });
      result.status = no_schema && result.kind != "CustomResourceDefinition" ? Status::kError
                                                                             : Status::kInvalid;
    }
    const auto is_left_out = [](const Finding& f) {
      return f.fault.issue == Issue::kBufferExceeded;
    };
    if (result.status == Status::kValid && std::ranges::any_of(result.findings, is_left_out))
      result.status = Status::kUnknown;
    // Sorted first, then cut: what is shown does not depend on the order in which it was found.
    std::uint64_t total = 0;
    std::erase_if(result.findings, [&](const Finding& finding) {
      total += finding.fault.omitted;
      return finding.fault.omitted != 0;
    });
    total += result.findings.size();
    if (result.findings.size() > options_.max_issues) result.findings.resize(options_.max_issues);
    const std::uint64_t left_out = total - result.findings.size();
    // Only what is shown needs a place.
    for (Finding& finding : result.findings) {
      if (!finding.position) locate(finding, document);
    }
    if (left_out == 0) return;
    result.truncated = true;
    Finding rest{.fault =
                     simple_fault(Issue::kTruncated, {}, say(Phrase::kMoreFindings, left_out))};
    rest.fault.params = {{"limit", "\"issues\""}, {"total", fmt::format("{}", total)}};
    if (result.status == Status::kValid) rest.fault.severity = Severity::kWarning;
    result.findings.push_back(std::move(rest));
  }

  // What it would say is known once it is rendered, and not before.
  FileResult template_result(const Error& error) {
    result_.documents.clear();
    if (options_.manifests_only) {
      result_.passed_over = NotManifest::kHelmTemplate;
      return std::move(result_);
    }
    add_unreadable(error, 0);
    Fault& fault = result_.documents.back().findings.back().fault;
    fault.hint = std::move(fault.message);
    fault.message = explain(NotManifest::kHelmTemplate);
    return std::move(result_);
  }

  // A document that cannot be read; behind it the count starts anew.
  void add_broken(const Error& error) {
    add_unreadable(error, count_);
    first_ = ++count_;
  }

  void add_unreadable(const Error& error, std::size_t index) {
    DocumentResult result{.document = index, .status = Status::kError};
    Finding finding{.fault = fault_of(error)};
    finding.path = error.path();
    if (error.position()) show_place(finding, *error.position(), text_);
    result.findings.push_back(std::move(finding));
    result_.documents.push_back(std::move(result));
    result_.unreadable = true;
  }

  const Catalog& catalog_;
  const OldObjects* old_;
  const CheckOptions& options_;
  std::string_view text_;
  const ImpliedType& implied_;
  bool thorough_;
  bool duplicates_told_;   // nobody wants to hear of them
  std::size_t count_ = 0;  // documents so far
  std::size_t first_ = 0;  // what the first document since the last broken one is
  ResultBudget budget_;
  bool full_ = false;  // there are more documents than may be listed
  FileResult result_;
};

bool has_findings(const FileResult& result) {
  return result.unreadable || result.unlisted_errors + result.unlisted_warnings > 0 ||
         std::ranges::any_of(result.documents,
                             [](const DocumentResult& one) { return !one.findings.empty(); });
}

}  // namespace

value::ReadOptions read_options(const std::string& file, const CheckOptions& options,
                                bool positions) {
  value::ReadOptions out;
  out.duplicates = options.duplicates == DuplicateKeys::kFirstWins
                       ? value::DuplicatePolicy::kFirstWins
                       : value::DuplicatePolicy::kLastWins;
  out.text = value::TextPolicy::kReplace;
  out.numbers = options.numbers;
  if (options.yaml_core) out.yaml = value::YamlSchema::kCore;
  out.limits.depth = options.max_depth;
  out.limits.bytes = options.max_file_bytes;
  out.positions = positions;
  out.source_name = file;
  return out;
}

bool reads_like_catalog(const CheckOptions& options) {
  return !options.yaml_core && options.numbers == value::NumberPolicy::kApi &&
         options.duplicates != DuplicateKeys::kFirstWins &&
         options.max_depth <= value::Limits{}.depth;
}

bool is_list_kind(std::string_view api_version, std::string_view kind, const Catalog& catalog) {
  if (!kind.ends_with("List")) return false;
  if (kind == "List" && api_version == "v1") return true;
  return catalog.find(meta::from_api_version_and_kind(api_version, kind)) == nullptr;
}

ImpliedType implied_by(std::string_view api_version, std::string_view list_kind) {
  list_kind.remove_suffix(std::string_view("List").size());
  return {std::string(api_version), std::string(list_kind)};
}

Result<KindSelector> parse_kind_selector(std::string_view text) {
  KindSelector out{.group = std::nullopt, .kind = std::string(text)};
  const std::size_t slash = text.find('/');
  const std::size_t dot = text.find('.');
  if (slash != std::string_view::npos) {
    out.group = text.starts_with("core/") ? "" : text.substr(0, slash);
    out.kind = text.substr(slash + 1);
  } else if (dot != std::string_view::npos) {
    out.group = text.substr(dot + 1);
    out.kind = text.substr(0, dot);
  }
  const bool plain = !out.kind.empty() && out.kind.find_first_of("/. ") == std::string::npos;
  if (plain && !text.starts_with('/') && !text.ends_with('.')) return out;
  return fail(Code::kUsage, "{}", say(Phrase::kNamesNoKind, text));
}

FileResult Checker::check(const std::string& file, std::string_view bytes) const {
  std::string unpacked;
  if (is_gzip(bytes)) {
    auto text = gunzip(bytes, options_.max_file_bytes);
    if (!text) return unreadable_file(file, text.error());
    unpacked = *std::move(text);
    bytes = unpacked;
  }
  return check_part(file, bytes, {});
}

FileResult Checker::check_part(const std::string& file, std::string_view bytes,
                               const ImpliedType& implied) const {
  if (!compares()) {
    if (auto clean = FileCheck(catalog_, old_, options_, file, bytes, implied, false).run())
      return *std::move(clean);
  }
  FileResult result = *FileCheck(catalog_, old_, options_, file, bytes, implied, true).run();
  if (options_.ignore_comments) apply_ignore_comments(bytes, result);
  return result;
}

// Only what is as it was sent can tell what became of it.
bool Checker::compares() const {
  return options_.presence.on || options_.note_defaults || options_.yaml_core ||
         options_.output == Output::kPreserving;
}

FileResult Checker::check(const ParsedFile& parsed) const {
  // A second reading by the server's rules is compared document by document.
  if (options_.yaml_core) return check(parsed.file, *parsed.text);
  const ImpliedType none;
  FileResult result =
      FileCheck(catalog_, old_, options_, parsed.file, *parsed.text, none, true).run(parsed);
  apply_comments(*parsed.text, result);
  return result;
}

FileResult Checker::check_faulty(const std::string& file, std::string_view text) const {
  const ImpliedType none;
  FileResult result = *FileCheck(catalog_, old_, options_, file, text, none, true).run();
  apply_comments(text, result);
  return result;
}

// A text in which nothing was found in haste is not looked through for comments, so neither is one
// that was checked thoroughly at once.
void Checker::apply_comments(std::string_view text, FileResult& result) const {
  if (options_.ignore_comments && (compares() || has_findings(result)))
    apply_ignore_comments(text, result);
}

FileResult unreadable_file(const std::string& file, const Error& error) {
  FileResult result{.file = file, .documents = {}, .unreadable = true};
  DocumentResult document{.status = Status::kError};
  Finding finding{.fault = fault_of(error)};
  finding.position = error.position();
  document.findings.push_back(std::move(finding));
  result.documents.push_back(std::move(document));
  return result;
}

Result<std::string> plain_text(std::string bytes, std::uint64_t limit) {
  if (!is_gzip(bytes)) return bytes;
  return gunzip(bytes, limit);
}

}  // namespace strake::validate
