// Kills a process that writes, at any moment, again and again. STRAKE_CRASH_ROUNDS says how often.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "base/log.h"
#include "store/conformance.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

int rounds() {
  const char* given = std::getenv("STRAKE_CRASH_ROUNDS");
  return given != nullptr ? std::atoi(given) : 30;
}

// What the writer said until it was killed after so many bytes; a line that was cut is left out.
std::vector<std::string> run_and_kill(const std::string& path, int round, std::size_t bytes,
                                      std::chrono::microseconds pause) {
  int ends[2] = {};
  EXPECT_EQ(::pipe(ends), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string program = STRAKE_CRASH_WRITER;
  std::string file = path;
  std::string number = std::to_string(round);
  char* arguments[] = {program.data(), file.data(), number.data(), nullptr};
  pid_t pid = 0;
  EXPECT_EQ(::posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);

  std::string said;
  char buffer[4096];
  bool killed = false;
  while (true) {
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    said.append(buffer, static_cast<std::size_t>(got));
    if (said.size() < bytes || killed) continue;
    ::usleep(static_cast<useconds_t>(pause.count()));
    ::kill(pid, SIGKILL);
    killed = true;
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself, with " << WEXITSTATUS(status);

  std::vector<std::string> lines;
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);) {
    if (!in.eof()) lines.push_back(line);
  }
  return lines;
}

// Follows the store over all its lives.
class Witness {
 public:
  void hear(const std::vector<std::string>& lines) {
    acknowledged_.clear();
    for (const std::string& line : lines) {
      std::istringstream in(line);
      Acknowledged one;
      if (line == "open" || !(in >> one.revision >> one.key >> one.value)) continue;
      acknowledged_.push_back(one);
    }
  }

  void check(const std::string& path) {
    async::Loops loops(1);
    auto opened = SqliteStore::open({.path = path, .check = FileCheck::kFull});
    ASSERT_TRUE(opened) << opened.error().to_string();
    Store& store = **opened;
    ASSERT_GE(store.revision(), last_) << "revisions went back";
    RecordingObserver observer;
    const auto subscription =
        async::run_blocking(loops.at(0), store.subscribe("/", last_, observer));
    ASSERT_TRUE(subscription) << subscription.error().to_string();
    std::map<Revision, Event> events;
    for (const Event& event : observer.events()) {
      ASSERT_EQ(event.revision, last_ + 1) << "a gap";
      last_ = event.revision;
      replay(event);
      events.emplace(event.revision, event);
    }
    ASSERT_EQ(last_, store.revision());
    for (const Acknowledged& one : acknowledged_) {
      const auto found = events.find(one.revision);
      ASSERT_NE(found, events.end()) << one.revision << " was acknowledged, and is gone";
      ASSERT_EQ(found->second.key, one.key);
      ASSERT_EQ(found->second.value ? *found->second.value : "-", one.value);
    }
    const auto page = async::run_blocking(loops.at(0), store.range({.prefix = "/"}));
    ASSERT_TRUE(page);
    std::map<std::string, std::string> found;
    for (const Entry& entry : page->entries) found[entry.key] = *entry.value;
    ASSERT_TRUE(found == stands_) << "the range is not what the events made";
  }

  std::size_t heard() const { return acknowledged_.size(); }
  Revision last() const { return last_; }

 private:
  struct Acknowledged {
    Revision revision = 0;
    std::string key;
    std::string value;
  };

  void replay(const Event& event) {
    const auto before = stands_.find(event.key);
    ASSERT_EQ(event.previous != nullptr, before != stands_.end()) << event.key;
    if (event.previous) {
      ASSERT_EQ(*event.previous, before->second);
    }
    if (event.value) {
      ASSERT_TRUE(values_.insert(*event.value).second) << "written twice: " << *event.value;
      stands_[event.key] = *event.value;
    } else {
      stands_.erase(event.key);
    }
  }

  std::vector<Acknowledged> acknowledged_;
  std::map<std::string, std::string> stands_;
  std::set<std::string> values_;
  Revision last_ = 1;
};

TEST(Crash, LosesNoAcknowledgedWriteAndRepeatsNone) {
  log::configure({.level = log::Level::kError});
  std::uint64_t seed = std::random_device{}();
  if (const char* given = std::getenv("STRAKE_SEED")) seed = std::strtoull(given, nullptr, 10);
  SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
  std::mt19937_64 random(seed);
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  Witness witness;
  std::size_t heard = 0;
  for (int round = 0; round < rounds() && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    // Some die while they open the file, most while they write.
    const std::size_t bytes = random() % 8 == 0 ? 1 : random() % 60'000;
    const std::chrono::microseconds pause(random() % 2000);
    witness.hear(run_and_kill(path, round, bytes, pause));
    witness.check(path);
    heard += witness.heard();
  }
  const auto verdict = check(path);
  EXPECT_TRUE(verdict) << verdict.error().to_string();
  EXPECT_GT(heard, 0u);
  RecordProperty("acknowledged", std::to_string(heard));
  RecordProperty("revision", std::to_string(witness.last()));
}

}  // namespace
}  // namespace strake::store::sqlite
