#pragma once
// One connection to a SQLite file and its prepared statements, as values that close themselves and
// errors that name the file. A connection is used by one thread at a time.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace strake::store::sqlite {

enum class Access : std::uint8_t {
  kRead,
  kReadFrozen,  // on a file system that nobody can write to: takes no lock, and needs no log
  kWrite,
  kCreate,
};

// Content that is not as it was written: kIo, "damaged: ...". The file is the error's source, not
// part of its message: messages reach clients.
std::unexpected<Error> damaged(const std::string& path, std::string_view what);
// Whether an error says that, in our words or in SQLite's. A disk that fails or cannot be written
// to damages nothing.
bool is_damage(const Error& error);
// Whether there was no room on the disk.
bool is_full(const Error& error);

class Statement {
 public:
  Statement() = default;

  // Parameters count from 1. Bytes are not copied: they must stay until reset(). A parameter that
  // cannot be bound makes the next step fail.
  Statement& bind(int parameter, std::int64_t number);
  Statement& bind(int parameter, std::string_view bytes);
  Statement& bind_null(int parameter);

  // True when there is a row, false at the end.
  Result<bool> step();
  // To the end, and reset.
  Result<> run();
  // The same, and how many rows that inserted, changed or deleted.
  Result<std::int64_t> run_and_count();
  void reset();

  // Of the row, until the next step; columns count from 0.
  std::int64_t number(int column) const;
  std::string_view bytes(int column) const;
  bool is_null(int column) const;

  // The operations of SQLite's machine since this was last asked: what reading costs, in a number
  // that is the same every time.
  std::int64_t work();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bind_status_ = 0;
};

// Resets a statement where a scope ends, so that it holds no lock on the file.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
  ~ResetAtEnd() { statement_.reset(); }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  Statement& statement_;
};

// How long a command that maintains a file waits for others that have it locked.
inline constexpr std::chrono::milliseconds kBusyTimeout{10'000};

class Database {
 public:
  // `vfs` names one of SQLite's file layers; empty for the usual one.
  static Result<Database> open(const std::string& path, Access access,
                               std::chrono::milliseconds busy_timeout, const std::string& vfs = "");

  Result<> execute(const char* sql);
  // For good: it is meant to be used again and again.
  Result<Statement> prepare(std::string_view sql);
  // The first column of the first row; 0 when there is none.
  Result<std::int64_t> number(std::string_view sql);
  Result<std::string> text(std::string_view sql);

  bool in_transaction() const;
  // Ends a transaction that failed, whether or not SQLite did so by itself.
  void rollback();
  // The database as a whole, into another file; a store may be writing meanwhile. In a transaction
  // that has read something, or every write to the file would start it anew. kCancelled when the
  // token is.
  Result<> copy_to(Database& target, const CancelToken& cancel = {});
  // From now on statements fail soon after the token is cancelled, with kCancelled.
  void stop_when(CancelToken cancel);

  // Turns off SQLite's own folding of the write-ahead log, and writes its pages to the number after
  // every commit.
  void count_log_pages(int& pages);
  // Folds as much of the log into the file as can be without waiting for anyone, and says how many
  // pages of the log are folded then; 0 when someone else is at it.
  Result<int> checkpoint();

  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  // First: the connection refers to it.
  std::unique_ptr<CancelToken> cancel_;
  std::unique_ptr<sqlite3, Close> connection_;
  std::string path_;
};

}  // namespace strake::store::sqlite
