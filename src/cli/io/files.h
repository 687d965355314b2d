#pragma once
// Files as commands name them: found in folders, read under a limit, replaced in one step.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "cli/io/io.h"

namespace strake::cli {

// The files that the operands mean, in order: a file or "-" is taken as it is; a folder stands for
// the *.yaml, *.yml,
// *.json, *.ndjson and *.jsonl files below it, sorted, without those whose name, or whose folder's,
// starts with a dot, and those of node_modules. Links to folders are not followed. Pipes, sockets
// and devices in a folder are skipped, with a line on the error stream. A name that is not there,
// and a folder with nothing in it, is Code::kIo.
Result<std::vector<std::string>> find_inputs(std::span<const std::string> operands, Io& io);

// One of those names, by its end.
bool is_document_file(std::string_view name);

// "a pipe", "a socket" or "a device", through links; nothing for files and folders, and for what is
// not there.
std::string_view special_kind(const std::string& path);

// A file that the user named, or that was found in a folder. Pipes are read, devices and sockets
// refused. Code::kIo.
Result<InputFile> open_input(const std::string& name);

// "-" is standard input. Code::kIo, or Code::kLimit when there is more than `limit` bytes.
Result<std::string> read_input(const std::string& name, std::uint64_t limit, Io& io);

// Gives the file new content. Whoever reads it meanwhile sees all of the old or all of the new;
// mode and owner stay, and a link stays a link. Code::kIo.
Result<> replace_file(const std::string& name, std::string_view content);

// The same for a file that may not be there yet; one that cannot be written whole is removed. What
// is no regular file (/dev/stdout, a pipe) is
// written to.
Result<> write_file(const std::string& name, std::string_view content);

}  // namespace strake::cli
