#pragma once
// The command line of `strake crd from-pulumi`, read as the tool it stands in for reads its own:
// one dash or two, `--x v` or `--x=v`, the last of several counts.
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"
#include "pulumi/identity.h"
#include "pulumi/translate.h"

namespace strake::cli {

struct PulumiFlags {
  std::string in;
  std::string component;
  pulumi::Identity identity;  // overrides; empty where not given
  bool verbose = false;
  // Beyond the contract.
  bool all = false;
  bool status = false;
  bool sample = false;
  std::string previous;             // the file of a CRD
  std::vector<std::uint32_t> gate;  // minors of Kubernetes 1.x
  std::chrono::milliseconds timeout{15'000};
  pulumi::TranslateOptions translate;
};

inline constexpr std::string_view kPulumiAny[] = {"object", "any"};
inline constexpr std::string_view kPulumiConst[] = {"skip", "enum"};
inline constexpr std::string_view kPulumiUnions[] = {"skip", "intorstring", "structural", "any"};

constexpr FlagSpec pulumi_text(std::string_view name, std::string_view value_name,
                               std::string_view summary, std::string_view fallback = {}) {
  return {.name = name,
          .kind = FlagKind::kText,
          .value_name = value_name,
          .fallback = fallback,
          .summary = summary};
}

constexpr FlagSpec pulumi_choice(std::string_view name, std::span<const std::string_view> choices,
                                 std::string_view summary) {
  return {.name = name,
          .kind = FlagKind::kChoice,
          .value_name = "HOW",
          .choices = choices,
          .fallback = choices[0],
          .summary = summary};
}

inline constexpr FlagSpec kPulumiFlags[] = {
    pulumi_text("in", "FILE|URL", "the package schema: a file, an http(s) URL, or -"),
    pulumi_text("component", "TOKEN", "which component, when there are several"),
    pulumi_text("group", "GROUP", "group of the CRD"),
    pulumi_text("version", "VERSION", "version of the CRD"),
    pulumi_text("kind", "KIND", "kind of the CRD"),
    pulumi_text("plural", "NAME", "plural name of the CRD"),
    pulumi_text("singular", "NAME", "singular name of the CRD"),
    {.name = "verbose", .summary = "show each step, and what was skipped and why"},
    {.name = "all", .summary = "convert every component, one document each"},
    {.name = "status", .summary = "translate outputs to status, with the status subresource"},
    {.name = "sample", .summary = "print a minimal valid object instead of the CRD"},
    pulumi_text("previous", "FILE", "keep the other versions of this CRD, and report the changes"),
    pulumi_choice("unions", kPulumiUnions,
                  "how to translate oneOf: skip, intorstring, structural or any"),
    pulumi_choice("const", kPulumiConst, "how to translate const: skip or enum"),
    pulumi_choice("any-as", kPulumiAny, "what pulumi.json#/Any and #/Json allow: object or any"),
    {.name = "list-types", .summary = "declare lists as sets or maps where the schema allows it"},
    {.name = "rules", .summary = "reject changes to fields that would replace the resource"},
    pulumi_text("gate", "VERSIONS", "Kubernetes versions that must accept it: 1.32,1.36 or all"),
    pulumi_text("timeout", "TIME", "time limit for fetching a URL", "15s"),
};

// Whether help is asked for, anywhere before `--`.
bool wants_help(std::span<const std::string> args);

// Code::kUsage with the text of the error line.
Result<PulumiFlags> read_pulumi_flags(std::span<const std::string> args);

}  // namespace strake::cli
