#include "store/sqlite/log_layer.h"

#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

// Only logs are wrapped: other files are opened by the layer below in our place, and SQLite calls
// that layer directly from then on. What SQLite has of a log is a LogFile, and behind it, in the
// same piece of memory, what the layer below has of it.
//
// A failed write is reported by the call that made the bytes leave this layer, and the bytes are
// forgotten: SQLite takes the transaction back, and the next one writes to the same place. Growing
// ahead never fails: without room for zeros the log grows as it is written.

namespace strake::store::sqlite {
namespace {

// SQLite's usual layer writes less than 128 KiB at once, and takes more for a full disk.
constexpr std::size_t kMostAtOnce = 31 << 12;
constexpr sqlite3_int64 kZeros = 64 << 10;
// Ahead of the log's end: as much again as it has, within these.
constexpr sqlite3_int64 kLeastAhead = kZeros;
constexpr sqlite3_int64 kMostAhead = 1 << 20;

class Log {
 public:
  explicit Log(sqlite3_file& file) : file_(file) {}

  int write(std::string_view piece, sqlite3_int64 at) {
    // The head: the log begins anew, and another process may have cut the file meanwhile.
    if (at == 0) size_ = kUnknown;
    if (at != end_ + std::ssize(held_) || held_.size() + piece.size() > kMostAtOnce) {
      if (const int status = let_go(); status != SQLITE_OK) return status;
      end_ = at;
    }
    if (piece.size() > kMostAtOnce) return pass_on(piece);
    held_.append(piece);
    return SQLITE_OK;
  }

  // All that was written is in the file then.
  int let_go() {
    if (held_.empty()) return SQLITE_OK;
    const int status = pass_on(held_);
    held_.clear();
    return status;
  }

  int truncate(sqlite3_int64 size) {
    if (const int status = let_go(); status != SQLITE_OK) return status;
    size_ = kUnknown;
    return file_.pMethods->xTruncate(&file_, size);
  }

  int sync(int flags) {
    if (const int status = let_go(); status != SQLITE_OK) return status;
    // Not when nothing was written: then others may be writing to the log.
    if (written_) grow_ahead();
    written_ = false;
    return file_.pMethods->xSync(&file_, flags);
  }

 private:
  int pass_on(std::string_view bytes) {
    const auto count = static_cast<int>(bytes.size());
    const int status = file_.pMethods->xWrite(&file_, bytes.data(), count, end_);
    end_ += count;
    written_ = status == SQLITE_OK;
    return status;
  }

  void grow_ahead() {
    if (size_ == kUnknown && file_.pMethods->xFileSize(&file_, &size_) != SQLITE_OK) return;
    if (end_ < size_) return;
    static constexpr char zeros[kZeros] = {};
    const sqlite3_int64 wanted = end_ + std::clamp(end_, kLeastAhead, kMostAhead);
    for (size_ = end_; size_ < wanted && grows_; size_ += kZeros)
      grows_ = file_.pMethods->xWrite(&file_, zeros, kZeros, size_) == SQLITE_OK;
  }

  static constexpr sqlite3_int64 kUnknown = -1;
  sqlite3_file& file_;
  std::string held_;               // written, and not yet passed on
  sqlite3_int64 end_ = 0;          // of what was passed on last: where held_ goes
  sqlite3_int64 size_ = kUnknown;  // of the file
  bool written_ = false;           // since it was flushed last
  bool grows_ = true;              // until there is no room once
};

struct LogFile {
  sqlite3_file base;
  Log* log;
  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

LogFile& of(sqlite3_file* file) { return *reinterpret_cast<LogFile*>(file); }
sqlite3_file* below(sqlite3_file* file) { return of(file).below(); }

int close_log(sqlite3_file* file) {
  delete of(file).log;
  return below(file)->pMethods->xClose(below(file));
}

int read_log(sqlite3_file* file, void* out, int bytes, sqlite3_int64 at) {
  if (const int status = of(file).log->let_go(); status != SQLITE_OK) return status;
  return below(file)->pMethods->xRead(below(file), out, bytes, at);
}

int write_log(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 at) {
  return of(file).log->write({static_cast<const char*>(data), static_cast<std::size_t>(bytes)}, at);
}

int truncate_log(sqlite3_file* file, sqlite3_int64 size) { return of(file).log->truncate(size); }

int sync_log(sqlite3_file* file, int flags) { return of(file).log->sync(flags); }

int size_of_log(sqlite3_file* file, sqlite3_int64* size) {
  if (const int status = of(file).log->let_go(); status != SQLITE_OK) return status;
  return below(file)->pMethods->xFileSize(below(file), size);
}

int lock_log(sqlite3_file* file, int level) {
  return below(file)->pMethods->xLock(below(file), level);
}

int unlock_log(sqlite3_file* file, int level) {
  return below(file)->pMethods->xUnlock(below(file), level);
}

int is_log_reserved(sqlite3_file* file, int* out) {
  return below(file)->pMethods->xCheckReservedLock(below(file), out);
}

int control_log(sqlite3_file* file, int op, void* arg) {
  return below(file)->pMethods->xFileControl(below(file), op, arg);
}

int sector_size_of_log(sqlite3_file* file) {
  return below(file)->pMethods->xSectorSize(below(file));
}

int characteristics_of_log(sqlite3_file* file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

// The first version: what came later is of no use for a log.
constexpr sqlite3_io_methods kMethods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_of_log,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = is_log_reserved,
    .xFileControl = control_log,
    .xSectorSize = sector_size_of_log,
    .xDeviceCharacteristics = characteristics_of_log,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

struct Layer {
  sqlite3_vfs vfs;  // first: SQLite has a pointer to it
  sqlite3_vfs* below;
  std::string name;
};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* under = reinterpret_cast<Layer*>(vfs)->below;
  if ((flags & SQLITE_OPEN_WAL) == 0) return under->xOpen(under, name, file, flags, out_flags);
  LogFile& log = of(file);
  log.base.pMethods = nullptr;  // SQLite closes what has methods, even when opening it failed
  const int status = under->xOpen(under, name, log.below(), flags, out_flags);
  if (log.below()->pMethods == nullptr) return status;
  log.log = new Log(*log.below());
  log.base.pMethods = &kMethods;
  return status;
}

}  // namespace

std::string log_layer_over(const std::string& below) {
  static std::mutex mu;
  // For good, as SQLite keeps pointers to them; guarded by mu.
  static auto& layers = *new std::map<std::string, std::unique_ptr<Layer>>();
  const std::lock_guard lock(mu);
  std::unique_ptr<Layer>& layer = layers[below];
  if (!layer) {
    sqlite3_vfs* under = sqlite3_vfs_find(below.empty() ? nullptr : below.c_str());
    if (under == nullptr) return below;
    layer =
        std::make_unique<Layer>(Layer{.vfs = *under, .below = under, .name = "strake-log" + below});
    layer->vfs.zName = layer->name.c_str();
    layer->vfs.pNext = nullptr;
    layer->vfs.szOsFile = static_cast<int>(sizeof(LogFile)) + under->szOsFile;
    layer->vfs.xOpen = open_file;
    sqlite3_vfs_register(&layer->vfs, 0);
  }
  return layer->name;
}

}  // namespace strake::store::sqlite
