#pragma once
// The flags of a command in a configuration file: a YAML mapping from flags to values, with names
// as in JSON (dataDir for --data-dir). Files that they name are meant from the folder of the
// configuration file.
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"

namespace strake::cli {

// data-dir as dataDir.
std::string key_of_flag(std::string_view flag);

// What the section of that name says; `except` are flags that make no sense in a file. Strict: an
// unknown key, or a value of another type, is an error with its place. Other sections of the file
// must be among `sections`. Code::kParse, kInvalid.
Result<Arguments> parse_config_section(std::string_view text, const std::filesystem::path& file,
                                       std::string_view section,
                                       std::span<const std::string_view> sections,
                                       std::span<const FlagSpec> flags,
                                       std::span<const std::string_view> except);
// The same from a file. Code::kIo, kLimit too.
Result<Arguments> read_config_section(const std::filesystem::path& file, std::string_view section,
                                      std::span<const std::string_view> sections,
                                      std::span<const FlagSpec> flags,
                                      std::span<const std::string_view> except);

}  // namespace strake::cli
