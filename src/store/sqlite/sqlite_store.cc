#include "store/sqlite/sqlite_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "base/log.h"
#include "store/observers.h"
#include "store/rules.h"
#include "store/sqlite/file_lock.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/writer.h"

namespace strake::store::sqlite {
namespace {

// The store holds secrets. SQLite gives the files it makes beside this one the same mode.
Result<> make_private_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  ::close(fd);
  return {};
}

Result<Database> open_for_writing(const Options& options) {
  STRAKE_CHECK(make_private_file(options.path));
  STRAKE_TRY(Database database,
             Database::open(options.path, Access::kWrite, options.busy_timeout, options.vfs));
  STRAKE_CHECK(check_file(database, options.check));
  STRAKE_CHECK(prepare_for_writing(database));
  STRAKE_CHECK(migrate(database));
  return database;
}

}  // namespace

struct SqliteStore::Impl {
  FileLock lock;
  std::shared_ptr<Observers> observers;
  std::unique_ptr<Writer> writer;
  std::unique_ptr<Readers> readers;

  std::once_flag stopped;

  // Readers first: the last connection to go folds the write-ahead log into the file, and that
  // should be the one that may write.
  void stop() {
    std::call_once(stopped, [this] {
      readers->stop();
      writer->stop();
      const FileLock released = std::move(lock);
    });
  }
};

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(Options options) {
  auto impl = std::make_unique<Impl>();
  STRAKE_TRY(impl->lock, FileLock::take(options.path));
  STRAKE_TRY(Database database, open_for_writing(options));
  STRAKE_TRY(Ledger ledger, Ledger::open(std::move(database)));
  std::vector<Reader> readers;
  for (std::size_t i = 0; i < std::max<std::size_t>(options.readers, 1); ++i) {
    STRAKE_TRY(Database connection,
               Database::open(options.path, Access::kRead, options.busy_timeout, options.vfs));
    STRAKE_TRY(Reader reader, Reader::open(std::move(connection)));
    readers.push_back(std::move(reader));
  }
  STRAKE_TRY(Database folding,
             Database::open(options.path, Access::kWrite, options.busy_timeout, options.vfs));
  STRAKE_CHECK(prepare_for_writing(folding));
  log::get("store").info("opened", {{"path", options.path},
                                    {"revision", ledger.state().revision},
                                    {"compacted", ledger.state().compacted}});
  impl->observers = std::make_shared<Observers>(ledger.state().revision);
  impl->readers = std::make_unique<Readers>(std::move(readers));
  impl->writer = std::make_unique<Writer>(std::move(ledger), std::move(folding), impl->observers,
                                          *options.clock);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(impl)));
}

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SqliteStore::~SqliteStore() { impl_->stop(); }

async::Task<Page> SqliteStore::range(Range range) {
  async::OneShot<Page> done;
  // Read before the file is: what was published is in it.
  const Revision newest = revision();
  if (!impl_->readers->post([range = std::move(range), newest, done](Reader& reader) mutable {
        done.set(reader.range(range, newest));
      })) {
    co_return closed_error();
  }
  co_return co_await done.wait();
}

async::Task<Written> SqliteStore::write(Write write) {
  STRAKE_CO_CHECK(check_write(write));
  async::OneShot<Written> done;
  impl_->writer->write(std::move(write), done);
  co_return co_await done.wait();
}

async::Task<std::unique_ptr<Subscription>> SqliteStore::subscribe(std::string prefix,
                                                                  Revision after,
                                                                  Observer& observer) {
  auto joined = impl_->observers->join(prefix, after, observer);
  async::OneShot<> told;
  if (!impl_->readers->post([prefix = std::move(prefix), after, until = joined->revision(),
                             &observer, told](Reader& reader) mutable {
        told.set(reader.history(prefix, after, until, [&observer](std::span<const Event> events) {
          observer.on_events(events);
        }));
      })) {
    co_return closed_error();
  }
  STRAKE_CO_CHECK(co_await told.wait());
  joined->go_live();
  co_return std::unique_ptr<Subscription>(std::move(joined));
}

async::Task<> SqliteStore::compact(Revision revision) {
  if (revision > this->revision()) co_return future_error();
  async::OneShot<> done;
  impl_->writer->compact(revision, done);
  co_return co_await done.wait();
}

Revision SqliteStore::revision() const { return impl_->observers->revision(); }
Revision SqliteStore::compacted_revision() const { return impl_->writer->compacted(); }
Result<> SqliteStore::health() const { return impl_->writer->health(); }

async::Task<> SqliteStore::close() {
  impl_->stop();
  co_return Result<>();
}

void SqliteStore::expire_soon() { impl_->writer->nudge(); }

}  // namespace strake::store::sqlite
