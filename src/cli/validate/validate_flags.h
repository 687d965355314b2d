#pragma once
// The flags of `strake validate`.
#include <string_view>

#include "cli/cluster/cluster_flags.h"
#include "cli/command/command.h"
#include "cli/command/shared_flags.h"
#include "cli/validate/validate_report.h"

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
     .summary = "CRDs, OpenAPI documents or a schema to check against; repeatable"},
    {.name = "schema-folder",
     .kind = FlagKind::kTexts,
     .value_name = "DIR",
     .summary = "allow $ref to files below this folder, in addition to the schema's own"},
    kFromClusterFlag,
    kFromContextFlag,
    kKubeconfigFlag,
    {.name = "strict", .summary = "unknown and duplicate fields are errors, not warnings"},
    {.name = "trust-schemas", .summary = "do not check the CRDs given with -s themselves"},
    {.name = "ignore-missing-schemas", .summary = "skip kinds without a schema"},
    output_flag("report as text, json, yaml, sarif, junit or github"),
    {.name = "kubernetes-version",
     .kind = FlagKind::kText,
     .value_name = "1.N",
     .fallback = "1.36",
     .summary = "the version of Kubernetes that defines the built-in kinds"},
    {.name = "exclude",
     .kind = FlagKind::kTexts,
     .value_name = "GLOB",
     .summary = "skip matching files and folders; may be given several times"},
    {.name = "skip",
     .kind = FlagKind::kTexts,
     .value_name = "KIND",
     .summary = "do not check objects of this kind, or group/kind; may be given several times"},
    {.name = "baseline",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "do not report the findings listed in this file"},
    {.name = "write-baseline", .summary = "write all findings to the file of --baseline"},
    {.name = "config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "read settings from this file instead of the nearest strake.yaml"},
    {.name = "no-config", .summary = "do not look for strake.yaml"},
    {.name = "verbose", .letter = 'v', .summary = "list skipped files and the reasons"},
    {.name = "old",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "existing objects: check new ones with the same kind and name as updates"},
    {.name = "policies",
     .kind = FlagKind::kTexts,
     .value_name = "FILE|DIR|GLOB",
     .summary = "admission policies to apply and ask, with their bindings and parameters; "
                "repeatable"},
    {.name = "print",
     .summary = "print the objects as the server would store them; report to standard error"},
    {.name = "preserving",
     .summary = "with --print: omit defaults and keep nulls, as in the input"},
    {.name = "watch", .summary = "check again whenever a file changes"},
    {.name = "jobs",
     .letter = 'j',
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "threads to use; 0 means all cores"},
    {.name = "fail-fast", .summary = "stop at the first error"},
    choice_flag("profile", "PROFILE", kProfileChoices, "structural-v1",
                "schemas as the API server accepts them (structural-v1), or any OpenAPI or JSON "
                "Schema document (loose)"),
    choice_flag("unknown", "POLICY", kUnknownChoices, "warn",
                "undeclared fields: drop with a warning (warn) or silently (prune), "
                "reject (strict), keep (preserve)"),
    choice_flag("duplicates", "POLICY", kDuplicateChoices, "warn",
                "duplicate keys: warn, error, last-wins or first-wins"),
    {.name = "yaml-core",
     .summary = "read YAML by the rules of 1.2 core, with a warning where a server reads something "
                "else"},
    choice_flag("defaults", "MODE", kDefaultChoices, "apply",
                "apply defaults (apply), list where they would apply (annotate), or ignore them"),
    {.name = "presence",
     .summary = "report for each field whether it was sent, null "
                "or a default; json and yaml only"},
    {.name = "presence-include",
     .kind = FlagKind::kTexts,
     .value_name = "POINTER",
     .summary = "with --presence: only fields below this one; repeatable"},
    {.name = "presence-exclude",
     .kind = FlagKind::kTexts,
     .value_name = "POINTER",
     .summary = "with --presence: no fields below this one; repeatable"},
    choice_flag("path-render", "FORM", kPathChoices, "",
                "paths as /spec/a/0 (pointer), spec.a[0] (k8s), or both"),
    {.name = "locale",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .fallback = "en",
     .summary = "language of messages: en or ja"},
    choice_flag("cel", "SWITCH", kSwitchChoices, "on",
                "run the rules of x-kubernetes-validations: on or off"),
    {.name = "cel-timeout",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .summary = "stop the rules of an object after this time, such as 200ms; default: no limit"},
    {.name = "cel-functions",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "reject rules that call other functions than these, separated by commas"},
    choice_flag("equal-mode", "MODE", kEqualChoices, "structural",
                "loose: how elements of lists are compared, structural or canonical-json"),
    choice_flag("ambiguity", "MODE", kAmbiguityChoices, "error",
                "loose: if several branches of oneOf match: error, first-match or "
                "score-best"),
    choice_flag("number-mode", "MODE", kNumberChoices, "json-number",
                "loose: numbers exact (json-number), as float64, or as the server reads them "
                "(k8s)"),
    choice_flag("format-mode", "MODE", kFormatChoices, "profile",
                "loose: ignore formats (annotate), check them (enforce), or follow the schema "
                "(profile)"),
    choice_flag("embedded-checks", "SWITCH", kSwitchChoices, "off",
                "loose: require apiVersion, kind and metadata in embedded resources: on or off"),
    {.name = "int-or-string-pattern",
     .summary = "loose: strings of int-or-string must be integers"},
    {.name = "schema-root",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "loose: the component or #/pointer to use from a document with several schemas"},
    {.name = "fail-on-schema-warnings", .summary = "exit 2 if a schema has an unsupported keyword"},
    {.name = "stream",
     .summary = "stream JSON files of any size instead of reading them into memory"},
    bytes_flag("stream-threshold", "64Mi", "stream JSON files above this size"),
    choice_flag("strategy", "NAME", kStrategyChoices, "best-effort",
                "streams: buffer values up to the limits (best-effort), stop at the first "
                "error or limit (fail-fast), or buffer without limits "
                "(full-buffer)"),
    bytes_flag("max-buffer", "1Mi", "streams: most bytes to buffer for one value"),
    bytes_flag("max-total-buffer", "64Mi", "streams: most bytes to buffer at a time"),
    count_flag("max-issues", "1000", "most findings to show per document"),
    count_flag("max-findings", "100000", "most findings to show; the rest is counted"),
    count_flag("max-documents", "500000", "stop after this many documents; streams have no limit"),
    kMaxMemoryFlag,
    {.name = "max-depth",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .summary = "reject documents nested deeper; default: 10000, or 512 with loose"},
    {.name = "max-bytes",
     .kind = FlagKind::kBytes,
     .value_name = "SIZE",
     .summary = "reject larger documents; default: 3Mi, as the server does; no limit with loose"},
};

// What most runs do not need, behind what they do.
inline constexpr std::string_view kValidateSchemaFlags[] = {
    "schema-folder", "from-cluster",  "context",
    "kubeconfig",    "trust-schemas", "fail-on-schema-warnings",
    "cel",           "cel-timeout",   "cel-functions",
    "schema-root",   "profile"};
inline constexpr std::string_view kValidatePolicyFlags[] = {"unknown", "duplicates", "yaml-core",
                                                            "defaults"};
inline constexpr std::string_view kValidateReportFlags[] = {
    "print",       "preserving",       "path-render",      "locale",
    "presence",    "presence-include", "presence-exclude", "max-issues",
    "max-findings"};
inline constexpr std::string_view kValidateRunFlags[] = {
    "jobs",      "fail-fast",     "stream",           "stream-threshold",
    "strategy",  "max-buffer",    "max-total-buffer", "max-depth",
    "max-bytes", "max-documents", "max-memory"};
inline constexpr std::string_view kValidateLooseFlags[] = {
    "equal-mode",  "ambiguity",       "number-mode",
    "format-mode", "embedded-checks", "int-or-string-pattern"};
inline constexpr FlagSection kValidateSections[] = {
    {"schemas", kValidateSchemaFlags},
    {"policies", kValidatePolicyFlags},
    {"report", kValidateReportFlags},
    {"speed and limits", kValidateRunFlags},
    {"with --profile loose", kValidateLooseFlags},
};

}  // namespace strake::cli
