#include "cli/schema_command.h"

#include <algorithm>

#include "cli/app.h"
#include "cli/crd_files.h"
#include "crd/explain.h"
#include "meta/names.h"

namespace strake::cli {
namespace {

std::vector<std::string> split(std::string_view text, char divider) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t at = text.find(divider);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

struct Asked {
  const crd::Crd* crd = nullptr;
  std::vector<std::string> path;
};

// "crontab.spec.image" or "crontabs.example.com.spec": a kind by any of its names, its group if
// given, and the way to a field.
std::optional<std::vector<std::string>> path_below(const crd::Crd& crd,
                                                   const std::vector<std::string>& words) {
  const crd::Names& names = crd.names();
  const std::string kind = meta::to_lower_ascii(words[0]);
  const bool named = kind == meta::to_lower_ascii(names.kind) || kind == names.plural ||
                     kind == names.singular ||
                     std::ranges::find(names.short_names, kind) != names.short_names.end();
  if (!named) return std::nullopt;
  const std::vector<std::string> group = split(crd.group(), '.');
  const std::span<const std::string> rest = std::span(words).subspan(1);
  const bool has_group =
      rest.size() >= group.size() && std::ranges::equal(rest.first(group.size()), group);
  const auto path = has_group ? rest.subspan(group.size()) : rest;
  return std::vector<std::string>(path.begin(), path.end());
}

Result<Asked> find_asked(std::string_view text, std::string_view api_version,
                         const std::vector<FoundCrd>& crds) {
  const std::vector<std::string> words = split(text, '.');
  const std::size_t slash = api_version.find('/');
  std::vector<Asked> found;
  bool by_group = false;
  for (const FoundCrd& one : crds) {
    if (slash != std::string_view::npos && one.crd.group() != api_version.substr(0, slash))
      continue;
    auto path = path_below(one.crd, words);
    if (!path) continue;
    // A group in the name decides between kinds that share one.
    const bool has_group = path->size() < words.size() - 1;
    if (has_group && !by_group) found.clear();
    if (by_group && !has_group) continue;
    by_group = by_group || has_group;
    found.push_back({.crd = &one.crd, .path = *std::move(path)});
  }
  if (found.empty()) {
    std::vector<std::string_view> known;
    for (const FoundCrd& one : crds) known.push_back(one.crd.names().kind);
    return fail(Code::kUsage, "no kind \"{}\" among the CRDs{}", words[0],
                suggestion(words[0], known));
  }
  for (const Asked& one : found) {
    if (one.crd->name() == found[0].crd->name()) continue;
    return fail(Code::kUsage, "\"{}\" is in several groups: say {} or {}", words[0],
                found[0].crd->name(), one.crd->name());
  }
  return found[0];
}

Result<const crd::Version*> find_version(const crd::Crd& crd, std::string_view api_version) {
  if (api_version.empty()) {
    const crd::Version* preferred = crd::preferred_version(crd);
    if (preferred == nullptr) return fail(Code::kUsage, "{} serves no version", crd.name());
    return preferred;
  }
  const std::string_view name = api_version.substr(api_version.find('/') + 1);  // npos + 1 is 0
  if (const crd::Version* version = crd.version(name)) return version;
  std::vector<std::string_view> known;
  for (const crd::Version& one : crd.versions()) known.push_back(one.name());
  return fail(Code::kUsage, "{} has no version \"{}\", only {}", crd.name(), name,
              fmt::join(known, ", "));
}

Result<> explain_into(const Arguments& args, const CrdFiles& files, std::string& out) {
  const std::string_view api_version = args.text("api-version");
  STRAKE_TRY(const Asked asked, find_asked(args.operands()[0], api_version, files.crds));
  STRAKE_TRY(const crd::Version* version, find_version(*asked.crd, api_version));
  return crd::explain(*asked.crd, *version, asked.path, {.recursive = args.on("recursive")}, out);
}

ExitCode run_schema_explain(const Arguments& args, Io& io) {
  std::vector<std::string> names(args.operands().begin() + 1, args.operands().end());
  if (args.given("schema")) names.insert(names.begin(), std::string(args.text("schema")));
  if (names.empty()) {
    print_error("say where the CRDs are: -s FILE|DIR|-", io);
    return ExitCode::kInput;
  }
  const auto files = read_crd_files(names, io);
  if (!files) {
    print_error(files.error().to_string(), io);
    return ExitCode::kInput;
  }
  // One broken file among many does not keep the others from being explained.
  for (const Finding& finding : files->findings) io.err.write(render_text(finding, io.colour_err));
  std::string out;
  const auto done = explain_into(args, *files, out);
  io.out.write(out);
  if (done) return ExitCode::kFine;
  print_error(done.error().to_string(), io);
  return ExitCode::kInput;
}

constexpr FlagSpec kExplainFlags[] = {
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "file or folder with CRDs, or - for standard input"},
    {.name = "recursive", .summary = "show all fields below, without their descriptions"},
    {.name = "api-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .summary = "explain this version: v1, or example.com/v1"},
};

constexpr Example kExplainExamples[] = {
    {"strake schema explain crontab -s crds/", "the fields of a kind"},
    {"strake schema explain crontabs.example.com.spec.env -s crds/", "of a field, in one group"},
    {"strake schema explain crontab --recursive -s crd.yaml", "the whole tree"},
};

}  // namespace

constinit const Command kSchemaExplainCommand = {
    .name = "schema explain",
    .group = Group::kAuthor,
    .summary = "show the fields of a kind, as kubectl explain does",
    .description =
        "Prints what the schema of a CRD says about a kind or one of its fields, in the layout of "
        "kubectl explain, without a cluster. The kind may be named by its kind, its plural or "
        "singular, or a short name, with its group behind it where several groups share it. More "
        "CRDs may be named behind the kind.",
    .flags = kExplainFlags,
    .operands = {.usage = "KIND[.FIELD]... [FILE|DIR|-]...",
                 .at_least = 1,
                 .at_most = kAnyNumber,
                 .files = true},
    .examples = kExplainExamples,
    .run = run_schema_explain,
};

}  // namespace strake::cli
