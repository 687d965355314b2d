#include "store/sqlite/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <mutex>

namespace strake::store::sqlite {
namespace {

constexpr std::string_view kDamaged = "damaged: ";

// A name as SQLite takes it in a URI.
std::string frozen_uri(const std::string& path) {
  std::string out = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "?immutable=1";
}

std::string_view file_of(sqlite3* connection) {
  const char* name = sqlite3_db_filename(connection, "main");
  return name != nullptr ? name : "";
}

// Everything that a file can do to us is kIo; a lock that stays is kTimeout.
Error error_of(sqlite3* connection, int status, std::string_view path) {
  const int primary = status & 0xff;
  Code code = Code::kIo;
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) code = Code::kTimeout;
  if (primary == SQLITE_INTERRUPT) code = Code::kCancelled;
  std::string message = sqlite3_errstr(primary);
  // The connection knows more, when the failure was its last.
  if (connection != nullptr && (sqlite3_extended_errcode(connection) & 0xff) == primary) {
    message = sqlite3_errmsg(connection);
    const int system = sqlite3_system_errno(connection);
    if (system != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN))
      message += fmt::format(" ({})", std::strerror(system));
    // SQLite keeps no system error of this one, and it has one cause.
    if (system == 0 && sqlite3_extended_errcode(connection) == SQLITE_IOERR_SHMSIZE)
      message += fmt::format(" ({})", std::strerror(ENOSPC));
  }
  return Error(code, std::move(message)).in(std::string(path));
}

void configure_once() {
  static std::once_flag once;
  // Counting every allocation would take a lock that all connections share.
  std::call_once(once, [] { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); });
}

int note_log_pages(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

std::unexpected<Error> damaged(const std::string& path, std::string_view what) {
  return std::unexpected(Error(Code::kIo, fmt::format("{}{}", kDamaged, what)).in(path));
}

bool is_damage(const Error& error) {
  const std::string& said = error.message();
  return said.contains(kDamaged) || said.contains("malformed") ||
         said.contains(sqlite3_errstr(SQLITE_NOTADB));
}

bool is_full(const Error& error) {
  const std::string& said = error.message();
  return said.contains(sqlite3_errstr(SQLITE_FULL)) || said.contains(std::strerror(ENOSPC)) ||
         said.contains(std::strerror(EDQUOT));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int parameter, std::int64_t number) {
  bind_status_ |= sqlite3_bind_int64(statement_.get(), parameter, number);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view bytes) {
  // A null pointer would bind NULL; no bytes are bytes too.
  bind_status_ |=
      sqlite3_bind_blob64(statement_.get(), parameter, bytes.data() != nullptr ? bytes.data() : "",
                          bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  bind_status_ |= sqlite3_bind_null(statement_.get(), parameter);
  return *this;
}

Result<bool> Statement::step() {
  sqlite3* connection = sqlite3_db_handle(statement_.get());
  if (bind_status_ != SQLITE_OK)
    return std::unexpected(error_of(nullptr, bind_status_, file_of(connection)));
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  return std::unexpected(error_of(connection, status, file_of(connection)));
}

Result<> Statement::run() {
  Result<bool> more = true;
  while (more && *more) more = step();
  reset();
  if (!more) return std::unexpected(std::move(more).error());
  return {};
}

Result<std::int64_t> Statement::run_and_count() {
  STRAKE_CHECK(run());
  return sqlite3_changes(sqlite3_db_handle(statement_.get()));
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  bind_status_ = SQLITE_OK;
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::work() {
  return sqlite3_stmt_status(statement_.get(), SQLITE_STMTSTATUS_VM_STEP, 1);
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::string& path, Access access,
                                std::chrono::milliseconds busy_timeout, const std::string& vfs) {
  configure_once();
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Access::kRead: flags |= SQLITE_OPEN_READONLY; break;
    case Access::kReadFrozen: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI; break;
    case Access::kWrite: flags |= SQLITE_OPEN_READWRITE; break;
    case Access::kCreate: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE; break;
  }
  // SQLite reads "file:" as the beginning of a URI with options.
  std::string name = path.starts_with("file:") ? "./" + path : path;
  if (access == Access::kReadFrozen) name = frozen_uri(name);
  sqlite3* connection = nullptr;
  const int status =
      sqlite3_open_v2(name.c_str(), &connection, flags, vfs.empty() ? nullptr : vfs.c_str());
  Database database;
  database.connection_.reset(connection);
  database.path_ = path;
  if (status != SQLITE_OK) return std::unexpected(error_of(connection, status, path));
  sqlite3_busy_timeout(connection, static_cast<int>(busy_timeout.count()));
  return database;
}

Result<> Database::execute(const char* sql) {
  const int status = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK) return std::unexpected(error_of(connection_.get(), status, path_));
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  Statement out;
  sqlite3_stmt* statement = nullptr;
  const int status = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (status != SQLITE_OK) return std::unexpected(error_of(connection_.get(), status, path_));
  out.statement_.reset(statement);
  return out;
}

Result<std::int64_t> Database::number(std::string_view sql) {
  STRAKE_TRY(Statement statement, prepare(sql));
  STRAKE_TRY(const bool row, statement.step());
  return row ? statement.number(0) : 0;
}

Result<std::string> Database::text(std::string_view sql) {
  STRAKE_TRY(Statement statement, prepare(sql));
  STRAKE_TRY(const bool row, statement.step());
  return row ? std::string(statement.bytes(0)) : std::string();
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

void Database::rollback() {
  if (in_transaction()) sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::count_log_pages(int& pages) {
  sqlite3_wal_hook(connection_.get(), note_log_pages, &pages);
}

Result<int> Database::checkpoint() {
  int folded = 0;
  const int status = sqlite3_wal_checkpoint_v2(connection_.get(), nullptr,
                                               SQLITE_CHECKPOINT_PASSIVE, nullptr, &folded);
  if ((status & 0xff) == SQLITE_BUSY) return 0;
  if (status == SQLITE_OK) return std::max(folded, 0);
  return std::unexpected(error_of(connection_.get(), status, path_));
}

Result<> Database::copy_to(Database& target, const CancelToken& cancel) {
  // A few milliseconds each.
  constexpr int kPagesAStep = 1024;
  sqlite3_backup* backup =
      sqlite3_backup_init(target.connection_.get(), "main", connection_.get(), "main");
  int status = SQLITE_ERROR;
  if (backup != nullptr) {
    do {
      status = sqlite3_backup_step(backup, kPagesAStep);
      if (status == SQLITE_BUSY || status == SQLITE_LOCKED) sqlite3_sleep(5);
    } while (!cancel.cancelled() &&
             (status == SQLITE_OK || status == SQLITE_BUSY || status == SQLITE_LOCKED));
    const int finished = sqlite3_backup_finish(backup);
    if (status == SQLITE_DONE && finished != SQLITE_OK) status = finished;
  }
  if (status == SQLITE_DONE) return {};
  if (cancel.cancelled()) return fail(Code::kCancelled, "{}: stopped", target.path_);
  return std::unexpected(error_of(target.connection_.get(), status, target.path_));
}

void Database::stop_when(CancelToken cancel) {
  // Operations of SQLite's machine between two looks: some ten microseconds.
  constexpr int kBetween = 10'000;
  cancel_ = std::make_unique<CancelToken>(std::move(cancel));
  sqlite3_progress_handler(
      connection_.get(), kBetween,
      [](void* token) { return static_cast<const CancelToken*>(token)->cancelled() ? 1 : 0; },
      cancel_.get());
}

}  // namespace strake::store::sqlite
