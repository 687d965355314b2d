#include "store/sqlite/fault_vfs.h"

#include <sqlite3.h>

#include <atomic>
#include <mutex>

namespace strake::store::sqlite {
namespace {

std::atomic<int> armed_fault{-1};
std::atomic<bool> armed_once{false};
std::atomic<bool> has_tripped{false};
std::atomic<std::int64_t> touches_left{0};

bool fails_now(Fault fault) {
  if (armed_fault.load() != static_cast<int>(fault)) return false;
  const std::int64_t left = touches_left.fetch_sub(1) - 1;
  const bool fails = armed_once ? left == 0 : left <= 0;
  if (fails) has_tripped = true;
  return fails;
}

struct FaultFile {
  sqlite3_file base;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file)->real(); }

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }
int read_file(sqlite3_file* file, void* out, int bytes, sqlite3_int64 at) {
  if (fails_now(Fault::kRead)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), out, bytes, at);
}
int write_file(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 at) {
  if (fails_now(Fault::kFull)) return SQLITE_FULL;
  if (fails_now(Fault::kTornWrite)) {
    real(file)->pMethods->xWrite(real(file), data, bytes / 2, at);
    return SQLITE_IOERR_WRITE;
  }
  return real(file)->pMethods->xWrite(real(file), data, bytes, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (fails_now(Fault::kTornWrite)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  if (fails_now(Fault::kSync)) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int unlock_file(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_reserved(sqlite3_file* file, int* out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
int file_control(sqlite3_file* file, int op, void* arg) {
  return real(file)->pMethods->xFileControl(real(file), op, arg);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shm_unmap(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

constexpr sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

sqlite3_vfs* usual = nullptr;

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const int status = usual->xOpen(usual, name, real(file), flags, out_flags);
  file->pMethods = real(file)->pMethods != nullptr ? &kMethods : nullptr;
  return status;
}

}  // namespace

const std::string& FaultVfs::name() {
  static const std::string name = "strake-fault";
  static sqlite3_vfs layer;
  static std::once_flag once;
  std::call_once(once, [] {
    usual = sqlite3_vfs_find(nullptr);
    layer = *usual;
    layer.zName = name.c_str();
    layer.szOsFile = static_cast<int>(sizeof(FaultFile)) + usual->szOsFile;
    layer.xOpen = open_file;
    sqlite3_vfs_register(&layer, 0);
  });
  return name;
}

void FaultVfs::arm(Fault fault, std::int64_t nth, bool once) {
  has_tripped = false;
  armed_once = once;
  touches_left = nth;
  armed_fault = static_cast<int>(fault);
}

void FaultVfs::disarm() { armed_fault = -1; }

bool FaultVfs::tripped() { return has_tripped; }

}  // namespace strake::store::sqlite
