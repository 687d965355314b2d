#include "cli/fmt/fmt_command.h"

#include <algorithm>
#include <optional>

#include "cli/command/plain_words.h"
#include "cli/command/report.h"
#include "cli/command/shared_flags.h"
#include "cli/fmt/diff.h"
#include "cli/fmt/fmt_comments.h"
#include "cli/io/documents.h"
#include "cli/io/files.h"
#include "cli/io/progress.h"
#include "cli/io/terminal.h"
#include "value/json_writer.h"
#include "value/yaml_comments.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

enum class Mode : std::uint8_t { kPrint, kCheck, kWrite };

struct FmtOptions {
  Mode mode = Mode::kPrint;
  ReportFormat report = ReportFormat::kText;
  std::optional<Format> to;  // nothing keeps the format of the input
  value::JsonStyle json{.indent = 2};
  bool diff = false;
  bool verbose = false;
  bool drop_comments = false;
  value::ReadOptions read;
};

Result<FmtOptions> read_fmt_options(const Arguments& args) {
  FmtOptions options;
  const bool check = args.on("check") || args.on("diff");
  if (check && args.on("write"))
    return fail(Code::kUsage, "--check and --write cannot be combined");
  if (check) options.mode = Mode::kCheck;
  if (args.on("write")) options.mode = Mode::kWrite;
  options.diff = args.on("diff");
  options.verbose = args.on("verbose");
  options.report = report_format(args);
  if (args.given("output") && !check) return fail(Code::kUsage, "--output needs --check");
  if (options.verbose && !check) return fail(Code::kUsage, "--verbose needs --check");
  options.drop_comments = args.on("drop-comments");
  if (options.drop_comments && check) {
    return fail(Code::kUsage, "--check and --drop-comments cannot be combined");
  }

  if (args.given("to")) {
    if (options.mode != Mode::kPrint) {
      return fail(Code::kUsage, "--to prints in another format, and cannot be combined with {}",
                  check ? "--check" : "--write");
    }
    const std::string_view to = args.text("to");
    options.to = to == "yaml" ? Format::kYaml : to == "json" ? Format::kJson : Format::kNdjson;
  }
  if (args.on("compact") && args.given("indent")) {
    return fail(Code::kUsage, "--compact and --indent cannot be combined");
  }
  constexpr std::uint64_t kWidestIndent = 16;
  if (args.number("indent") > kWidestIndent) {
    return fail(Code::kUsage, "--indent must be at most {}, got {}", kWidestIndent,
                args.number("indent"));
  }
  options.json.indent = args.on("compact") ? 0 : static_cast<std::size_t>(args.number("indent"));

  options.read.numbers = value::NumberPolicy::kWide;
  options.read.limits.depth = static_cast<std::size_t>(args.number("max-depth"));
  options.read.limits.bytes = args.number("max-bytes");
  const std::string_view duplicates = args.text("duplicates");
  if (duplicates == "first") options.read.duplicates = value::DuplicatePolicy::kFirstWins;
  if (duplicates == "last") options.read.duplicates = value::DuplicatePolicy::kLastWins;
  return options;
}

std::vector<std::string> yaml_documents(const std::vector<value::Document>& documents) {
  std::vector<std::string> out;
  for (const value::Document& document : documents)
    value::write_yaml(document.root(), out.emplace_back());
  return out;
}

std::string format_documents(const std::vector<value::Document>& documents, Format format,
                             const value::JsonStyle& json) {
  std::string out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (format == Format::kYaml) {
      if (i > 0) out += "---\n";
      value::write_yaml(documents[i].root(), out);
    } else {
      value::write_json(documents[i].root(), out,
                        format == Format::kNdjson ? value::JsonStyle{} : json);
      out += '\n';
    }
  }
  return out;
}

// Offset of the first byte where the texts part, as a position in the first.
Position first_difference(std::string_view text, std::string_view other) {
  const auto parting = std::ranges::mismatch(text, other);
  const auto offset = static_cast<std::size_t>(parting.in1 - text.begin());
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto in_line = before.substr(line_start);
  const auto column = std::ranges::count_if(
      in_line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return {.offset = offset,
          .line = static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n')),
          .column = static_cast<std::uint32_t>(1 + column)};
}

// One file after another; what they have in common is here.
class Formatter {
 public:
  Formatter(FmtOptions options, Io& io) : options_(std::move(options)), io_(io) {
    report_.command = "fmt";
    report_.list_files = options_.verbose;
  }

  ExitCode run(const std::vector<std::string>& names) {
    Progress progress(io_, "formatting", names.size());
    for (const std::string& name : names) {
      report_.files.push_back({.name = name});
      handle(name, progress);
      progress.step();
      if (io_.out.failed()) break;  // the caller tells why
    }
    progress.erase();
    if (options_.mode == Mode::kCheck) {
      io_.out.write(render(report_, options_.report, io_.color_out));
    }
    if (options_.mode == Mode::kWrite) {
      io_.out.write(fmt::format("{} of {} {} rewritten\n", rewritten_, names.size(),
                                names.size() == 1 ? "file" : "files"));
    }
    return worst_;
  }

 private:
  void handle(const std::string& name, Progress& progress) {
    auto text = read_input(name, options_.read.limits.bytes, io_);
    if (!text) return add(entry_from(text.error(), name, ""), ExitCode::kInput, progress);
    const auto documents = read_documents(*text, name, options_.read);
    if (!documents) {
      ReportEntry finding = entry_from(documents.error(), name, *text);
      if (looks_like_helm_template(*text)) finding.hint = kHelmTemplateHint;
      return add(std::move(finding), ExitCode::kInput, progress);
    }
    report_.files.back().documents = documents->items.size();
    for (const value::Document& document : documents->items)
      add_duplicates(document, name, *text, progress);

    const Format format = options_.to.value_or(documents->format);
    // A text without documents has no other form than its own.
    if (documents->items.empty()) return;
    Formatted formatted{.text = format_documents(documents->items, format, options_.json)};
    if (format == Format::kYaml && documents->format == Format::kYaml)
      add_comments(name, *text, documents->items, formatted);
    switch (options_.mode) {
      case Mode::kPrint: return print(formatted, format, progress);
      case Mode::kCheck: return check(name, *text, formatted, progress);
      case Mode::kWrite: return rewrite(name, *text, formatted, progress);
    }
  }

  // What a text becomes.
  struct Formatted {
    std::string text;  // the canonical form, which has no comments
    std::vector<value::YamlComment> comments;
    std::string commented;            // the same with the comments, when they can be kept
    std::optional<ReportEntry> lost;  // why they cannot
  };

  void add_comments(const std::string& name, std::string_view text,
                    const std::vector<value::Document>& documents, Formatted& into) const {
    into.comments = value::find_yaml_comments(text);
    if (into.comments.empty() || options_.drop_comments) return;
    auto kept = keep_comments(text, yaml_documents(documents));
    // What is written must read as what was read.
    if (kept) {
      const auto again = read_documents(*kept, name, options_.read);
      if (!again || format_documents(again->items, Format::kYaml, options_.json) != into.text)
        kept = fail(Code::kUnsupported, "its comments cannot be placed here");
    }
    if (kept) {
      into.commented = *std::move(kept);
      return;
    }
    const value::YamlComment& first = into.comments.front();
    ReportEntry& finding = into.lost.emplace(ReportEntry{.code = "comments", .file = name});
    finding.position =
        kept.error().position().value_or(first_difference(text.substr(0, first.begin), text));
    finding.source_line = line_at(text, *finding.position);
    finding.message = plain_words(kept.error().message(), false);
  }

  void print(Formatted& formatted, Format format, Progress& progress) {
    if (printed_ && (format == Format::kYaml || *printed_ == Format::kYaml)) io_.out.write("---\n");
    printed_ = format;
    io_.out.write(formatted.commented.empty() ? formatted.text : formatted.commented);
    if (!formatted.lost) return;
    ReportEntry& finding = *formatted.lost;
    finding.severity = Severity::kWarning;
    finding.message = fmt::format("printed without comments: {}", finding.message);
    add(std::move(finding), ExitCode::kFine, progress);
  }

  void check(const std::string& name, std::string_view text, const Formatted& formatted,
             Progress& progress) {
    const value::UncommentedText plain = without_comments(text, formatted.comments);
    if (plain.text == formatted.text) return;
    Position at = first_difference(plain.text, formatted.text);
    ReportEntry finding{.code = "not-canonical", .message = "not in canonical form", .file = name};
    finding.source_line = line_at(plain.text, at);
    if (at.line <= plain.lines.size()) {
      at.line = plain.lines[at.line - 1];
    }
    finding.position = at;
    finding.hint = fmt::format("`strake fmt --write {}` rewrites it", name);
    if (formatted.lost)
      finding.hint = fmt::format("its comments cannot be kept: {}", formatted.lost->message);
    if (name == "-") finding.hint.clear();
    if (options_.diff) {
      finding.diff = formatted.commented.empty() ? unified_diff(plain.text, formatted.text, name)
                                                 : unified_diff(text, formatted.commented, name);
    }
    add(std::move(finding), ExitCode::kFindings, progress);
  }

  void rewrite(const std::string& name, std::string_view text, Formatted& formatted,
               Progress& progress) {
    const bool dropping = options_.drop_comments && !formatted.comments.empty();
    if (!dropping && without_comments(text, formatted.comments).text == formatted.text) return;
    if (formatted.lost) {
      ReportEntry& finding = *formatted.lost;
      finding.message = fmt::format("not rewritten: {}", finding.message);
      finding.hint = "move the comment, or let --drop-comments rewrite the file without any";
      return add(std::move(finding), ExitCode::kInput, progress);
    }
    const std::string& next = formatted.commented.empty() ? formatted.text : formatted.commented;
    if (const auto replaced = replace_file(name, next); !replaced) {
      return add(entry_from(replaced.error(), name, ""), ExitCode::kOutputFailed, progress);
    }
    ++rewritten_;
  }

  // A file with comments is canonical when it is so without them, wherever they are.
  static value::UncommentedText without_comments(std::string_view text,
                                                 const std::vector<value::YamlComment>& comments) {
    if (comments.empty()) return {.text = std::string(text), .lines = {}};
    return value::remove_yaml_comments(text, comments);
  }

  void add_duplicates(const value::Document& document, const std::string& name,
                      std::string_view text, Progress& progress) {
    const bool first_kept = options_.read.duplicates == value::DuplicatePolicy::kFirstWins;
    for (const value::DuplicateKey& duplicate : document.duplicates()) {
      ReportEntry finding{.code = "duplicate-key", .severity = Severity::kWarning, .file = name};
      finding.message =
          fmt::format("duplicate key at lines {} and {}: the {} is kept", duplicate.first.line,
                      duplicate.second.line, first_kept ? "first" : "last");
      finding.position = duplicate.second;
      finding.path = duplicate.path;
      finding.source_line = line_at(text, duplicate.second);
      add(std::move(finding), ExitCode::kFine, progress);
    }
  }

  // A check reports at the end, in its format; the other modes tell people at once.
  void add(ReportEntry finding, ExitCode code, Progress& progress) {
    worst_ = std::max(worst_, code);
    if (options_.mode != Mode::kCheck) {
      progress.erase();
      io_.err.write(render_text(finding, io_.color_err));
      return;
    }
    report_.findings.push_back(std::move(finding));
  }

  FmtOptions options_;
  Io& io_;
  Report report_;
  std::size_t rewritten_ = 0;
  std::optional<Format> printed_;  // of the file before
  ExitCode worst_ = ExitCode::kFine;
};

ExitCode run_fmt(const Arguments& args, Io& io) {
  auto options = read_fmt_options(args);
  if (!options) return refused(options.error(), io);
  const auto operands = inputs_or_stdin(args, io);
  if (!operands) return refused(operands.error(), io);
  if (options->mode == Mode::kWrite && std::ranges::find(*operands, "-") != operands->end()) {
    print_error("--write needs files: standard input cannot be rewritten", io);
    return ExitCode::kInput;
  }
  const auto names = find_inputs(*operands, io);
  if (!names) return refused(names.error(), io);
  return Formatter(*std::move(options), io).run(*names);
}

constexpr std::string_view kTargets[] = {"yaml", "json", "ndjson"};
constexpr std::string_view kDuplicatePolicies[] = {"error", "first", "last"};

constexpr FlagSpec kFmtFlags[] = {
    {.name = "to",
     .kind = FlagKind::kChoice,
     .value_name = "FORMAT",
     .choices = kTargets,
     .summary = "output format: yaml, json or ndjson; default: the format of the input"},
    count_flag("indent", "2", "spaces a level in JSON"),
    {.name = "compact", .summary = "print JSON without line breaks, one document per line"},
    {.name = "check",
     .summary = "list files that are not in canonical form; exit 1 if there are any"},
    {.name = "diff", .summary = "show what would change; implies --check"},
    output_flag("report of --check as text, json, yaml, sarif, junit or github"),
    {.name = "verbose", .letter = 'v', .summary = "also list the files that are in canonical form"},
    {.name = "write", .letter = 'w', .summary = "rewrite the files in place"},
    {.name = "drop-comments", .summary = "remove comments from YAML output"},
    choice_flag("duplicates", "POLICY", kDuplicatePolicies, "error",
                "duplicate keys: error, or keep the first or the last"),
    kMaxDepthFlag,
    bytes_flag("max-bytes", "1Gi", "refuse larger inputs"),
    kMaxMemoryFlag,
};

constexpr std::string_view kReadingFlags[] = {"duplicates", "max-depth", "max-bytes", "max-memory"};
constexpr FlagSection kFmtSections[] = {{"reading", kReadingFlags}};

constexpr Example kFmtExamples[] = {
    {"strake fmt deploy.json --to yaml", "print a JSON file as YAML"},
    {"kubectl get pods -o json | strake fmt --to ndjson", "one line a document, from a pipe"},
    {"strake fmt --check --diff manifests/", "show what would change in a folder"},
    {"strake fmt -w manifests/", "format all files in a folder"},
};

}  // namespace

constinit const Command kFmtCommand = {
    .name = "fmt",
    .group = Group::kAuthor,
    .summary = "print, check or rewrite documents in canonical YAML or JSON",
    .description =
        "Reads JSON, NDJSON and YAML with any number of documents, and prints them in canonical "
        "form: YAML as "
        "kubectl prints it, JSON as the API server prints it, keys sorted, numbers unchanged. "
        "For a folder, it "
        "uses the YAML and JSON files below it. Without arguments, or for -, it reads standard "
        "input.\n\n"
        "YAML comments stay with the field or item they belong to, and --check leaves them out of "
        "the comparison. A file whose comments cannot be kept is not rewritten unless "
        "--drop-comments is given.",
    .flags = kFmtFlags,
    .sections = kFmtSections,
    .operands = kFileOperands,
    .examples = kFmtExamples,
    .run = run_fmt,
};

}  // namespace strake::cli
