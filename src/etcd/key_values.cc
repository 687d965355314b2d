#include "etcd/key_values.h"

#include <algorithm>
#include <utility>

namespace strake::etcd {

template <typename Visit>
void KeyValues::visit(const Span& span, Visit visit) const {
  const bool to_the_last = span.end == std::string_view("\0", 1);
  for (auto at = keys_.lower_bound(span.key); at != keys_.end(); ++at) {
    const bool wanted =
        span.end.empty() ? at->first == span.key : to_the_last || at->first < span.end;
    if (!wanted) return;
    visit(at->first, at->second);
  }
}

std::vector<KeyValue> KeyValues::range(const Span& span, Revision at) const {
  const Revision until = at > 0 ? at : now();
  std::vector<KeyValue> out;
  visit(span, [&](const std::string& key, const Versions& versions) {
    const auto after = std::ranges::upper_bound(versions, until, {}, &Version::revision);
    if (after == versions.begin()) return;
    const Version& found = *std::prev(after);
    if (found.number == 0) return;
    out.push_back({.key = key,
                   .value = found.value,
                   .create_revision = found.created,
                   .mod_revision = found.revision,
                   .version = found.number});
  });
  return out;
}

void KeyValues::write(const std::string& key, Version version) {
  written_ = true;
  version.revision = revision_ + 1;
  bytes_ += key.size() + version.value.size() + sizeof(Version);
  Versions& versions = keys_[key];
  versions.push_back(std::move(version));
}

void KeyValues::put(const std::string& key, std::string value) {
  const auto found = keys_.find(key);
  const Version* last = found == keys_.end() ? nullptr : &found->second.back();
  const bool is_new = last == nullptr || last->number == 0;
  write(key, {.created = is_new ? revision_ + 1 : last->created,
              .number = is_new ? 1 : last->number + 1,
              .value = std::move(value)});
}

std::vector<KeyValue> KeyValues::remove(const Span& span) {
  std::vector<KeyValue> gone = range(span, 0);
  for (const KeyValue& one : gone) write(one.key, {});
  return gone;
}

void KeyValues::end() {
  if (std::exchange(written_, false)) ++revision_;
}

void KeyValues::compact(Revision at) {
  compacted_ = at;
  for (auto key = keys_.begin(); key != keys_.end();) {
    Versions& versions = key->second;
    // What stood then stays, unless it is a deletion.
    auto keep = std::ranges::upper_bound(versions, at, {}, &Version::revision);
    if (keep != versions.begin() && std::prev(keep)->number != 0) --keep;
    for (auto one = versions.begin(); one != keep; ++one)
      bytes_ -= key->first.size() + one->value.size() + sizeof(Version);
    versions.erase(versions.begin(), keep);
    key = versions.empty() ? keys_.erase(key) : std::next(key);
  }
}

}  // namespace strake::etcd
