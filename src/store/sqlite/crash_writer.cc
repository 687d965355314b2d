// Writes into a store without end, from many coroutines at once, and says on standard output what
// was acknowledged, until it is killed. Only for crash_test.cc.
//
//   store_crash_writer FILE ROUND
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <cstdio>
#include <string>

#include "async/loops.h"
#include "async/run.h"
#include "base/log.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::store::sqlite {
namespace {

constexpr int kWriters = 8;
constexpr int kKeysEach = 5;

// A line of this length reaches a pipe whole or not at all.
void say(const std::string& line) {
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) ::_exit(3);
}

// Each writer has keys of its own, so it knows what must stand there.
async::Task<> write_on(Store& store, std::string round, int writer) {
  std::uint64_t serial = 0;
  while (true) {
    ++serial;
    const std::string key = fmt::format("/crash/{}/{}", writer, serial % kKeysEach);
    // Every value is written once, ever: that is how a write that came twice would show.
    std::string value = fmt::format("{}-{}-{}-", round, writer, serial);
    value.resize(value.size() + (serial * 37) % 900, 'x');
    STRAKE_CO_TRY(const Page page, co_await store.range({.prefix = key, .keys_only = true}));
    const Revision expected = page.entries.empty() ? 0 : page.entries[0].mod_revision;
    const bool remove = expected > 0 && serial % 7 == 0;
    STRAKE_CO_TRY(const Written written,
                  co_await store.write(
                      {.key = key,
                       .value = remove ? nullptr : std::make_shared<const std::string>(value),
                       .expected = expected}));
    if (!written.applied) ::_exit(4);
    say(fmt::format("{} {} {}\n", written.revision, key, remove ? "-" : value));
  }
}

// Compacts behind what the test has yet to read: it allows revisions up to the one it was started
// at.
async::Task<> compact_on(Store& store, Revision upto) {
  for (Revision at = store.compacted_revision(); at < upto; at += 50)
    STRAKE_CO_CHECK(co_await store.compact(std::min(at, upto)));
  co_return Result<>();
}

void end_on_failure(std::exception_ptr error, const Result<>& outcome) {
  if (error || !outcome) ::_exit(5);
}

int run(const std::string& path, const std::string& round) {
  log::configure({.level = log::Level::kError});
  async::Loops loops(2);
  auto store = SqliteStore::open({.path = path});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().to_string().c_str());
    return 2;
  }
  say("open\n");
  const Revision checked = (*store)->revision();
  for (int writer = 0; writer < kWriters; ++writer)
    boost::asio::co_spawn(loops.next(), write_on(**store, round, writer), end_on_failure);
  boost::asio::co_spawn(loops.next(), compact_on(**store, checked), end_on_failure);
  loops.stop();
  return 0;
}

}  // namespace
}  // namespace strake::store::sqlite

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  return strake::store::sqlite::run(argv[1], argv[2]);
}
