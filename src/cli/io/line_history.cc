#include "cli/io/line_history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/owned_fd.h"
#include "cli/io/files.h"

namespace strake::cli {
namespace {

constexpr std::size_t kKept = 1000;
constexpr off_t kMaxHistoryBytes = 4 << 20;
constexpr mode_t kOwnerOnly = 0600;

std::string state_folder(const Io& io) {
  const std::string state = io.env("XDG_STATE_HOME").value_or("");
  if (state.starts_with('/')) return state;
  const std::string home = io.env("HOME").value_or("");
  return home.starts_with('/') ? home + "/.local/state" : "";
}

// Missing folders are made for the owner only.
void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
  make_folders(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

}  // namespace

LineHistory::LineHistory(std::string_view name, const Io& io) {
  const std::string folder = state_folder(io);
  if (!folder.empty()) file_ = fmt::format("{}/strake/{}", folder, name);
}

std::vector<std::string> LineHistory::load() const {
  std::vector<std::string> out;
  if (file_.empty()) return out;
  const auto file = InputFile::open(file_, Pipes::kRefused);
  if (!file) return out;
  const auto text = file->read_all(kMaxHistoryBytes);
  if (!text) return out;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) out.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  if (out.size() <= kKept) return out;
  const bool overgrown = out.size() > 2 * kKept;
  out.erase(out.begin(), out.end() - kKept);
  if (overgrown) {
    const auto replaced = replace_file(file_, fmt::format("{}\n", fmt::join(out, "\n")));
    static_cast<void>(replaced);
  }
  return out;
}

void LineHistory::append(std::string_view line) const {
  if (file_.empty() || line.empty() || line.find('\n') != std::string_view::npos) return;
  make_folders(std::filesystem::path(file_).parent_path());
  const OwnedFd fd(
      ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, kOwnerOnly));
  if (!fd) return;
  struct stat status = {};
  if (::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size < kMaxHistoryBytes) {
    if ((status.st_mode & 0777) != kOwnerOnly) ::fchmod(fd.get(), kOwnerOnly);
    FdOutput out(fd.get(), file_);
    out.write(fmt::format("{}\n", line));
    const auto flushed = out.flush();
    static_cast<void>(flushed);
  }
}

}  // namespace strake::cli
