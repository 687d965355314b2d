#include "store/sqlite/sqlite_store.h"

#include <unistd.h>

#include <filesystem>
#include <mutex>

#include "async/cancellable.h"
#include "base/log.h"
#include "store/observers.h"
#include "store/rules.h"
#include "store/sqlite/file_lock.h"
#include "store/sqlite/log_layer.h"
#include "store/sqlite/new_file.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/verify.h"
#include "store/sqlite/wal_scan.h"
#include "store/sqlite/writer.h"

namespace strake::store::sqlite {
namespace {

// The store holds secrets. SQLite gives the files it makes beside this one the same mode.
Result<> make_file(const std::string& path) {
  const bool is_new = !exists(path);
  // SQLite would follow links here, and write to what they lead to.
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(path + end, ignored))
      return fail(Code::kIo, "{}{} is a link, and links are not followed", path, end);
  }
  if (!is_new) return {};
  // Who moves a store away wants to begin anew.
  ::unlink(MarkFile::path_of(path).c_str());
  return make_private_file(path);
}

Result<> check_log(const std::string& path, const std::optional<Mark>& mark) {
  if (mark && mark->failed) return {};
  const Result<> good = check_wal(path);
  if (!good) return std::unexpected(as_refusal(path, good.error()));
  return good;
}

Result<Ledger> open_ledger(const Options& options) {
  STRAKE_CHECK(make_file(options.path));
  const std::optional<Mark> mark = MarkFile::read(options.path);
  STRAKE_CHECK(check_log(options.path, mark));
  STRAKE_TRY(Database database,
             Database::open(options.path, Access::kWrite, options.busy_timeout, options.vfs));
  STRAKE_CHECK(check_file(database, options.check));
  STRAKE_CHECK(prepare_for_writing(database));
  Result<> good = migrate(database);
  if (good) good = verify(database, mark);
  if (!good) return std::unexpected(as_refusal(options.path, good.error()));
  // The log begins anew, so that what a crash has left in it is not taken for lost commits later.
  const bool anew = database.number("PRAGMA wal_checkpoint(TRUNCATE)").value_or(1) == 0;
  // A connection of its own: the one above must be free to write what a migration makes of a large
  // file before its transaction ends.
  STRAKE_TRY(Database writing, Database::open(options.path, Access::kWrite, options.busy_timeout,
                                              log_layer_over(options.vfs)));
  STRAKE_CHECK(prepare_for_writing(writing));
  STRAKE_CHECK(writing.execute(kSqlOfLogLayer));
  STRAKE_TRY(Ledger ledger, Ledger::open(std::move(writing)));
  STRAKE_CHECK(ledger.keep_mark(!anew));
  return ledger;
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
  Reserve reserve(options.path);
  Result<Ledger> opened = open_ledger(options);
  if (!opened && is_full(opened.error()) && reserve.release()) opened = open_ledger(options);
  STRAKE_TRY(Ledger ledger, std::move(opened));
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
                                          *options.clock, std::move(reserve));
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
  const CancelRegistration registration = async::end_wait_when(write.cancel, done);
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
