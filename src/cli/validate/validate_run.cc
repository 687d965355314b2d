#include "cli/validate/validate_run.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "cli/cluster/cluster_flags.h"
#include "cli/cluster/cluster_schemas.h"
#include "cli/io/parallel.h"
#include "cli/io/progress.h"
#include "cli/io/terminal.h"
#include "cli/validate/validate_baseline.h"
#include "cli/validate/validate_source.h"
#include "ops/kom/definitions.h"
#include "validate/classify.h"
#include "validate/messages.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using validate::Checker;
using validate::FileResult;

// A schema may refer to files beside it and below, and to those of folders that were named.
std::vector<std::string> folders_of(const ValidateOptions& options) {
  std::vector<std::string> out = options.schema_folders;
  for (const std::string& schema : options.schemas) {
    if (schema == "-") continue;
    std::error_code error;
    const std::filesystem::path path(schema);
    const bool folder = std::filesystem::is_directory(path, error);
    // Of a pattern, the part before its first sign.
    const std::size_t sign = schema.find_first_of("*?[{");
    const std::size_t slash = schema.rfind('/', sign);
    if (folder) {
      out.push_back(schema);
    } else {
      out.push_back(slash == std::string::npos ? "." : schema.substr(0, slash + 1));
    }
  }
  return out;
}

validate::JudgeOptions with_rules(validate::JudgeOptions judge, const rules::Engine& rules,
                                  rules::CrdRules& crd_rules, bool cel,
                                  schema::loose::Resolver& resolver) {
  judge.resolver = &resolver;
  std::error_code error;
  judge.folder = std::filesystem::current_path(error).string();
  if (cel) judge.rules = &rules;
  judge.rule_compiler = &crd_rules;
  return judge;
}

// Texts that are held until everything is read, since any of them may define what the others are
// checked with. More are read a second time when their turn comes.
constexpr std::uint64_t kMostHeldBytes = std::uint64_t{256} << 20;

// Texts of inputs that may define kinds, which are parsed before anything is checked and held until
// then. The rest of them is parsed for the schemas, when they are needed, and for the check.
constexpr std::uint64_t kMostParsedBytes = std::uint64_t{32} << 20;

// memmem() takes a third of the time of find(), which stops at every letter like the first.
bool holds(std::string_view text, std::string_view word) {
  return ::memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

bool can_read_again(const std::string& name) {
  std::error_code error;
  return name != "-" && std::filesystem::is_regular_file(name, error);
}

void keep_first_error(FileResult& result) {
  for (std::size_t d = 0; d < result.documents.size(); ++d) {
    std::vector<validate::Finding>& findings = result.documents[d].findings;
    const auto first = std::ranges::find_if(findings, [](const validate::Finding& f) {
      return f.fault.severity == validate::Severity::kError;
    });
    if (first == findings.end()) continue;
    findings.erase(first + 1, findings.end());
    result.documents.resize(d + 1);
    return;
  }
}

validate::Finding finding_of(const schema::loose::Diagnostic& about) {
  validate::Finding out{.fault = {.issue = about.keyword.empty()
                                               ? validate::Issue::kSchemaInvalid
                                               : validate::Issue::kSchemaUnsupported,
                                  .severity = validate::Severity::kWarning,
                                  .message = about.message,
                                  .schema_path = about.schema_path}};
  static_cast<void>(FieldPath::parse_pointer(about.schema_path, out.path));
  out.fault.path = out.path;
  out.fault.field = about.schema_path;
  if (!about.keyword.empty())
    out.fault.params.push_back({"keyword", validate::json_text(about.keyword)});
  return out;
}

}  // namespace

ValidateRun::ValidateRun(const ValidateOptions& options, const DiskFiles& files, Io& io)
    : options_(options),
      files_(files),
      io_(io),
      referred_(referred_files_, folders_of(options)),
      rules_({.timeout = options.cel_timeout,
              .clock = &system_clock(),
              .functions = options.cel_functions}),
      crd_rules_(options.cel_functions),
      schemas_(with_rules(options.judge, rules_, crd_rules_, options.cel, referred_),
               options.schema_root),
      check_(options.check) {}

Result<> ValidateRun::run() {
  find_inputs();
  STRAKE_CHECK(load_schemas());
  choose_inputs();
  if (!options_.old.empty()) STRAKE_CHECK(load_old());
  read_inputs();
  if (options_.ask_cluster) STRAKE_CHECK(load_cluster());
  STRAKE_CHECK(add_declared_kinds());
  check_.any = schemas_.any();
  if (!options_.policies.empty()) STRAKE_CHECK(load_policies());
  check_inputs();
  add_refused_schemas();
  add_schema_warnings();
  if (options_.baseline.empty()) return {};
  if (options_.write_baseline && std::ranges::any_of(results_, [](const FileResult& file) {
        return file.unlisted_errors + file.unlisted_warnings > 0;
      }))
    return std::unexpected(Error(Code::kLimit, validate::say(validate::Phrase::kBaselineNeedsAll)));
  return options_.write_baseline
             ? write_baseline(options_.baseline, results_, options_.report.locale, io_)
             : apply_baseline(options_.baseline, results_, options_.report.locale, io_);
}

void ValidateRun::for_each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  for_each_index(count, options_.threads, work, [](std::size_t) {});
}

// A shell that expands a pattern may give thousands of operands. What leads nowhere is a finding of
// its own, in its place, and the rest is checked.
void ValidateRun::find_inputs() {
  std::vector<Result<FoundFiles>> found(options_.operands.size());
  for_each(found.size(), [&](std::size_t i) {
    found[i] = files_.find_manifests(options_.operands[i], options_.exclude);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      lost_.insert_or_assign(options_.operands[i], std::move(found[i]).error());
      inputs_.push_back({.name = options_.operands[i], .named = true});
      continue;
    }
    const std::size_t first = inputs_.size();
    for (std::string& name : found[i]->names)
      inputs_.push_back({.name = std::move(name), .named = found[i]->named});
    if (found[i]->passed_over.empty()) continue;
    for (FoundFiles::PassedOver& one : found[i]->passed_over)
      inputs_.push_back({.name = std::move(one.name), .what = one.what});
    std::ranges::sort(inputs_.begin() + static_cast<std::ptrdiff_t>(first), inputs_.end(), {},
                      &Input::name);
  }
}

// What is known to be no manifest is left alone, unless there is a schema for documents of any
// shape.
void ValidateRun::choose_inputs() {
  const bool all = schemas_.any() != nullptr;
  for (Input& input : inputs_) {
    const bool readable = input.what != validate::NotManifest::kNoFile;
    if (input.what == validate::NotManifest::kNo || (all && readable)) {
      names_.push_back(std::move(input.name));
      named_.push_back(input.named);
    } else {
      FileResult& result = results_.emplace_back();
      result.file = std::move(input.name);
      result.passed_over = input.what;
    }
  }
}

std::vector<std::string> ValidateRun::all_files() const {
  std::vector<std::string> out = names_;
  out.insert(out.end(), schema_names_.begin(), schema_names_.end());
  return out;
}

ExitCode ValidateRun::exit_code() const {
  if (options_.fail_on_schema_warnings && !schemas_.diagnostics().empty()) return ExitCode::kInput;
  ExitCode code = ExitCode::kFine;
  for (const FileResult& result : results_) {
    if (result.unreadable) return ExitCode::kInput;
    // What was not looked at in full cannot be called fine.
    if (result.has_errors() || !result.is_certain()) code = ExitCode::kFindings;
  }
  return code;
}

Result<ValidateRun::Text> ValidateRun::read(const std::string& name) const {
  if (const auto lost = lost_.find(name); lost != lost_.end()) return std::unexpected(lost->second);
  STRAKE_TRY(std::string bytes, files_.read(name, options_.check.max_file_bytes));
  STRAKE_TRY(std::string text,
             validate::plain_text(std::move(bytes), options_.check.max_file_bytes));
  return std::make_shared<const std::string>(std::move(text));
}

bool ValidateRun::is_streamed(const std::string& name) const {
  if (!options_.may_stream()) return false;
  if (name == "-") return options_.stream;
  return is_large_json(name, options_.stream ? 0 : options_.stream_threshold);
}

std::vector<ValidateRun::SchemaText> ValidateRun::read_schemas(
    const std::vector<std::string>& names) const {
  std::vector<SchemaText> out(names.size());
  for_each(names.size(), [&](std::size_t i) {
    out[i].text = read(names[i]);
    if (out[i].text) out[i].parts = schemas_.scan(**out[i].text);
  });
  return out;
}

Result<> ValidateRun::load_schemas() {
  for (const std::string& operand : options_.schemas) {
    STRAKE_TRY(const std::vector<std::string> names, files_.find(operand));
    const std::vector<SchemaText> read = read_schemas(names);
    std::size_t found = 0;
    std::string instead;
    for (std::size_t i = 0; i < names.size(); ++i) {
      schema_names_.push_back(names[i]);
      const auto& [text, parts] = read[i];
      if (!text) {
        results_.push_back(validate::unreadable_file(names[i], text.error()));
        ++found;  // nobody knows what is in it
        continue;
      }
      auto count = schemas_.add(names[i], *text, parts);
      if (!count &&
          (count.error().code() == Code::kUsage || count.error().code() == Code::kInvalid))
        return std::unexpected(std::move(count).error());
      if (!count) results_.push_back(validate::unreadable_file(names[i], count.error()));
      found += count.value_or(1);
      if (instead.empty()) instead = schemas_.passed_over();
    }
    if (found == 0) {
      if (instead.empty()) instead = validate::say(validate::Phrase::kNoDefinition);
      return std::unexpected(Error(Code::kIo, std::move(instead)).in(operand));
    }
  }
  return {};
}

Result<> ValidateRun::load_old() {
  STRAKE_TRY(const std::vector<std::string> names, files_.find(options_.old));
  for (const std::string& name : names) {
    STRAKE_TRY(const Text text, read(name));
    STRAKE_CHECK(old_.add(*text, validate::read_options(name, options_.check, false)));
  }
  return {};
}

Result<> ValidateRun::load_policies() {
  policies_.emplace(schemas_.catalog());
  check_.reviewer = &*policies_;
  return add_policy_files(options_.policies, files_, options_.check, *policies_);
}

// After everything else: what is given by hand, or about to be applied, counts before what the
// cluster has.
Result<> ValidateRun::load_cluster() {
  std::set<std::string> api_versions;
  bool all_known = true;
  for (const Result<Text>& text : texts_) {
    if (!text) continue;
    all_known = all_known && *text != nullptr;  // nor when it is read again
    if (*text != nullptr) add_api_versions(**text, api_versions);
  }
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(options_.kubeconfig, options_.context, io_));
  STRAKE_TRY(const ClusterSchemas schemas,
             fetch_cluster_schemas(cluster, all_known ? &api_versions : nullptr, io_));
  if (!schemas.warning.empty())
    warn(validate::in_language(printable(schemas.warning), options_.report.locale),
         options_.report.locale, io_);
  for (const ClusterSchema& one : schemas.all)
    STRAKE_CHECK(schemas_.add_kinds(one.name, one.text, validate::Trust::kTaken));
  return {};
}

// Last of all: what is given for the kinds that people declare counts before what this program has.
// Most inputs have none of them, and then nothing is read.
Result<> ValidateRun::add_declared_kinds() {
  if (!may_declare_) return {};
  for (const auto& [name, text] : ops::kom_definitions()) {
    STRAKE_TRY(const value::Document definition, value::read_yaml(text));
    const value::Value& names = definition.root().get("spec").get("names");
    const meta::GroupKind kind{std::string(ops::kKomGroup),
                               std::string(value::text_of(names, "kind"))};
    if (schemas_.catalog().knows(kind)) continue;
    STRAKE_CHECK(schemas_.add_kinds(std::string(name), std::make_shared<const std::string>(text),
                                    validate::Trust::kTaken));
  }
  return {};
}

// CRDs among the inputs are schemas for the rest, whichever comes first.
void ValidateRun::read_inputs() {
  texts_.resize(names_.size());
  read_again_.resize(names_.size());
  std::vector<std::uint8_t> may_define(names_.size());
  parsed_.resize(names_.size());
  const bool share = validate::reads_like_catalog(check_);
  std::atomic<std::uint64_t> held = 0;
  std::atomic<std::uint64_t> parsed = 0;
  std::atomic<bool> may_declare = false;
  for_each(names_.size(), [&](std::size_t i) {
    if (is_streamed(names_[i])) {
      may_declare = true;  // nobody knows before it passes
      return;
    }
    texts_[i] = read(names_[i]);
    if (!texts_[i]) return;
    if (holds(**texts_[i], ops::kKomGroup)) may_declare = true;
    may_define[i] = (*texts_[i])->find("CustomResourceDefinition") != std::string::npos;
    const std::uint64_t size = (*texts_[i])->size();
    if (may_define[i] == 0 && held + size > kMostHeldBytes && can_read_again(names_[i])) {
      texts_[i] = Text();
      read_again_[i] = 1;
    } else {
      held += size;
    }
    if (may_define[i] == 0 || !share || (parsed += size) > kMostParsedBytes) return;
    parsed_[i] = std::make_shared<const validate::ParsedFile>(validate::parse_file(
        names_[i], *texts_[i], validate::read_options(names_[i], check_, true)));
  });
  may_declare_ = may_declare;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (may_define[i] == 0) continue;
    // What is wrong with the text is told when it is checked.
    static_cast<void>(parsed_[i] != nullptr
                          ? schemas_.add_kinds(parsed_[i], validate::Trust::kInput)
                          : schemas_.add_kinds(names_[i], *texts_[i], validate::Trust::kInput));
  }
}

FileResult ValidateRun::check_input(const Checker& checker, std::size_t i) {
  if (read_again_[i] != 0) texts_[i] = read(names_[i]);
  if (!texts_[i]) return validate::unreadable_file(names_[i], texts_[i].error());
  if (*texts_[i] != nullptr) {
    FileResult result =
        parsed_[i] != nullptr ? checker.check(*parsed_[i]) : checker.check(names_[i], **texts_[i]);
    parsed_[i].reset();
    texts_[i] = Text();  // not needed again
    return result;
  }
  auto source = open_source(names_[i], io_);
  if (!source) return validate::unreadable_file(names_[i], source.error());
  return checker.check_stream(names_[i], **source, options_.stream_limits);
}

void ValidateRun::check_inputs() {
  const validate::OldObjects* old = options_.old.empty() ? nullptr : &old_;
  validate::CheckOptions for_found = check_;
  for_found.manifests_only = check_.any == nullptr;
  const Checker named(schemas_.catalog(), old, check_);
  const Checker in_folder(schemas_.catalog(), old, for_found);
  std::vector<FileResult> checked(names_.size());
  validate::RunBudget budget(check_.results, names_.size());
  std::atomic<std::size_t> first_failure = names_.size();
  Progress progress(io_, "checking", names_.size());
  for_each_index(
      names_.size(), options_.threads,
      [&](std::size_t i) {
        // Whatever the threads do, everything before the first failure is checked.
        if (options_.fail_fast && i > first_failure.load()) return;
        if (budget.is_past(i)) return;
        checked[i] = check_input(named_[i] != 0 ? named : in_folder, i);
        checked[i].named = named_[i] != 0;
        const bool failed = checked[i].has_errors() || checked[i].unreadable;
        budget.add(i, checked[i]);
        if (!options_.fail_fast || !failed) return;
        std::size_t known = first_failure.load();
        while (i < known && !first_failure.compare_exchange_weak(known, i)) {
        }
      },
      [&](std::size_t done) {
        for (std::size_t i = 0; i < done; ++i) progress.step();
      });
  if (options_.fail_fast && first_failure < checked.size()) {
    checked.resize(first_failure + 1);
    keep_first_error(checked.back());
  }
  budget.settle(checked);
  std::ranges::move(checked, std::back_inserter(results_));
}

// A CRD that was used, and that the server would refuse, is a finding of its own; among the
// inputs it is one already.
void ValidateRun::add_refused_schemas() {
  validate::CheckOptions plain = options_.check;
  plain.output = validate::Output::kNone;
  plain.presence.on = false;
  plain.note_defaults = false;
  const Checker checker(schemas_.catalog(), nullptr, plain);
  std::vector<FileResult> refused;
  for (const validate::Catalog::Refused& one : schemas_.catalog().refused_files()) {
    if (std::ranges::find(names_, one.file) == names_.end())
      refused.push_back(checker.check_faulty(one.file, *one.text));
  }
  std::ranges::move(results_, std::back_inserter(refused));
  results_ = std::move(refused);
}

// What was approximated stands in front of what was found with it.
void ValidateRun::add_schema_warnings() {
  std::vector<FileResult> told;
  for (const validate::SchemaSet::Diagnostic& one : schemas_.diagnostics()) {
    if (told.empty() || told.back().file != one.file) {
      told.push_back({.file = one.file});
      told.back().documents.push_back({.status = validate::Status::kValid});
    }
    told.back().documents.back().findings.push_back(finding_of(one.about));
  }
  std::ranges::move(results_, std::back_inserter(told));
  results_ = std::move(told);
}

}  // namespace strake::cli
