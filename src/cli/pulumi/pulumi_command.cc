#include "cli/pulumi/pulumi_command.h"

#include <algorithm>
#include <optional>

#include "base/quote.h"
#include "base/utf8.h"
#include "cli/command/help.h"
#include "cli/crd/crd_files.h"
#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "cli/pulumi/pulumi_flags.h"
#include "cli/pulumi/pulumi_gate.h"
#include "cli/pulumi/pulumi_source.h"
#include "pulumi/crd_yaml.h"
#include "pulumi/definition.h"
#include "pulumi/package.h"
#include "pulumi/preflight.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using value::Document;
using value::Value;

// One line, whatever the text holds.
std::string as_one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const utf8::Decoded c = utf8::decode(text);
    const bool broken = c.code_point == utf8::kReplacement && c.width == 1;
    if (text[0] == '\n') {
      out += "\\n";
    } else if (text[0] == '\t') {
      out += "\\t";
    } else if (broken || c.code_point < 0x20 || c.code_point == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (c.code_point >= 0x80 && c.code_point < 0xa0) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.code_point));
    } else {
      out += text.substr(0, c.width);
    }
    text.remove_prefix(c.width);
  }
  return out;
}

ExitCode pulumi_exit_code(Code code) {
  switch (code) {
    case Code::kUnsupported: return ExitCode::kUnsupported;
    case Code::kInternal: return ExitCode::kOutputFailed;
    default: return ExitCode::kInput;
  }
}

class PulumiRun {
 public:
  PulumiRun(const PulumiFlags& flags, Io& io) : flags_(flags), io_(io) {}

  ExitCode run() {
    stage("loading schema");
    auto text = load_package_text(flags_.in, flags_.timeout, io_);
    if (!text) {
      refuse(text.error());
      return ExitCode::kInput;  // whatever kept it from coming
    }
    auto package = pulumi::Package::read(std::move(*text));
    if (!package) return refuse(package.error());
    if (auto loaded = load_previous(); !loaded) return refuse(loaded.error());
    return flags_.all ? convert_all(*package) : convert_selected(*package);
  }

 private:
  void line(std::string_view label, std::string_view text) {
    io_.err.write(fmt::format("{}: {}\n", label, printable(as_one_line(text))));
  }
  void stage(std::string_view what) {
    if (flags_.verbose) line("info", what);
  }

  ExitCode refuse(const Error& error) {
    line("error", error.to_string());
    return pulumi_exit_code(error.code());
  }

  Result<> load_previous() {
    if (flags_.previous.empty()) return {};
    STRAKE_CHECK(find_inputs({&flags_.previous, 1}, io_));
    CrdFiles files = read_crd_files({&flags_.previous, 1}, io_);
    if (!files.findings.empty()) {
      return fail(Code::kInvalid, "read previous CRD: {}: {}", flags_.previous,
                  files.findings[0].message);
    }
    if (files.crds.size() != 1) {
      return fail(Code::kInvalid, "read previous CRD: {}: wanted one CRD, got {}", flags_.previous,
                  files.crds.size());
    }
    previous_ = std::move(files.crds[0].crd);
    return {};
  }

  ExitCode convert_selected(const pulumi::Package& package) {
    stage("selecting component");
    const auto token = package.select(flags_.component);
    if (!token) return refuse(token.error());
    const auto text = convert(package, *token);
    if (!text) return refuse(text.error());
    return write(*text);
  }

  // The worst of the single runs; those that went well are written all the same.
  ExitCode convert_all(const pulumi::Package& package) {
    stage("selecting component");
    if (package.components().empty()) return refuse(package.select("").error());
    ExitCode worst = ExitCode::kFine;
    std::string all;
    for (const std::string_view token : package.components()) {
      const auto text = convert(package, token);
      if (!text) {
        const bool named = text.error().message().find(quote(token)) != std::string::npos;
        worst = std::max(
            worst, refuse(named ? text.error()
                                : Error(text.error()).prefixed(pulumi::component_words(token))));
        continue;
      }
      if (!all.empty()) all += "---\n";
      all += *text;
    }
    return std::max(worst, write(all));
  }

  Result<std::string> convert(const pulumi::Package& package, std::string_view token) {
    stage("preflight validation");
    STRAKE_CHECK(pulumi::preflight(package, token, flags_.status));
    stage("deriving identity");
    STRAKE_TRY(
        const pulumi::Identity identity,
        pulumi::settle_identity(pulumi::derive_identity(package.name(), package.version(), token),
                                flags_.identity));
    if (previous_) STRAKE_CHECK(pulumi::check_previous(identity, *previous_));
    stage("translating schema");
    Arena arena;
    STRAKE_TRY(const pulumi::DefinitionParts parts, translate(package, token, identity, arena));
    stage("rendering CRD");
    std::string text;
    pulumi::write_crd_yaml(pulumi::make_definition(identity, parts, arena), text);
    STRAKE_CHECK(check_text(text, token, identity));
    if (!flags_.sample) return text;
    text.clear();
    pulumi::write_crd_yaml(pulumi::make_sample(identity, parts.spec, arena), text);
    return text;
  }

  Result<pulumi::DefinitionParts> translate(const pulumi::Package& package, std::string_view token,
                                            const pulumi::Identity& identity, Arena& arena) {
    pulumi::Skips skips;
    auto spec = pulumi::translate_inputs(package, token, flags_.translate, arena, skips);
    std::optional<Result<Value>> status;
    if (spec && flags_.status) {
      status = pulumi::translate_outputs(package, token, flags_.translate, arena, skips);
    }
    tell_skips(std::move(skips), token, identity);
    if (!spec) return std::unexpected(std::move(spec).error());
    pulumi::DefinitionParts parts{.spec = *spec};
    if (status) {
      if (!*status) return std::unexpected(std::move(*status).error());
      parts.status = **status;
    }
    if (previous_) parts.previous = &*previous_;
    return parts;
  }

  void tell_skips(pulumi::Skips skips, std::string_view token, const pulumi::Identity& identity) {
    if (!flags_.verbose) return;
    if (pulumi::is_protected_group(identity.group)) {
      skips.list.push_back(
          {"metadata.annotations",
           fmt::format("group {} is protected: servers demand the annotation {}",
                       quote(identity.group), quote("api-approved.kubernetes.io"))});
    }
    std::ranges::sort(skips.list, [](const pulumi::Skip& a, const pulumi::Skip& b) {
      return a.path != b.path ? a.path < b.path : a.reason < b.reason;
    });
    for (const pulumi::Skip& skip : skips.list) {
      line("warn", fmt::format("component={} path={} reason={}", quote(token), quote(skip.path),
                               quote(skip.reason)));
    }
    if (skips.untold > 0) line("info", fmt::format("{} more skips are not shown", skips.untold));
  }

  // What is checked is the text that will be printed.
  Result<> check_text(const std::string& text, std::string_view token,
                      const pulumi::Identity& identity) {
    auto document = value::read_yaml(text);
    if (!document) {
      return fail(Code::kInternal, "serialize CRD output: {}", document.error().to_string());
    }
    auto crd = crd::Crd::read(std::move(*document));
    if (!crd) return fail(Code::kInternal, "serialize CRD output: {}", crd.error().message());
    const auto named = [&](Error error) {
      return std::unexpected(std::move(error).prefixed(pulumi::component_words(token)));
    };
    if (auto done = check_definition(*crd, previous_ ? &*previous_ : nullptr); !done)
      return named(std::move(done).error());
    if (auto done = check_gate(*crd, flags_.gate); !done) return named(std::move(done).error());
    if (previous_) tell_compatibility(*crd, identity);
    return {};
  }

  void tell_compatibility(const crd::Crd& crd, const pulumi::Identity& identity) {
    for (const crd::Change& change : pulumi::compatibility(*previous_, crd, identity.version)) {
      line(change.impact == crd::Impact::kSafe ? "info" : "warn",
           fmt::format("{}: {}{}{}{}{} [{}]", crd::to_string(change.impact), change.version,
                       change.version.empty() ? "" : ": ", change.field,
                       change.field.empty() ? "" : ": ", change.message, change.code));
    }
  }

  ExitCode write(std::string_view text) {
    io_.out.write(text);
    const auto flushed = io_.out.flush();
    if (flushed) return ExitCode::kFine;
    line("error", fmt::format("write CRD output: {}", flushed.error().message()));
    io_.output_failure_told = true;
    return ExitCode::kOutputFailed;
  }

  const PulumiFlags& flags_;
  Io& io_;
  std::optional<crd::Crd> previous_;
};

constexpr Example kPulumiExamples[] = {
    {"strake crd from-pulumi --in schema.json > crd.yaml",
     "convert the only component of a package"},
    {"strake crd from-pulumi --in schema.json --component p:index:Site --verbose",
     "convert one of several, and show what could not be translated"},
    {"strake crd from-pulumi --in https://host/schema.json --unions structural",
     "fetch the schema from a URL and translate unions"},
};

}  // namespace

ExitCode run_pulumi_words(std::span<const std::string> args, Io& io) {
  if (wants_help(args)) {
    io.out.write(help_for(kCrdFromPulumiCommand, io.color_out));
    return ExitCode::kFine;
  }
  const auto flags = read_pulumi_flags(args);
  if (!flags) {
    io.err.write(fmt::format("error: {}\n", printable(as_one_line(flags.error().message()))));
    return ExitCode::kInput;
  }
  return PulumiRun(*flags, io).run();
}

constinit const Command kCrdFromPulumiCommand = {
    .name = "crd from-pulumi",
    .group = Group::kAuthor,
    .summary = "generate the CRD of a Pulumi component",
    .description =
        "Reads a Pulumi package schema, selects one component resource, and prints a CRD whose "
        "spec has the component's inputs. What a CRD cannot express is skipped; --verbose shows "
        "what. The program does the same under the name pulumi-component-to-crd.\n\n"
        "Standard output has only the CRD. Exit codes: 2 for invalid flags, input and "
        "selection, 3 for what cannot be skipped (cycles, enums of another type), 4 if the "
        "output cannot be written. docs/from-pulumi.md has the rules.",
    .flags = kPulumiFlags,
    .examples = kPulumiExamples,
    .run_words = run_pulumi_words,
};

}  // namespace strake::cli
