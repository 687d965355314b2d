#include "store/sqlite/wal_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/owned_fd.h"
#include "store/sqlite/database.h"

// Reads SQLite's write-ahead log as SQLite's recovery would, to tell two endings apart that SQLite
// does not: a log that ends where a crash cut it off, and one that is damaged in the middle.
// Recovery stops at the first frame whose running checksum is wrong, and takes what follows for
// leftovers.
//
// Frames after that point that carry the salts of this log, and end a commit, were written after it
// on purpose. A crash can leave one such commit (the one that was being flushed, whose frames reach
// the disk in any order); more than one means that acknowledged commits are lost. One pass over the
// file, one frame in memory.

namespace strake::store::sqlite {
namespace {

// The format is described in SQLite's documentation, "WAL-mode File Format".
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kLogMagic = 0x377f0682;  // its last bit: checksums over big-endian words

std::uint32_t big_endian(const char* at) {
  std::uint32_t out = 0;
  std::memcpy(&out, at, sizeof out);
  return std::byteswap(out);
}

struct Sum {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool operator==(const Sum&) const = default;
};

Sum sum_at(const char* at) { return {big_endian(at), big_endian(at + 4)}; }

// Goes on from a sum; whole pairs of words only.
Sum add(Sum sum, std::string_view bytes, bool big_words) {
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint32_t words[2];
    std::memcpy(words, bytes.data() + i, sizeof words);
    if (big_words) {
      words[0] = std::byteswap(words[0]);
      words[1] = std::byteswap(words[1]);
    }
    sum.a += words[0] + sum.b;
    sum.b += words[1] + sum.a;
  }
  return sum;
}

class File {
 public:
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  bool is_open() const { return static_cast<bool>(fd_); }
  // How many bytes there were, up to those wanted; -1 on failure.
  ssize_t read(std::string& into, std::size_t bytes, off_t at) const {
    into.resize(bytes);
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t got =
          ::pread(fd_.get(), into.data() + done, bytes - done, at + static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return -1;
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
  }

 private:
  OwnedFd fd_;
};

struct Frame {
  bool is_commit = false;
  std::string_view salts;
  Sum stored;
};

Frame frame_of(std::string_view bytes) {
  return {.is_commit = big_endian(bytes.data()) != 0 && big_endian(bytes.data() + 4) != 0,
          .salts = bytes.substr(8, 8),
          .stored = sum_at(bytes.data() + 16)};
}

Sum frame_sum(Sum before, std::string_view bytes, bool big_words) {
  return add(add(before, bytes.substr(0, 8), big_words), bytes.substr(kFrameHeaderBytes),
             big_words);
}

bool is_page_size(std::uint32_t size) {
  return size >= 512 && size <= 65536 && std::has_single_bit(size);
}

}  // namespace

Result<WalScan> scan_wal(const std::string& wal_path) {
  WalScan out;
  const File file(wal_path);
  if (!file.is_open()) {
    if (errno == ENOENT) return out;
    return fail(Code::kIo, "{}: {}", wal_path, std::strerror(errno));
  }
  const auto failed = [&] { return fail(Code::kIo, "{}: {}", wal_path, std::strerror(errno)); };
  std::string header;
  const ssize_t got = file.read(header, kHeaderBytes, 0);
  if (got < 0) return failed();
  if (static_cast<std::size_t>(got) < kHeaderBytes) return out;
  const std::uint32_t magic = big_endian(header.data());
  const bool big_words = (magic & 1) != 0;
  const std::string_view salts = std::string_view(header).substr(16, 8);
  const Sum stored = sum_at(header.data() + 24);
  const Sum computed = add({}, std::string_view(header).substr(0, 24), big_words);
  const std::uint32_t page_size = big_endian(header.data() + 8);
  const bool good = (magic & ~1u) == kLogMagic && stored == computed && is_page_size(page_size);
  std::string frame;
  if (!good) {
    // A header that was being written when the power went is followed by frames of the log before
    // it, which was folded into the file. One that was damaged later is followed by its own.
    for (const bool words : {false, true}) {
      for (const std::uint32_t size : {4096u, page_size}) {
        if (!is_page_size(size)) continue;
        const ssize_t read = file.read(frame, kFrameHeaderBytes + size, kHeaderBytes);
        if (read < 0) return failed();
        if (static_cast<std::size_t>(read) < frame.size()) continue;
        const Sum own = frame_of(frame).stored;
        const Sum again = add({}, std::string_view(header).substr(0, 24), words);
        if (frame_sum(stored, frame, words) == own || frame_sum(again, frame, words) == own)
          out.header_damaged = true;
      }
    }
    return out;
  }
  Sum sum = stored;
  bool intact = true;
  std::uint64_t number = 0;
  for (off_t at = kHeaderBytes;; at += static_cast<off_t>(frame.size())) {
    const ssize_t read = file.read(frame, kFrameHeaderBytes + page_size, at);
    if (read < 0) return failed();
    if (static_cast<std::size_t>(read) < frame.size()) break;
    ++number;
    const Frame one = frame_of(frame);
    if (intact) {
      const Sum next = frame_sum(sum, frame, big_words);
      intact = one.salts == salts && next == one.stored && big_endian(frame.data()) != 0;
      if (intact) {
        sum = next;
        if (one.is_commit) out.frames = number;
        continue;
      }
    }
    if (one.salts == salts && one.is_commit) ++out.lost_commits;
  }
  return out;
}

Result<> check_wal(const std::string& database_path) {
  STRAKE_TRY(const WalScan scan, scan_wal(database_path + "-wal"));
  if (scan.header_damaged)
    return damaged(database_path, "the head of its write-ahead log does not match its checksum");
  // A crash leaves at most one commit behind that cannot be read: the one that was being written.
  if (scan.lost_commits > 1) {
    return damaged(database_path,
                   fmt::format("its write-ahead log is damaged after frame {}, and {} commits "
                               "after it cannot be read",
                               scan.frames, scan.lost_commits));
  }
  return {};
}

}  // namespace strake::store::sqlite
