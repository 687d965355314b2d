#pragma once
// strake.yaml: what a repository wants of every run. It is found in the working folder or the
// nearest one above it, up to the root of the repository; flags override it. docs/validate.md has
// the keys.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

inline constexpr std::string_view kConfigName = "strake.yaml";

// What is not there is not said. Names of files are as they can be opened from the working folder.
struct Config {
  std::string file;
  std::filesystem::path folder;  // of the file, absolute: patterns start here
  struct Validate {
    std::optional<std::vector<std::string>> schemas;
    std::optional<std::vector<std::string>> exclude;
    std::optional<std::vector<std::string>> skip;
    std::optional<std::string> kubernetes_version;
    std::optional<std::string> baseline;
    std::optional<std::string> unknown;
    std::optional<std::string> duplicates;
    std::optional<bool> strict;
    std::optional<bool> ignore_missing_schemas;
    std::optional<bool> trust_schemas;
  } validate;
};

// The config file that holds for a folder; nothing when there is none. A folder with .git in it is
// the last one that is looked at.
std::optional<std::filesystem::path> find_config(std::filesystem::path folder);

// Strict: an unknown key, or a value of another type, is an error with its place. Code::kIo,
// kParse, kInvalid.
Result<Config> read_config(const std::filesystem::path& file);
Result<Config> parse_config(std::string_view text, const std::filesystem::path& file);

}  // namespace strake::cli
