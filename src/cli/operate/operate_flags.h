#pragma once
// Flags that the commands of operate share, and how a command puts its list together.
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/command/args.h"
#include "cli/command/command.h"

namespace strake::cli {

inline constexpr std::string_view kProgressChoices[] = {"auto", "text", "json", "none"};

// Where a run is and what it is given: every command has them.
inline constexpr auto kRunFlags = std::to_array<FlagSpec>({
    {.name = "chdir",
     .letter = 'C',
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "run in this folder"},
    {.name = "kompox-root",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "root of the configuration (default: $KOMPOX_ROOT, else the nearest folder "
                "upwards that has .kompox)"},
    {.name = "kompox-dir",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "folder with config.yml (default: $KOMPOX_DIR, else .kompox in the root)"},
    {.name = "kom-path",
     .kind = FlagKind::kTexts,
     .value_name = "PATH",
     .summary = "file or folder to read documents from"},
    {.name = "kom-app",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "app file (default: $KOMPOX_KOM_APP, else kompoxapp.yml)"},
    {.name = "db-url",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "the single file of older configurations (default: $KOMPOX_DB_URL, else "
                "file:kompoxops.yml)"},
    {.name = "log-format",
     .kind = FlagKind::kText,
     .value_name = "FORMAT",
     .summary = "json, human or text (default: $KOMPOX_LOG_FORMAT, else json)"},
    {.name = "log-level",
     .kind = FlagKind::kText,
     .value_name = "LEVEL",
     .summary = "debug, info, warn or error (default: $KOMPOX_LOG_LEVEL, else info)"},
    {.name = "log-output",
     .kind = FlagKind::kText,
     .value_name = "PATH",
     .summary = "write the log to this file, to the error stream (-), or nowhere (none); without "
                "it, each run has a file of its own"},
    {.name = "progress",
     .kind = FlagKind::kChoice,
     .value_name = "HOW",
     .choices = kProgressChoices,
     .fallback = "auto",
     .summary = "steps on the error stream: text, json lines, none; auto is text on a terminal "
                "and json elsewhere"},
});

inline constexpr std::string_view kConfigurationFlagNames[] = {
    "chdir", "kompox-root", "kompox-dir", "kom-path", "kom-app", "db-url"};
inline constexpr std::string_view kLogFlagNames[] = {"log-format", "log-level", "log-output",
                                                     "progress"};
inline constexpr FlagSection kRunSections[] = {
    {.title = "configuration", .flags = kConfigurationFlagNames},
    {.title = "log", .flags = kLogFlagNames},
};

inline constexpr auto kClusterFlags = std::to_array<FlagSpec>({
    {.name = "cluster-id",
     .kind = FlagKind::kText,
     .value_name = "ID",
     .summary = "the cluster, by its Resource ID"},
    {.name = "cluster-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the cluster, by its name (default: that of the configuration)"},
});
inline constexpr auto kAppFlags = std::to_array<FlagSpec>({
    {.name = "app-id",
     .letter = 'A',
     .kind = FlagKind::kText,
     .value_name = "ID",
     .summary = "the app, by its Resource ID"},
    {.name = "app-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the app, by its name (default: that of the configuration)"},
});
inline constexpr auto kVolumeFlags = std::to_array<FlagSpec>({
    {.name = "vol-name",
     .letter = 'V',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the volume of the app"},
});
inline constexpr auto kForceFlags = std::to_array<FlagSpec>({
    {.name = "force", .summary = "do the work again even where it is done"},
});
inline constexpr auto kDryRunFlags = std::to_array<FlagSpec>({
    {.name = "dry-run", .summary = "print what would be done, and change nothing"},
});
inline constexpr auto kLogChoiceFlags = std::to_array<FlagSpec>({
    {.name = "follow", .letter = 'f', .summary = "go on until the container ends"},
    {.name = "tail",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "200",
     .summary = "show so many of the last lines; 0 shows all"},
    {.name = "container",
     .letter = 'c',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "container of the pod (default: the first)"},
});

// One list of several.
template <std::size_t... kSizes>
constexpr auto flags_of(const std::array<FlagSpec, kSizes>&... parts) {
  std::array<FlagSpec, (kSizes + ...)> out{};
  auto* at = out.data();
  ((at = std::ranges::copy(parts, at).out), ...);
  return out;
}

}  // namespace strake::cli
