#include "server/file_reloads.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "base/input_file.h"
#include "base/log.h"

namespace strake::server {
namespace {

// Files that belong together, or one that is written in several steps, are read when all is done.
constexpr std::chrono::milliseconds kSettle{100};

constexpr std::uint64_t kMostFollowedBytes = 64 << 20;

// A pipe can be read only once, by whoever needs it: it does not change.
Result<std::string> read_content(const std::string& path) {
  STRAKE_TRY(const InputFile file, InputFile::open(path, Pipes::kRefused));
  return file.read_all(kMostFollowedBytes);
}

// Of the contents of all, told apart from those of files that are not there.
Sha256::Digest sum_of(const std::vector<std::string>& files) {
  Sha256 sum;
  for (const std::string& file : files) {
    const Result<std::string> text = read_content(file);
    const std::uint64_t size = text ? text->size() + 1 : 0;
    sum.update({reinterpret_cast<const char*>(&size), sizeof size});
    if (text) sum.update(*text);
  }
  return sum.digest();
}

}  // namespace

FileReloads::FileReloads(std::vector<Group> groups) {
  for (Group& group : groups) {
    std::erase(group.files, "");
    if (group.files.empty()) continue;
    const Sha256::Digest sum = sum_of(group.files);
    groups_.push_back({.group = std::move(group), .sum = sum});
  }
}

FileReloads::~FileReloads() = default;

Result<> FileReloads::follow(const async::Executor& executor, async::Workers& workers) {
  std::vector<std::string> files;
  for (const Followed& one : groups_)
    files.insert(files.end(), one.group.files.begin(), one.group.files.end());
  if (files.empty()) return {};
  STRAKE_TRY(watch_, async::FileWatch::open(executor, files));
  boost::asio::co_spawn(executor, run(workers), boost::asio::detached);
  return {};
}

boost::asio::awaitable<void> FileReloads::run(async::Workers& workers) {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  do {
    static_cast<void>(co_await workers.run([this]() -> Result<> {
      reload_changed();
      return {};
    }));
  } while (co_await watch_->wait(kSettle));
}

async::Task<> FileReloads::stop() {
  if (watch_) watch_->close();
  co_return co_await running_.close();
}

std::vector<Error> FileReloads::reload_changed() {
  std::vector<Error> failures;
  const std::lock_guard lock(mu_);
  for (auto& [group, sum] : groups_) {
    const Sha256::Digest now = sum_of(group.files);
    if (now == sum) continue;
    sum = now;
    const Result<> outcome = group.reload();
    if (outcome) {
      log::get("server").info("reloaded", {{"what", group.what}});
    } else {
      log::get("server").error("not reloaded, the old one stays",
                               {{"what", group.what}, {"error", outcome.error()}});
      failures.push_back(outcome.error());
    }
  }
  return failures;
}

}  // namespace strake::server
