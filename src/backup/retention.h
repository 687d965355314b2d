#pragma once
// The names of backups in their folder, and which of them are kept. Pure.
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace strake::backup {

// "strake-20240101T060000Z.db": names in the order of time.
std::string backup_name(WallTime time);
// Nothing when it is no such name: what else is in the folder is left alone.
std::optional<WallTime> time_of(std::string_view name);

struct Retention {
  std::size_t keep = 0;         // the newest ones; 0 for all
  std::chrono::seconds age{0};  // those that are no older; 0 for all
};

// Of the names, those to remove now that `newest` is there and whole, oldest first. Never `newest`
// itself, nor any that claims to be from a later time: a clock may have been wrong.
std::vector<std::string> to_remove(const std::vector<std::string>& names, std::string_view newest,
                                   const Retention& retention, WallTime now);

}  // namespace strake::backup
