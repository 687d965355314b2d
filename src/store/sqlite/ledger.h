#pragma once
// The writing side of the tables: what one transaction may do, over one connection. Belongs to one
// thread. When a call fails the transaction must be rolled back; then it is as if it never was.
#include <chrono>
#include <optional>
#include <vector>

#include "base/time.h"
#include "store/sqlite/database.h"
#include "store/sqlite/mark.h"
#include "store/sqlite/state_row.h"
#include "store/store.h"

namespace strake::store::sqlite {

class Ledger {
 public:
  // Marks the file as open.
  static Result<Ledger> open(Database database);
  // From now on commits are noted there too.
  Result<> keep_mark(bool failed);

  // As the last commit left it.
  const StateRow& state() const { return committed_; }

  Result<> begin();
  // Each with the next revision, and the event it makes when it applies. Takes the key and value.
  Result<Written> apply(Write& write, WallTime now, std::vector<Event>& events);
  // Deletes keys whose time is over, but not more than so many.
  Result<> expire(WallTime now, std::size_t limit, std::vector<Event>& events);
  Result<> set_compacted(Revision revision);
  // Removes rows that compaction has given up, for about as long as given.
  Result<> sweep(std::chrono::nanoseconds budget);
  Result<> commit();
  void rollback();

  // When a key expires next, as of the last commit.
  std::optional<WallTime> next_expiry() const { return next_expiry_; }
  // Another process may have asked for compaction (maintenance.h).
  Result<> reload();
  // See database.h.
  void count_log_pages(int& pages) { database_.count_log_pages(pages); }
  Result<int> checkpoint() { return database_.checkpoint(); }
  // In pages that hold nothing: what can be written without more room on the disk.
  Result<std::int64_t> free_bytes();
  // Says in the file that it was closed in order. Outside of a transaction.
  Result<> mark_closed();

 private:
  struct Standing {
    Revision revision = 0;  // 0 when the key does not stand
    Revision create_revision = 0;
  };
  struct Statements {
    Statement begin, commit, read_state, write_state;
    Statement find_live, add_live, put_live, remove_live;
    Statement append, read_value, add_past;
    Statement add_lease, due_leases, remove_lease, first_lease;
    Statement to_sweep, remove_row, remove_past;
  };
  explicit Ledger(Database database) : database_(std::move(database)) {}
  Result<> prepare();
  Result<> begin_anew();  // whatever the revision is
  Result<Standing> find(std::string_view key);
  Result<Bytes> value_at(Revision revision, std::string_view key);
  void mark(bool failed);
  // Makes the key stand with the next revision, unless it stands already: then false.
  Result<bool> add_if_new(std::string_view key);
  // `added`: it was, by add_if_new().
  Result<Event> append(std::string key, Bytes value, Standing before, bool added = false);
  Result<> find_next_expiry();

  Database database_;
  Statements sql_;
  std::optional<MarkFile> mark_;
  bool marked_failure_ = false;
  StateRow committed_;
  StateRow working_;
  bool leases_changed_ = true;
  // The last transaction failed. The next must touch the disk, or it would say nothing about it:
  // SQLite leaves out pages that stay as they are.
  bool probing_ = false;
  std::optional<WallTime> next_expiry_;
};

}  // namespace strake::store::sqlite
