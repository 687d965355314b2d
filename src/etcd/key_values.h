#pragma once
// The keys of the etcd that test harnesses start beside kube-apiserver, with their revisions, in
// memory. Small: all history is kept until it is compacted, and there is a limit of bytes. One
// thread.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strake::etcd {

using Revision = std::int64_t;

struct KeyValue {
  std::string key;
  std::string value;
  Revision create_revision = 0;
  Revision mod_revision = 0;
  std::int64_t version = 0;  // writes since it was created
};

// Which keys: one; those from `key` up to `end`, without it; with an end of one zero byte, all from
// `key` on.
struct Span {
  std::string key;
  std::string end;
};

class KeyValues {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

  Revision revision() const { return revision_; }
  Revision compacted() const { return compacted_; }
  std::size_t bytes() const { return bytes_; }

  // As they stood at the revision, which is from compacted() to revision(); 0 is now, with what the
  // transaction under way has written.
  std::vector<KeyValue> range(const Span& span, Revision at) const;
  // Forgets what was replaced by then. The revision is from compacted() to revision().
  void compact(Revision at);

  // What is written between them has one revision, the next one; nothing written takes none.
  void begin() { written_ = false; }
  void put(const std::string& key, std::string value);
  // What is gone.
  std::vector<KeyValue> remove(const Span& span);
  void end();

 private:
  struct Version {
    Revision revision = 0;
    Revision created = 0;
    std::int64_t number = 0;  // 0: deleted
    std::string value;
  };
  using Versions = std::vector<Version>;  // oldest first
  void write(const std::string& key, Version version);
  template <typename Visit>
  void visit(const Span& span, Visit visit) const;
  Revision now() const { return written_ ? revision_ + 1 : revision_; }

  std::map<std::string, Versions, std::less<>> keys_;
  Revision revision_ = 1;
  Revision compacted_ = 0;
  std::size_t bytes_ = 0;
  bool written_ = false;
};

}  // namespace strake::etcd
