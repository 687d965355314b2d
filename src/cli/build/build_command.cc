#include "cli/build/build_command.h"

#include <algorithm>
#include <array>

#include "cli/build/build_check.h"
#include "cli/build/build_options.h"
#include "cli/build/build_why.h"
#include "cli/build/disk_tree.h"
#include "cli/build/kustomize_file.h"
#include "cli/command/plain_words.h"
#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "cli/validate/validate_report.h"

namespace strake::cli {
namespace {

// The place and the words of one error, without the context that others put around it.
std::string shown_error(const Error& error) {
  std::string out;
  if (!error.source().empty()) {
    out = shown_file(error.source());
    if (error.position()) out += fmt::format(":{}", error.position()->line);
    out += ": ";
  }
  std::string message = error.message();
  for (const Error& cause : error.causes()) message += fmt::format(": {}", cause.message());
  return out + plain_words(message, error.position().has_value());
}

// A template that was not rendered is YAML only by chance, so what is wrong with it tells nothing.
bool is_unrendered(const Error& error) {
  if (error.source().empty()) return false;
  const auto text = DiskTree().read(error.source(), kMostKustomizationBytes);
  return text && looks_like_helm_template(*text);
}

// A build that failed tells in causes where that was, and which kustomizations led there.
void print_build_error(const Error& error, Io& io) {
  const Error& fault = error.causes().empty() ? error : error.causes()[0];
  const std::string text = shown_error(fault);
  std::string_view rest = text;
  print_error(rest.substr(0, rest.find('\n')), io);
  while (rest.find('\n') < rest.size() - 1) {
    rest.remove_prefix(rest.find('\n') + 1);
    io.err.write(fmt::format("    {}\n", printable(rest.substr(0, rest.find('\n')))));
  }
  if (is_unrendered(fault)) io.err.write(fmt::format("  {}\n", kHelmTemplateHint));
  for (std::size_t i = 1; i < error.causes().size(); ++i) {
    const Error& by = error.causes()[i];
    io.err.write(
        fmt::format("  {} {}\n", printable(by.message()), printable(shown_file(by.source()))));
  }
}

// What cannot be found or read is a fault of the input here, wherever it was looked for.
ExitCode input_error(const Error& error, Io& io) {
  print_build_error(error, io);
  switch (error.code()) {
    case Code::kUnsupported: return ExitCode::kUnsupported;
    case Code::kServiceUnavailable:
    case Code::kTimeout: return ExitCode::kRemoteFailed;
    default: return ExitCode::kInput;
  }
}

ExitCode run_build(const Arguments& args, Io& io) {
  const bool why = args.given("why");
  if (args.operands().size() > (why ? 2U : 1U)) {
    print_error("specify one path to kustomization.yaml", io);
    return ExitCode::kInput;
  }
  if (why && args.operands().empty()) {
    print_error("--why needs a resource, like deployment/web", io);
    return ExitCode::kInput;
  }
  BuildRun run;
  if (const auto read = run.read(args, args.on("allow-remote")); !read)
    return input_error(read.error(), io);
  const std::size_t target = why ? 1 : 0;
  if (args.operands().size() > target) run.set_target(args.operands()[target]);
  const auto result = run.run(io);
  if (!result) return input_error(result.error(), io);
  if (why) {
    const auto text = explain_field(*result, args.operands()[0], args.text("why"));
    if (!text) return input_error(text.error(), io);
    io.out.write(printable_lines(*text));
    return ExitCode::kFine;
  }
  ExitCode code = ExitCode::kFine;
  const std::vector<std::string>& schemas = args.texts("schema");
  const std::vector<std::string>& policies = args.texts("policies");
  if (args.on("validate") || args.on("strict") || !schemas.empty() || !policies.empty()) {
    const validate::Locale locale = validate::locale_of(args.text("locale"));
    const auto checked = check_build(
        *result,
        {.schemas = schemas, .policies = policies, .strict = args.on("strict"), .locale = locale},
        io);
    if (!checked && locale == validate::Locale::kEnglish) return input_error(checked.error(), io);
    if (!checked) {
      tell_error(checked.error(), locale, io);
      return exit_code_for(checked.error().code());
    }
    code = *checked;
    if (code != ExitCode::kFine) return code;
  }
  if (args.on("provenance")) {
    io.out.write(printable_lines(render_provenance(*result)));
    return code;
  }
  if (const auto written = write_build(*result, std::string(args.text("output")), io); !written) {
    print_error(written.error().to_string(), io);
    return ExitCode::kOutputFailed;
  }
  return code;
}

// The shared flags, and those that only this command has.
constexpr FlagSpec kOwnFlags[] = {
    {.name = "allow-remote", .summary = "fetch remote bases and files, with git and curl"},
    {.name = "validate", .summary = "validate the result before printing it"},
    {.name = "strict", .summary = "validate the result, and reject fields that no schema declares"},
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kTexts,
     .value_name = "FILE",
     .summary = "CRDs or OpenAPI documents to validate against; implies --validate"},
    {.name = "policies",
     .kind = FlagKind::kTexts,
     .value_name = "FILE",
     .summary = "admission policies to ask about the result; implies --validate"},
    {.name = "locale",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .fallback = "en",
     .summary = "language of the report of --validate: en or ja"},
    {.name = "provenance", .summary = "show which file or step set each field"},
    {.name = "why",
     .kind = FlagKind::kText,
     .value_name = "FIELD",
     .summary = "show what set this field of a resource: --why .spec.replicas deployment/web"},
    kMaxMemoryFlag,
};

constexpr auto kBuildFlags = [] {
  std::array<FlagSpec, std::size(kSharedBuildFlags) + std::size(kOwnFlags)> all{};
  std::ranges::copy(kOwnFlags, std::ranges::copy(kSharedBuildFlags, all.begin()).out);
  return all;
}();

constexpr std::string_view kHelmFlags[] = {"enable-helm", "helm-command", "helm-api-versions",
                                           "helm-kube-version", "helm-debug"};
constexpr std::string_view kCompatibilityFlags[] = {"load-restrictor", "reorder",
                                                    "enable-managedby-label"};
constexpr std::string_view kLimitFlags[] = {"max-memory"};
constexpr FlagSection kBuildSections[] = {
    {"Helm charts", kHelmFlags},
    {"kustomize's rarer flags", kCompatibilityFlags},
    {"limits", kLimitFlags},
};

constexpr Example kBuildExamples[] = {
    {"strake build overlays/prod", "build an overlay"},
    {"strake build overlays/prod -s crds/", "validate the result against CRDs"},
    {"strake build --why .spec.replicas deployment/web overlays/prod",
     "show which file set a field"},
};

}  // namespace

constinit const Command kBuildCommand = {
    .name = "build",
    .group = Group::kBuild,
    .summary = "build a kustomization",
    .description =
        "Builds the kustomization in a folder and prints its resources, byte for byte as kustomize "
        "v5.5.0 does. By default it fetches nothing and runs no other program.\n\n"
        "With --why or --provenance it shows instead which file and line, or which step of which "
        "kustomization, set a field. List items in the field's path are given by index.\n\n"
        "The block openapi.strake of a kustomization adds schemas, CRDs and merge keys; "
        "docs/build.md describes it.",
    .flags = kBuildFlags,
    .sections = kBuildSections,
    .operands = {.usage = "[RESOURCE] [DIR|URL]", .at_most = 2, .files = true},
    .examples = kBuildExamples,
    .run = run_build,
};

}  // namespace strake::cli
