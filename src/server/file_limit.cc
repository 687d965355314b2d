#include "server/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace strake::server {

std::size_t raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;  // what POSIX systems start with
  if (limit.rlim_cur < limit.rlim_max) {
    const rlimit raised{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return raised.rlim_cur;
  }
  return limit.rlim_cur;
}

std::size_t connections_within(std::size_t files, std::size_t wanted) {
  const std::size_t room = files > kReservedFiles ? files - kReservedFiles : 1;
  return std::min(wanted, room);
}

}  // namespace strake::server
