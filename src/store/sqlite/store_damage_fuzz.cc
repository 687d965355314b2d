// A small store with some bytes of its file changed, as the input says: five bytes a change, the
// place and the new byte. Checking it finds it whole only when everything in it is right, and what
// is salvaged from it was written for that key.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "async/loops.h"
#include "async/run.h"
#include "base/assert.h"
#include "base/log.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/salvage.h"
#include "store/sqlite/sqlite_store.h"

using namespace strake;
using namespace strake::store;
using namespace strake::store::sqlite;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp");
    name += "/strake-fuzz-XXXXXX";
    STRAKE_ASSERT(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { clear(true); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void clear(bool whole = false) const {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path_, ignored))
      std::filesystem::remove(entry.path(), ignored);
    if (whole) std::filesystem::remove(path_, ignored);
  }
  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(out).str();
}

void write_file(const std::string& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  STRAKE_ASSERT(file >= 0 && ::write(file, content.data(), content.size()) ==
                                 static_cast<ssize_t>(content.size()));
  ::close(file);
}

using Rows = std::map<std::string, std::string>;

// What stands in a file; nothing when SQLite cannot read it.
std::optional<Rows> rows_of(const std::string& path) {
  auto database = open_existing(path, Access::kRead);
  if (!database) return std::nullopt;
  auto statement = database->prepare(
      "SELECT live.key, log.value FROM live JOIN log ON log.revision = live.revision");
  if (!statement) return std::nullopt;
  Rows out;
  while (true) {
    const Result<bool> more = statement->step();
    if (!more) return std::nullopt;
    if (!*more) return out;
    out.emplace(statement->bytes(0), statement->bytes(1));
  }
}

struct Original {
  std::string bytes;
  std::string mark;
  Rows rows;
  std::map<std::string, std::set<std::string>> ever;  // every value a key has had
};

Original make(const Folder& folder) {
  log::configure({.level = log::Level::kOff});
  Original out;
  async::Loops loops(1);
  const std::string path = folder / "strake.db";
  auto store = SqliteStore::open({.path = path, .readers = 1}).value();
  std::map<std::string, Revision> revisions;
  const auto put = [&](const std::string& key, std::string value) {
    const auto written = async::run_blocking(
        loops.at(0),
        store->write({.key = key,
                      .value = value.empty() ? nullptr : std::make_shared<const std::string>(value),
                      .expected = revisions[key]}));
    STRAKE_ASSERT(written && written->applied);
    revisions[key] = value.empty() ? 0 : written->revision;
    if (!value.empty()) out.ever[key].insert(std::move(value));
  };
  for (int i = 0; i < 6; ++i) put("/a/" + std::to_string(i), "first " + std::to_string(i));
  for (int i = 0; i < 6; i += 2) put("/a/" + std::to_string(i), "second " + std::to_string(i));
  put("/a/3", "");
  put("/large", std::string(5'000, 'v'));  // on overflow pages
  STRAKE_ASSERT(async::run_blocking(loops.at(0), store->close()));
  store.reset();
  out.bytes = content_of(path);
  out.mark = content_of(path + ".mark");
  out.rows = rows_of(path).value();
  STRAKE_ASSERT(out.rows.size() == 6 && check(path));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  static const Original original = make(folder);
  if (size > 100) return 0;
  std::string bytes = original.bytes;
  for (; size >= 5; data += 5, size -= 5) {
    const std::size_t place =
        data[0] | data[1] << 8 | data[2] << 16 | static_cast<std::size_t>(data[3]) << 24;
    bytes[place % bytes.size()] = static_cast<char>(data[4]);
  }
  folder.clear();
  const std::string path = folder / "strake.db";
  write_file(path, bytes);
  write_file(path + ".mark", original.mark);

  const auto report = check(path);
  if (report) {
    const auto rows = rows_of(path);
    STRAKE_ASSERT(rows && *rows == original.rows);
  } else {
    STRAKE_ASSERT(!report.error().message().empty());
  }

  const auto salvaged = salvage(path, folder / "rest.db", false);
  if (!salvaged) return 0;
  STRAKE_ASSERT(check(folder / "rest.db").has_value());
  const auto rest = rows_of(folder / "rest.db");
  STRAKE_ASSERT(rest.has_value());
  std::size_t right = 0;
  for (const auto& [key, value] : *rest) {
    const auto known = original.ever.find(key);
    STRAKE_ASSERT(known != original.ever.end() && known->second.contains(value));
    const auto now = original.rows.find(key);
    right += now != original.rows.end() && now->second == value;
  }
  if (!salvaged->keys_unknown) {
    STRAKE_ASSERT(right == rest->size());
    STRAKE_ASSERT(right + salvaged->lost_keys.size() >= original.rows.size());
  }
  return 0;
}
