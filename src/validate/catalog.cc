#include "validate/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "base/edit_distance.h"
#include "crd/check.h"
#include "crd/crd.h"
#include "validate/builtin_kinds.h"
#include "validate/document_stream.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "value/fields.h"

// CRDs are read when an object asks for them: a scan tells which kind a text defines, the text is
// parsed at the first use, and each version is compiled at its first use. Checks run in parallel,
// so each of these steps happens once under std::call_once; adding is done before, by one thread.
// Of several CRDs for one kind the first that serves the version wins.

namespace strake::validate {
namespace {

using meta::GroupKind;
using meta::GroupVersionKind;
using value::Value;

constexpr std::string_view kCrdGroup = "apiextensions.k8s.io";
constexpr std::string_view kCrdKind = "CustomResourceDefinition";

value::ReadOptions schema_read_options(const std::string& file) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  options.source_name = file;
  return options;
}

bool is_definition(const Value& v) {
  return text_of(v, "kind") == kCrdKind && text_of(v, "apiVersion") == "apiextensions.k8s.io/v1";
}

bool is_definition_list(const Value& v) {
  return text_of(v, "kind") == "CustomResourceDefinitionList" &&
         text_of(v, "apiVersion") == "apiextensions.k8s.io/v1";
}

GroupKind defined_by(const Value& crd) {
  const Value* spec = crd.find("spec");
  return {std::string(text_of(spec, "group")),
          std::string(text_of(spec != nullptr ? spec->find("names") : nullptr, "kind"))};
}

// A part was read alone, and its error counts lines from the start of the part.
Error error_in_whole(const std::string& file, std::string_view text, Error in_part) {
  DocumentStream stream(text, schema_read_options(file));
  while (true) {
    auto next = stream.next();
    if (!next) return std::move(next).error().in(file);
    if (!*next) return std::move(in_part).in(file);
  }
}

std::optional<resource::ScalePaths> scale_of(const crd::Version& version) {
  if (!version.has_scale()) return std::nullopt;
  const Value* scale = version.subresources()->find("scale");
  return resource::ScalePaths{std::string(text_of(scale, "specReplicasPath")),
                              std::string(text_of(scale, "statusReplicasPath")),
                              std::string(text_of(scale, "labelSelectorPath"))};
}

std::string deprecation_of(const crd::Crd& crd, const crd::Version& version) {
  if (!version.deprecated()) return {};
  if (version.deprecation_warning()) return std::string(*version.deprecation_warning());
  return say(Phrase::kVersionDeprecated, fmt::format("{}/{}", crd.group(), version.name()),
             crd.names().kind);
}

}  // namespace

// One CRD: text at first, then read, then a judge for each version that was asked for.
class Catalog::Definition {
 public:
  // `part` is one YAML document of the text, that a scan has seen.
  Definition(std::string file, std::shared_ptr<const std::string> text, std::string_view part,
             GroupKind scanned, Trust trust)
      : file_(std::move(file)),
        trust_(trust),
        text_(std::move(text)),
        part_(part),
        group_kind_(std::move(scanned)) {}
  // The document is one of the text's.
  Definition(std::string file, std::shared_ptr<const std::string> text,
             std::shared_ptr<const value::Document> document, Trust trust)
      : file_(std::move(file)),
        trust_(trust),
        text_(std::move(text)),
        shared_(std::move(document)),
        group_kind_(defined_by(shared_->root())) {}

  const std::string& file() const { return file_; }
  const std::shared_ptr<const std::string>& text() const { return text_; }  // of one refused
  // Whether both describe the kind in the same way. Before the first call of judge().
  bool says_the_same_as(Definition& other) {
    if (shared_ == nullptr && other.shared_ == nullptr && part_ == other.part_) return true;
    const Value* mine = spec();
    const Value* theirs = other.spec();
    return mine == nullptr || theirs == nullptr || value::identical(*mine, *theirs);
  }
  bool is_taken() const { return trust_ == Trust::kTaken; }
  bool refused() const { return refused_.load(std::memory_order_acquire); }

  // Null when the CRD does not serve that version.
  const Judge* judge(std::string_view version, const JudgeOptions& options) {
    std::call_once(read_once_, [&] { read(options); });
    if (!crd_) return unusable_.get();
    const crd::Version* found = crd_->version(version);
    if (found == nullptr || !found->served()) return nullptr;
    Made& made = made_[static_cast<std::size_t>(found - crd_->versions().data())];
    std::call_once(made.once, [&] { made.judge = make(*found, options); });
    return made.judge.get();
  }

  // Only after judge(). Null when the CRD cannot be used.
  const crd::Crd* crd() const { return crd_.get(); }
  // The versions, for a message; only after judge().
  std::vector<std::string_view> served_versions() const {
    std::vector<std::string_view> out;
    if (!crd_) return out;
    for (const crd::Version& version : crd_->versions()) {
      if (version.served()) out.push_back(version.name());
    }
    return out;
  }

 private:
  struct Made {
    std::once_flag once;
    std::unique_ptr<const Judge> judge;
  };

  // The document, parsed unless that has been done.
  Result<const Value*> parsed() {
    if (shared_ != nullptr) return &shared_->root();
    if (!own_) {
      STRAKE_TRY(value::Document read, read_document(part_, schema_read_options(file_)));
      own_ = std::move(read);
    }
    return &own_->root();
  }

  // Null when it cannot be read, which is told when it is used.
  const Value* spec() {
    const auto root = parsed();
    return root ? (*root)->find("spec") : nullptr;
  }

  // For whoever edits it: one that others have, too, stays as it is.
  value::Document take_document() {
    if (own_) return *std::exchange(own_, std::nullopt);
    value::Document copy;
    copy.root() = value::deep_copy(shared_->root(), copy.arena());
    shared_.reset();
    return copy;
  }

  void read(const JudgeOptions& options) {
    read_definition(options);
    if (!refused()) text_.reset();
  }

  void read_definition(const JudgeOptions& options) {
    const auto root = parsed();
    if (!root) return give_up(root.error().to_string());
    // The scan was a look from afar.
    if (own_ && (!is_definition(**root) || defined_by(**root) != group_kind_))
      return give_up(say(Phrase::kUnreadableDefinition));
    auto crd = crd::Crd::read(take_document());
    if (!crd) return give_up(crd.error().message());
    crd->prepare_for_create();
    const bool trusted = options.trust_definitions || trust_ != Trust::kAsOptionsSay;
    if (!trusted && !crd::check_create(*crd, options.rule_compiler).empty()) {
      refused_.store(true, std::memory_order_release);
    }
    crd_ = std::make_unique<crd::Crd>(*std::move(crd));
    for (std::size_t i = 0; i < crd_->versions().size(); ++i) made_.emplace_back();
  }

  void give_up(std::string_view why) {
    refused_.store(true, std::memory_order_release);
    unusable_ = judge_without_schema(say(Phrase::kCrdUnusable, file_, why));
  }

  std::unique_ptr<const Judge> make(const crd::Version& version,
                                    const JudgeOptions& options) const {
    auto compiled = version.compiled();
    if (!compiled) {
      return judge_without_schema(
          say(Phrase::kVersionUnusable, version.name(), file_, compiled.error().to_string()));
    }
    resource::Kind kind{.gvk = {std::string(crd_->group()), std::string(version.name()),
                                std::string(crd_->names().kind)},
                        .namespaced = crd_->namespaced(),
                        .preserve_unknown = crd_->preserve_unknown_fields(),
                        .status_subresource = version.has_status(),
                        .scale = scale_of(version),
                        .schema = *std::move(compiled)};
    return judge_custom_resource(std::move(kind), deprecation_of(*crd_, version), options);
  }

  std::string file_;
  Trust trust_;
  std::shared_ptr<const std::string> text_;  // of the file; let go once the CRD is read and fine
  std::string_view part_;                    // of the text: the CRD, when it was scanned
  std::optional<value::Document> own_;       // the part, once it is parsed and until it is taken
  std::shared_ptr<const value::Document> shared_;  // the CRD, when it was parsed by others
  GroupKind group_kind_;
  std::once_flag read_once_;
  std::unique_ptr<const crd::Crd> crd_;
  std::unique_ptr<const Judge> unusable_;
  std::deque<Made> made_;  // by version
  std::atomic<bool> refused_ = false;
};

Catalog::Catalog(const JudgeOptions& options)
    : options_(options), definitions_judge_(judge_definitions(options)) {
  if (options.kubernetes_minor)
    builtin_ = std::make_unique<const BuiltinKinds>(options, *options.kubernetes_minor);
}
Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;

void Catalog::add_definition(const GroupKind& group_kind, std::shared_ptr<Definition> definition) {
  auto& known = definitions_[group_kind];
  // What a cluster has may well differ from what is about to be applied.
  if (!known.empty() && !definition->is_taken() && !known[0]->says_the_same_as(*definition)) {
    shadowed_.push_back({definition->file(), say(Phrase::kOtherCrdUsed, group_kind.kind,
                                                 group_kind.group, known[0]->file())});
  }
  in_order_.push_back(definition);
  known.push_back(std::move(definition));
}

Result<std::size_t> Catalog::add(const std::string& file, std::shared_ptr<const std::string> text,
                                 Trust trust) {
  const std::vector<ScannedPart> parts = scan_text(*text);
  return add(file, std::move(text), parts, trust);
}

Result<std::size_t> Catalog::add(const std::string& file, std::shared_ptr<const std::string> text,
                                 std::span<const ScannedPart> parts, Trust trust) {
  std::size_t count = 0;
  std::vector<std::string_view> unclear;
  for (const ScannedPart& part : parts) {
    switch (part.scan) {
      case Scan::kDefinition: {
        GroupKind group_kind{std::string(part.definition.group), std::string(part.definition.kind)};
        add_definition(group_kind,
                       std::make_shared<Definition>(file, text, part.text, group_kind, trust));
        ++count;
        break;
      }
      case Scan::kOther: break;
      case Scan::kUnclear: unclear.push_back(part.text); break;
    }
  }
  for (const std::string_view part : unclear) {
    DocumentStream stream(part, schema_read_options(file));
    while (true) {
      auto read = stream.next();
      if (!read) return std::unexpected(error_in_whole(file, *text, std::move(read).error()));
      if (!*read) break;
      count += add_document(file, text, std::make_shared<const value::Document>(**std::move(read)),
                            trust);
    }
  }
  return count;
}

Result<std::size_t> Catalog::add(const std::shared_ptr<const ParsedFile>& parsed, Trust trust) {
  // What can be read beside a broken document is for a scan to find.
  if (!parsed->is_whole()) return add(parsed->file, parsed->text, trust);
  std::size_t count = 0;
  for (const Result<value::Document>& one : parsed->documents)
    count += add_document(parsed->file, parsed->text, {parsed, &*one}, trust);
  return count;
}

std::size_t Catalog::add_document(const std::string& file,
                                  const std::shared_ptr<const std::string>& text,
                                  const std::shared_ptr<const value::Document>& document,
                                  Trust trust) {
  std::size_t count = 0;
  const Value& root = document->root();
  if (is_definition(root)) {
    add_definition(defined_by(root), std::make_shared<Definition>(file, text, document, trust));
    return 1;
  }
  if (root.find("openapi") != nullptr || root.find("swagger") != nullptr) {
    if (options_.import_at_once) {
      for (schema::loose::Diagnostic& one :
           diagnostics_of_open_api(document->root(), file, options_))
        approximated_.push_back({file, std::move(one)});
    }
    for (KindJudge& one : judges_of_open_api(document, file, options_)) {
      judges_.try_emplace(std::move(one.gvk), std::move(one.judge));
      ++count;
    }
    return count;
  }
  const Value* items = root.find("items");
  if (items == nullptr || !items->is_array() || !text_of(root, "kind").ends_with("List")) return 0;
  // Items of a list of a kind may leave out what the list says for all of them.
  const bool typed = is_definition_list(root);
  for (const Value& item : items->items()) {
    if (!is_definition(item) && !(typed && item.is_object() && item.find("kind") == nullptr))
      continue;
    auto copy = std::make_shared<value::Document>();
    copy->root() = value::deep_copy(item, copy->arena());
    copy->root().set("apiVersion", Value::string("apiextensions.k8s.io/v1"), copy->arena());
    copy->root().set("kind", Value::string(kCrdKind), copy->arena());
    add_definition(defined_by(item),
                   std::make_shared<Definition>(file, text, std::move(copy), trust));
    ++count;
  }
  return count;
}

void Catalog::add(const GroupVersionKind& gvk, std::shared_ptr<const Judge> judge) {
  judges_.try_emplace(gvk, std::move(judge));
}

const Judge* Catalog::find(const GroupVersionKind& gvk) const {
  if (const Judge* judge = find_added(gvk)) return judge;
  return builtin_ != nullptr ? builtin_->find(gvk) : nullptr;
}

const Judge* Catalog::find_added(const GroupVersionKind& gvk) const {
  if (const auto found = definitions_.find(gvk.group_kind()); found != definitions_.end()) {
    for (const auto& definition : found->second) {
      if (const Judge* judge = definition->judge(gvk.version, options_)) return judge;
    }
  }
  if (const auto found = judges_.find(gvk); found != judges_.end()) return found->second.get();
  if (gvk.group == kCrdGroup && gvk.version == "v1" && gvk.kind == kCrdKind)
    return definitions_judge_.get();
  return nullptr;
}

std::optional<Catalog::Served> Catalog::served_as(const GroupVersionKind& gvk) const {
  const auto found = definitions_.find(gvk.group_kind());
  if (found == definitions_.end()) return std::nullopt;
  for (const auto& definition : found->second) {
    if (definition->judge(gvk.version, options_) == nullptr || definition->crd() == nullptr)
      continue;
    Served out{.plural = std::string(definition->crd()->names().plural),
               .namespaced = definition->crd()->namespaced(),
               .versions = {}};
    for (const std::string_view version : definition->served_versions())
      out.versions.emplace_back(version);
    return out;
  }
  return std::nullopt;
}

std::vector<GroupVersionKind> Catalog::added_kinds() const {
  std::vector<GroupVersionKind> out;
  for (const auto& [kind, definitions] : definitions_) {
    for (const auto& definition : definitions) {
      static_cast<void>(definition->judge("", options_));  // reads it
      for (const std::string_view version : definition->served_versions())
        out.push_back({kind.group, std::string(version), kind.kind});
    }
  }
  for (const auto& [gvk, unused] : judges_) out.push_back(gvk);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool Catalog::knows(const GroupKind& group_kind) const {
  return definitions_.contains(group_kind) || !versions_of(group_kind).empty() ||
         (builtin_ != nullptr && builtin_->knows(group_kind));
}

std::vector<std::string_view> Catalog::versions_of(const GroupKind& group_kind) const {
  std::vector<std::string_view> out;
  for (const auto& [gvk, unused] : judges_) {
    if (gvk.group == group_kind.group && gvk.kind == group_kind.kind) out.push_back(gvk.version);
  }
  return out;
}

std::string Catalog::explain_missing(const GroupVersionKind& gvk) const {
  if (const auto found = definitions_.find(gvk.group_kind()); found != definitions_.end()) {
    std::vector<std::string_view> versions;
    for (const auto& definition : found->second) {
      static_cast<void>(definition->judge(gvk.version, options_));
      const auto served = definition->served_versions();
      versions.insert(versions.end(), served.begin(), served.end());
    }
    return versions.empty() ? say(Phrase::kCrdServesNothing)
                            : say(Phrase::kCrdServes, fmt::format("{}", fmt::join(versions, ", ")));
  }
  if (const auto versions = versions_of(gvk.group_kind()); !versions.empty())
    return say(Phrase::kSchemasFor, fmt::format("{}", fmt::join(versions, ", ")));
  std::vector<std::string_view> kinds;
  for (const auto& [group_kind, unused] : definitions_) {
    if (group_kind.group == gvk.group) kinds.push_back(group_kind.kind);
  }
  if (const auto near = closest(gvk.kind, kinds)) return say(Phrase::kDidYouMean, *near);
  return builtin_ != nullptr ? builtin_->explain_missing(gvk) : std::string();
}

std::vector<Catalog::Refused> Catalog::refused_files() const {
  std::vector<Refused> out;
  for (const auto& definition : in_order_) {
    if (definition->refused() &&
        std::ranges::find(out, definition->file(), &Refused::file) == out.end()) {
      out.push_back({definition->file(), definition->text()});
    }
  }
  return out;
}

}  // namespace strake::validate
