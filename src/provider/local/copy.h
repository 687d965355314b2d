#pragma once
// Copies of disks: files and folders with all that is in them. Content is shared with the original
// where the file system can (FICLONE); else data is copied and holes stay holes. Nothing of it is
// in its place until the caller renames it, so it may be given up at any point.
#include <cstdint>
#include <string>

#include "provider/call.h"

namespace strake::provider::local {

struct CopyLimits {
  std::int64_t bytes = 0;  // of all files together, as their sizes say
  std::uint64_t entries = 1'000'000;
  unsigned depth = 200;
};

// `to` is not there yet. Modes, times, extended attributes, and owners where this user may, are
// kept; links stay links. A device, socket or pipe in it is left out, with a warning of the call.
// Fails with kValidation past a limit, and as call.check() within a moment. On disk when it
// succeeds.
Outcome<> copy_file(const Call& call, const std::string& from, const std::string& to,
                    const CopyLimits& limits);
Outcome<> copy_folder(const Call& call, const std::string& from, const std::string& to,
                      const CopyLimits& limits);

// An empty file of that size, which takes no room.
Outcome<> make_sparse_file(const std::string& path, std::int64_t bytes);
Outcome<> make_empty_folder(const std::string& path);
// Changes the size of one. On disk when it succeeds.
Outcome<> resize_file(const std::string& path, std::int64_t bytes);

}  // namespace strake::provider::local
