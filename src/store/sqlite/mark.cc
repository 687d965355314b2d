#include "store/sqlite/mark.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace strake::store::sqlite {
namespace {

// "StrkMark", revision, chain, flags, checksum of these.
constexpr std::int64_t kMarkMagic = 0x6b72614d6b727453;
using Record = std::array<std::int64_t, 5>;

Checksum sum_of_record(const Record& record) {
  return static_cast<Checksum>(xxh64(
      {reinterpret_cast<const char*>(record.data()), (record.size() - 1) * sizeof record[0]}));
}

}  // namespace

Result<MarkFile> MarkFile::open(const std::string& database_path) {
  const std::string path = path_of(database_path);
  MarkFile file;
  file.fd_ = OwnedFd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.fd_) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  return file;
}

std::optional<Mark> MarkFile::read(const std::string& database_path) {
  const OwnedFd fd(::open(path_of(database_path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return std::nullopt;
  Record record{};
  const ssize_t got = ::pread(fd.get(), record.data(), sizeof record, 0);
  if (got != static_cast<ssize_t>(sizeof record) || record[0] != kMarkMagic ||
      record[4] != sum_of_record(record))
    return std::nullopt;
  return Mark{.revision = record[1], .chain = record[2], .failed = record[3] != 0};
}

bool MarkFile::write(const Mark& mark) const {
  Record record = {kMarkMagic, mark.revision, mark.chain, mark.failed ? 1 : 0, 0};
  record[4] = sum_of_record(record);
  return ::pwrite(fd_.get(), record.data(), sizeof record, 0) ==
         static_cast<ssize_t>(sizeof record);
}

bool MarkFile::sync() const { return ::fdatasync(fd_.get()) == 0; }

}  // namespace strake::store::sqlite
