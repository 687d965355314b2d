#include "cli/schema/schema_command.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "cli/cluster/cluster_flags.h"
#include "cli/cluster/cluster_schemas.h"
#include "cli/command/shared_flags.h"
#include "cli/crd/crd_files.h"
#include "cli/io/terminal.h"
#include "crd/explain.h"
#include "meta/names.h"
#include "value/json_writer.h"

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

// A kind that can be asked for: of a CRD, or of an OpenAPI document.
struct Subject {
  const crd::Crd* crd = nullptr;
  std::vector<crd::OpenApiKind> versions;  // without a CRD, the most stable one first
  std::string group;
  std::string kind;
  std::vector<std::string> names;  // in lower case

  // "crontabs.example.com"
  std::string full_name() const { return group.empty() ? names[0] : names[0] + "." + group; }
};

struct Asked {
  const Subject* subject = nullptr;
  std::vector<std::string> path;
};

std::string guessed_plural(const std::string& kind) {
  if (kind.ends_with("s") || kind.ends_with("x") || kind.ends_with("ch") || kind.ends_with("sh"))
    return kind + "es";
  if (kind.ends_with("y") && kind.size() > 1 &&
      std::string_view("aeiou").find(kind[kind.size() - 2]) == std::string_view::npos)
    return kind.substr(0, kind.size() - 1) + "ies";
  return kind + "s";
}

Subject subject_of(const crd::Crd& crd) {
  const crd::Names& names = crd.names();
  Subject out{.crd = &crd,
              .group = std::string(crd.group()),
              .kind = std::string(names.kind),
              .names = {std::string(names.plural), meta::to_lower_ascii(names.kind),
                        std::string(names.singular)}};
  for (const std::string_view name : names.short_names) out.names.emplace_back(name);
  return out;
}

std::vector<Subject> subjects_of(const CrdFiles& files) {
  std::vector<Subject> out;
  for (const FoundCrd& one : files.crds) out.push_back(subject_of(one.crd));
  for (const FoundDescription& one : files.descriptions) {
    for (crd::OpenApiKind& kind : crd::openapi_kinds(one.document->root())) {
      const auto known = std::ranges::find_if(out, [&](const Subject& subject) {
        return subject.group == kind.gvk.group && subject.kind == kind.gvk.kind;
      });
      if (known != out.end()) {
        const auto place =
            std::ranges::find_if(known->versions, [&](const crd::OpenApiKind& other) {
              return crd::is_preferred(kind.gvk.version, other.gvk.version);
            });
        known->versions.insert(place, std::move(kind));
        continue;
      }
      const std::string name = meta::to_lower_ascii(kind.gvk.kind);
      Subject subject{
          .group = kind.gvk.group, .kind = kind.gvk.kind, .names = {guessed_plural(name), name}};
      subject.versions.push_back(std::move(kind));
      out.push_back(std::move(subject));
    }
  }
  return out;
}

// "crontab.spec.image" or "crontabs.example.com.spec": a kind by any of its names, its group if
// given, and the way to a field.
std::optional<std::vector<std::string>> path_below(const Subject& subject,
                                                   const std::vector<std::string>& words) {
  const std::string kind = meta::to_lower_ascii(words[0]);
  if (std::ranges::find(subject.names, kind) == subject.names.end()) return std::nullopt;
  const std::vector<std::string> group = split(subject.group, '.');
  const std::span<const std::string> rest = std::span(words).subspan(1);
  const bool has_group = !subject.group.empty() && rest.size() >= group.size() &&
                         std::ranges::equal(rest.first(group.size()), group);
  const auto path = has_group ? rest.subspan(group.size()) : rest;
  return std::vector<std::string>(path.begin(), path.end());
}

Result<Asked> find_asked(std::string_view text, std::string_view api_version,
                         const std::vector<Subject>& subjects) {
  const std::vector<std::string> words = split(text, '.');
  const std::size_t slash = api_version.find('/');
  std::vector<Asked> found;
  bool by_group = false;
  for (const Subject& one : subjects) {
    if (slash != std::string_view::npos && one.group != api_version.substr(0, slash)) continue;
    auto path = path_below(one, words);
    if (!path) continue;
    // A group in the name decides between kinds that share one.
    const bool has_group = path->size() < words.size() - 1;
    if (has_group && !by_group) found.clear();
    if (by_group && !has_group) continue;
    by_group = by_group || has_group;
    found.push_back({.subject = &one, .path = *std::move(path)});
  }
  if (found.empty()) {
    std::vector<std::string_view> known;
    for (const Subject& one : subjects) known.push_back(one.kind);
    return fail(Code::kUsage, "no kind \"{}\" among the schemas{}", words[0],
                suggestion(words[0], known));
  }
  for (const Asked& one : found) {
    if (one.subject->full_name() == found[0].subject->full_name()) continue;
    return fail(Code::kUsage, "\"{}\" is in several groups: say {} or {}", words[0],
                found[0].subject->full_name(), one.subject->full_name());
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

Result<const crd::OpenApiKind*> find_version(const Subject& subject, std::string_view api_version) {
  if (api_version.empty()) return &subject.versions[0];
  const std::string_view name = api_version.substr(api_version.find('/') + 1);  // npos + 1 is 0
  std::vector<std::string_view> known;
  for (const crd::OpenApiKind& one : subject.versions) {
    if (one.gvk.version == name) return &one;
    known.push_back(one.gvk.version);
  }
  return fail(Code::kUsage, "{} has no version \"{}\", only {}", subject.full_name(), name,
              fmt::join(known, ", "));
}

Result<> explain_into(const Arguments& args, const CrdFiles& files, std::string& out) {
  const std::string_view api_version = args.text("api-version");
  const crd::ExplainOptions options{.recursive = args.on("recursive")};
  const std::vector<Subject> subjects = subjects_of(files);
  STRAKE_TRY(const Asked asked, find_asked(args.operands()[0], api_version, subjects));
  if (asked.subject->crd == nullptr) {
    STRAKE_TRY(const crd::OpenApiKind* kind, find_version(*asked.subject, api_version));
    return crd::explain(*kind, asked.path, options, out);
  }
  const crd::Crd& crd = *asked.subject->crd;
  STRAKE_TRY(const crd::Version* version, find_version(crd, api_version));
  return crd::explain(crd, *version, asked.path, options, out);
}

void append_files(CrdFiles more, CrdFiles& to) {
  std::ranges::move(more.crds, std::back_inserter(to.crds));
  std::ranges::move(more.descriptions, std::back_inserter(to.descriptions));
  std::ranges::move(more.files, std::back_inserter(to.files));
  std::ranges::move(more.findings, std::back_inserter(to.findings));
}

// A version that is asked for with its group spares the documents of all others.
Result<CrdFiles> files_of_cluster(const Arguments& args, Io& io) {
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const std::set<std::string> wanted = {std::string(args.text("api-version"))};
  const bool one_version = args.text("api-version").find('/') != std::string_view::npos;
  STRAKE_TRY(ClusterSchemas schemas,
             fetch_cluster_schemas(cluster, one_version ? &wanted : nullptr, io));
  // Explaining needs no rules, which is what the warning is about.
  std::vector<NamedText> texts;
  for (const ClusterSchema& one : schemas.all)
    texts.push_back({.name = one.name, .text = *one.text});
  return read_crd_texts(std::move(texts));
}

ExitCode run_schema_explain(const Arguments& args, Io& io) {
  std::vector<std::string> names(args.operands().begin() + 1, args.operands().end());
  if (args.given("schema")) names.insert(names.begin(), std::string(args.text("schema")));
  if (names.empty() && !asks_cluster(args)) {
    print_error("say where the schemas are: -s FILE|DIR|-, or --from-cluster", io);
    return ExitCode::kInput;
  }
  CrdFiles files = read_crd_files(names, io);
  if (asks_cluster(args)) {
    auto served = files_of_cluster(args, io);
    if (!served) return failed(served.error(), io);
    append_files(*std::move(served), files);
  }
  // One broken file among many does not keep the others from being explained.
  for (const ReportEntry& finding : files.findings)
    io.err.write(render_text(finding, io.color_err));
  std::string out;
  const auto done = explain_into(args, files, out);
  io.out.write(printable_lines(out));
  if (done) return ExitCode::kFine;
  print_error(done.error().to_string(), io);
  return ExitCode::kInput;
}

// The schema as its CRD has it, on its own.
Result<std::string> export_schema(const Arguments& args, const CrdFiles& files) {
  const std::string_view api_version = args.text("api-version");
  const std::vector<Subject> subjects = subjects_of(files);
  STRAKE_TRY(const Asked asked, find_asked(args.operands()[0], api_version, subjects));
  if (!asked.path.empty())
    return fail(Code::kUsage, "name the kind alone: a field has no schema of its own");
  if (asked.subject->crd == nullptr) {
    return fail(Code::kUnsupported,
                "{} comes from an OpenAPI document: its schema needs the others "
                "there",
                asked.subject->full_name());
  }
  STRAKE_TRY(const crd::Version* version, find_version(*asked.subject->crd, api_version));
  if (version->schema() == nullptr) {
    return fail(Code::kInvalid, "version {} of {} has no schema", version->name(),
                asked.subject->full_name());
  }
  Arena arena;
  value::Value schema = value::deep_copy(*version->schema(), arena);
  if (args.on("presence-marker"))
    schema.set("x-goskema-presence", value::Value::boolean(true), arena);
  return value::to_json(schema, {.indent = 2}) + "\n";
}

ExitCode run_schema_export(const Arguments& args, Io& io) {
  std::vector<std::string> names(args.operands().begin() + 1, args.operands().end());
  if (args.given("schema")) names.insert(names.begin(), std::string(args.text("schema")));
  if (names.empty()) {
    print_error("say where the schemas are: -s FILE|DIR|-", io);
    return ExitCode::kInput;
  }
  const CrdFiles files = read_crd_files(names, io);
  for (const ReportEntry& finding : files.findings)
    io.err.write(render_text(finding, io.color_err));
  const auto text = export_schema(args, files);
  if (!text) {
    print_error(text.error().to_string(), io);
    return text.error().code() == Code::kUnsupported ? ExitCode::kUnsupported : ExitCode::kInput;
  }
  io.out.write(*text);
  return ExitCode::kFine;
}

constexpr FlagSpec kExportFlags[] = {
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "file or folder with CRDs, or - for standard input"},
    {.name = "api-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .summary = "export this version: v1, or example.com/v1"},
    {.name = "presence-marker",
     .summary =
         "mark the schema with x-goskema-presence: true, for readers that track which fields were "
         "sent"},
};

constexpr Example kExportExamples[] = {
    {"strake schema export crontab -s crds/ > crontab.json", "write the schema of a kind as JSON"},
    {"strake schema export crontab -s crds/ --presence-marker", "mark it for readers of presence"},
};

constexpr FlagSpec kExplainFlags[] = {
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "file or folder with CRDs or OpenAPI documents, or - for standard input"},
    kFromClusterFlag,
    kFromContextFlag,
    kKubeconfigFlag,
    {.name = "recursive", .summary = "show all fields below, without their descriptions"},
    {.name = "api-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .summary = "explain this version: v1, or example.com/v1"},
};

constexpr Example kExplainExamples[] = {
    {"strake schema explain crontab -s crds/", "show the fields of a kind"},
    {"strake schema explain crontabs.example.com.spec.env -s crds/",
     "show a field of a kind in this group"},
    {"strake schema explain crontab --recursive -s crd.yaml", "show all fields"},
    {"strake schema explain deployment.spec --from-cluster", "use the schemas of a cluster"},
};

}  // namespace

constinit const Command kSchemaExplainCommand = {
    .name = "schema explain",
    .group = Group::kAuthor,
    .summary = "show the fields of a kind, as kubectl explain does",
    .description =
        "Describes a kind or one of its fields from a CRD or an OpenAPI document (v2 or v3), in "
        "the format of kubectl explain. The schemas come from files or, with --from-cluster, from "
        "a cluster. Name the kind by its kind, plural, singular or short name, followed by its "
        "group if several groups have it. More files can follow the kind.",
    .flags = kExplainFlags,
    .operands = {.usage = "KIND[.FIELD]... [FILE|DIR|-]...",
                 .at_least = 1,
                 .at_most = kAnyNumber,
                 .files = true},
    .examples = kExplainExamples,
    .run = run_schema_explain,
};

constinit const Command kSchemaExportCommand = {
    .name = "schema export",
    .group = Group::kAuthor,
    .summary = "print the schema of a kind as a separate document",
    .description =
        "Prints the schema of one version of a CRD as JSON, in the form that `strake validate -s` "
        "and other tools read. Name the kind as for schema explain. Without --api-version it uses "
        "the preferred version.",
    .flags = kExportFlags,
    .operands = {.usage = "KIND [FILE|DIR|-]...",
                 .at_least = 1,
                 .at_most = kAnyNumber,
                 .files = true},
    .examples = kExportExamples,
    .run = run_schema_export,
};

}  // namespace strake::cli
