#pragma once
// The flags of `strake validate`.
#include <string_view>

#include "cli/cluster_flags.h"
#include "cli/shared_flags.h"
#include "cli/validate_report.h"

namespace strake::cli {

// Each in the order of its enumerators.
inline constexpr std::string_view kProfileChoices[] = {"structural-v1", "loose"};
inline constexpr std::string_view kUnknownChoices[] = {"warn", "prune", "strict", "preserve"};
inline constexpr std::string_view kDuplicateChoices[] = {"warn", "error", "last-wins",
                                                         "first-wins"};
inline constexpr std::string_view kDefaultChoices[] = {"ignore", "annotate", "apply"};
inline constexpr std::string_view kPathChoices[] = {"pointer", "k8s", "both"};
inline constexpr std::string_view kEqualChoices[] = {"structural", "canonical-json"};
inline constexpr std::string_view kAmbiguityChoices[] = {"error", "first-match", "score-best"};
inline constexpr std::string_view kNumberChoices[] = {"json-number", "float64", "k8s"};
inline constexpr std::string_view kFormatChoices[] = {"profile", "annotate", "enforce"};
inline constexpr std::string_view kStrategyChoices[] = {"best-effort", "fail-fast", "full-buffer"};
inline constexpr std::string_view kSwitchChoices[] = {"off", "on"};

inline constexpr FlagSpec kValidateFlags[] = {
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kTexts,
     .value_name = "FILE|DIR|GLOB",
     .summary = "CRDs, OpenAPI documents or a schema to check with; may be given several times"},
    {.name = "schema-folder",
     .kind = FlagKind::kTexts,
     .value_name = "DIR",
     .summary = "schemas may refer to files below this folder, besides their own ones"},
    {.name = "from-cluster",
     .summary = "take schemas from the cluster of the current context, too"},
    {.name = "context",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "take schemas from the cluster of this context of the kubeconfig, too"},
    kKubeconfigFlag,
    {.name = "strict", .summary = "unknown and duplicate fields are errors, not warnings"},
    {.name = "trust-schemas", .summary = "do not check the CRDs given with -s themselves"},
    {.name = "ignore-missing-schemas", .summary = "pass over kinds without a schema"},
    output_flag("report as text, json, yaml, sarif, junit or github"),
    {.name = "kubernetes-version",
     .kind = FlagKind::kText,
     .value_name = "1.N",
     .fallback = "1.36",
     .summary = "the version of Kubernetes whose own kinds are known"},
    {.name = "exclude",
     .kind = FlagKind::kTexts,
     .value_name = "GLOB",
     .summary = "leave out files and folders that match; may be given several times"},
    {.name = "skip",
     .kind = FlagKind::kTexts,
     .value_name = "KIND",
     .summary = "do not check objects of this kind, or group/kind; may be given several times"},
    {.name = "baseline",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "do not report the findings that this file knows"},
    {.name = "write-baseline", .summary = "write all findings into the file of --baseline"},
    {.name = "config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "read settings from this file, not from the nearest strake.yaml"},
    {.name = "no-config", .summary = "do not look for strake.yaml"},
    {.name = "verbose", .letter = 'v', .summary = "list the files that were skipped, and why"},
    {.name = "old",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "objects that are replaced: check those with the same kind and name as updates"},
    {.name = "print",
     .summary = "print the objects as the server would store them; report on the error stream"},
    {.name = "preserving",
     .summary = "let --print leave out defaults and keep nulls, as the objects were sent"},
    {.name = "watch", .summary = "check again whenever a file changes"},
    {.name = "jobs",
     .letter = 'j',
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "threads to use; 0 means all cores"},
    {.name = "fail-fast", .summary = "stop at the first error"},
    choice_flag("profile", "PROFILE", kProfileChoices, "structural-v1",
                "schemas as the API server takes them (structural-v1), or any OpenAPI or JSON "
                "Schema document (loose)"),
    choice_flag("unknown", "POLICY", kUnknownChoices, "warn",
                "fields no schema covers: dropped with a warning (warn) or silently (prune), "
                "refused (strict), kept (preserve)"),
    choice_flag("duplicates", "POLICY", kDuplicateChoices, "warn",
                "a key that stands twice: warn, error, last-wins or first-wins"),
    {.name = "yaml-core",
     .summary = "read YAML by the rules of 1.2 core, with a warning where a server reads something "
                "else"},
    choice_flag("defaults", "MODE", kDefaultChoices, "apply",
                "fill defaults in (apply), list where they would be (annotate), or ignore them"),
    {.name = "presence",
     .summary = "let the report say of each field whether it was sent, null, "
                "or a default; for json and yaml"},
    {.name = "presence-include",
     .kind = FlagKind::kTexts,
     .value_name = "POINTER",
     .summary = "of --presence only what is below; may be given several times"},
    {.name = "presence-exclude",
     .kind = FlagKind::kTexts,
     .value_name = "POINTER",
     .summary = "of --presence not what is below; may be given several times"},
    choice_flag("path-render", "FORM", kPathChoices, "",
                "paths as /spec/a/0 (pointer), spec.a[0] (k8s), or both"),
    {.name = "locale",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .fallback = "en",
     .summary = "language of messages: en, ja; any other is en"},
    choice_flag("cel", "SWITCH", kSwitchChoices, "on",
                "run the rules of x-kubernetes-validations (on), or do not (off)"),
    choice_flag("equal-mode", "MODE", kEqualChoices, "structural",
                "loose: how elements of lists are compared, structural or canonical-json"),
    choice_flag("ambiguity", "MODE", kAmbiguityChoices, "error",
                "loose: several matches of oneOf are an error, or decided by first-match or "
                "score-best"),
    choice_flag("number-mode", "MODE", kNumberChoices, "json-number",
                "loose: numbers exactly (json-number), as float64, or as the server has them "
                "(k8s)"),
    choice_flag("format-mode", "MODE", kFormatChoices, "profile",
                "loose: formats are noted (annotate), checked (enforce), or what the schema says "
                "(profile)"),
    choice_flag("embedded-checks", "SWITCH", kSwitchChoices, "off",
                "loose: embedded resources need apiVersion, kind and metadata (on)"),
    {.name = "int-or-string-pattern",
     .summary = "loose: strings of int-or-string must be whole numbers"},
    {.name = "schema-root",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "loose: the component, or the #/pointer, of a schema document that is meant"},
    {.name = "fail-on-schema-warnings",
     .summary = "exit 2 when a schema was not taken exactly as it is written"},
    {.name = "stream", .summary = "hold no JSON file in memory, whatever its size"},
    bytes_flag("stream-threshold", "64Mi", "larger JSON files are not held in memory"),
    choice_flag("strategy", "NAME", kStrategyChoices, "best-effort",
                "what a document that is not held needs to be held for: up to the limits "
                "(best-effort), stopping at the first error or limit (fail-fast), or everything "
                "(full-buffer)"),
    bytes_flag("max-buffer", "1Mi", "of a document that is not held: bytes of one part"),
    bytes_flag("max-total-buffer", "64Mi", "of a document that is not held: bytes at one time"),
    count_flag("max-issues", "1000", "findings shown of one document"),
    {.name = "max-depth",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .summary = "refuse documents nested deeper; 10000, or 512 under loose"},
    {.name = "max-bytes",
     .kind = FlagKind::kBytes,
     .value_name = "SIZE",
     .summary = "refuse documents larger than the server would take, 3Mi; no limit under loose"},
};

}  // namespace strake::cli
