// The process_* families of Prometheus' client libraries. What /proc does not tell is left out.
#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "api/routes/metrics_page.h"

namespace strake::api {
namespace {

std::string file_text(const char* path) {
  std::string out;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return out;
  std::array<char, 4096> buffer;
  std::size_t read = 0;
  while ((read = std::fread(buffer.data(), 1, buffer.size(), file)) > 0 && out.size() < 65536)
    out.append(buffer.data(), read);
  std::fclose(file);
  return out;
}

std::vector<std::uint64_t> numbers_of(std::string_view text) {
  std::vector<std::uint64_t> out;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    std::uint64_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    if (!word.empty()) out.push_back(number);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

// Fields of /proc/self/stat from the third on (the second, the program's name, may hold anything).
std::vector<std::uint64_t> stat_fields() {
  const std::string text = file_text("/proc/self/stat");
  const std::size_t end = text.rfind(')');
  return end == std::string::npos ? std::vector<std::uint64_t>()
                                  : numbers_of(std::string_view(text).substr(end + 1));
}

std::optional<std::uint64_t> boot_time() {
  const std::string text = file_text("/proc/stat");
  const std::size_t at = text.find("\nbtime ");
  if (at == std::string::npos) return std::nullopt;
  const std::vector<std::uint64_t> numbers =
      numbers_of(std::string_view(text).substr(at + 7, text.find('\n', at + 7) - at - 7));
  return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

std::optional<std::size_t> open_files() {
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return std::nullopt;
  std::size_t out = 0;
  while (const dirent* entry = ::readdir(folder)) out += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(folder);
  return out - 1;  // the folder itself was open meanwhile
}

template <typename Number>
void add(std::string& out, std::string_view name, std::string_view type, std::string_view help,
         Number value) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n{0} {3}\n", name, type,
                 help, value);
}

}  // namespace

void write_process_metrics(std::string& out) {
  // Numbered from the third field of proc(5): utime 14, stime 15, starttime 22, vsize 23, rss 24.
  const std::vector<std::uint64_t> stat = stat_fields();
  const auto field = [&](std::size_t number) { return stat[number - 3]; };
  const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const bool whole = stat.size() >= 22;
  if (whole) {
    add(out, "process_cpu_seconds_total", "counter",
        "Total user and system CPU time spent in seconds.",
        static_cast<double>(field(14) + field(15)) / ticks);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    add(out, "process_max_fds", "gauge", "Maximum number of open file descriptors.",
        limit.rlim_cur);
  }
  if (const auto count = open_files()) {
    add(out, "process_open_fds", "gauge", "Number of open file descriptors.", *count);
  }
  if (!whole) return;
  add(out, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.",
      field(24) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
  if (const auto booted = boot_time()) {
    add(out, "process_start_time_seconds", "gauge",
        "Start time of the process since unix epoch in seconds.",
        static_cast<double>(*booted) + static_cast<double>(field(22)) / ticks);
  }
  add(out, "process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", field(23));
}

}  // namespace strake::api
