// Writes per second with 1, 16 and 64 writers at once, each durable before the next of the same
// writer, and pages of 500. Values have 600 bytes. The file lies in the folder for temporary files:
// TMPDIR chooses the disk.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <filesystem>
#include <latch>

#include "async/loops.h"
#include "async/one_shot.h"
#include "async/run.h"
#include "base/log.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::store::sqlite {
namespace {

constexpr std::size_t kValueBytes = 600;

class Place {
 public:
  Place() {
    log::configure({.level = log::Level::kError});
    std::string name = (std::filesystem::temp_directory_path() / "strake-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    auto opened = SqliteStore::open({.path = path_ / "strake.db"});
    if (!opened) std::abort();
    store_ = *std::move(opened);
  }
  ~Place() {
    store_.reset();
    std::filesystem::remove_all(path_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  SqliteStore& store() { return *store_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<SqliteStore> store_;
};

// Names as objects have them; the last part spreads over the key space.
std::string key_of(std::uint64_t number) {
  return fmt::format("/registry/example.com/gardens/default/garden-{:016x}",
                     number * 0x9e3779b97f4a7c15);
}

Bytes value() { return std::make_shared<const std::string>(kValueBytes, 'v'); }

async::Task<> create(Store& store, std::uint64_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    STRAKE_CO_CHECK(co_await store.write({.key = key_of(first + i), .value = value()}));
  }
  co_return Result<>();
}

async::Task<> update(Store& store, std::uint64_t which, std::size_t count) {
  Revision expected = 0;
  for (std::size_t i = 0; i < count; ++i) {
    STRAKE_CO_TRY(
        const Written written,
        co_await store.write({.key = key_of(which), .value = value(), .expected = expected}));
    expected = written.applied ? written.revision : written.current->mod_revision;
  }
  co_return Result<>();
}

template <typename Make>
void run_writers(benchmark::State& state, Make make) {
  Place place;
  async::Loops loops(1);
  const auto writers = static_cast<std::size_t>(state.range(0));
  const std::size_t each = 4096 / writers;
  std::uint64_t next = 0;
  for (auto _ : state) {
    std::latch ended(static_cast<std::ptrdiff_t>(writers));
    for (std::size_t i = 0; i < writers; ++i) {
      boost::asio::co_spawn(loops.at(0), make(place.store(), next, each),
                            [&](std::exception_ptr, const Result<>& outcome) {
                              if (!outcome) std::abort();
                              ended.count_down();
                            });
      next += each;
    }
    ended.wait();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * writers * each));
}

void bm_create(benchmark::State& state) { run_writers(state, create); }
void bm_update(benchmark::State& state) { run_writers(state, update); }
BENCHMARK(bm_create)->Arg(1)->Arg(16)->Arg(64)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(bm_update)->Arg(1)->Arg(16)->Arg(64)->UseRealTime()->Unit(benchmark::kMillisecond);

async::Task<> create_in_parallel(Store& store, std::uint64_t count) {
  std::vector<async::OneShot<>> all;
  const auto executor = co_await boost::asio::this_coro::executor;
  for (std::uint64_t first = 0; first < count; first += count / 64) {
    async::OneShot<> done;
    all.push_back(done);
    boost::asio::co_spawn(
        executor, create(store, first, count / 64),
        [done](std::exception_ptr, Result<> outcome) mutable { done.set(std::move(outcome)); });
  }
  for (async::OneShot<>& one : all) STRAKE_CO_CHECK(co_await one.wait());
  co_return Result<>();
}

// A page of 500 from the middle of 64,000 keys; of the newest revision, or of one since which a
// thousand keys were written.
void bm_range(benchmark::State& state) {
  Place place;
  async::Loops loops(1);
  Store& store = place.store();
  if (!async::run_blocking(loops.at(0), create_in_parallel(store, 64000))) std::abort();
  const Revision then = store.revision();
  if (!async::run_blocking(loops.at(0), create(store, 64000, 1000))) std::abort();
  const Range range{.prefix = "/registry/example.com/gardens/",
                    .start = "/registry/example.com/gardens/default/garden-8",
                    .limit = 500,
                    .revision = state.range(0) == 0 ? 0 : then};
  for (auto _ : state) {
    const auto page = async::run_blocking(loops.at(0), store.range(range));
    if (!page || page->entries.size() != 500) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * 500);
}
BENCHMARK(bm_range)->ArgName("old")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace strake::store::sqlite
