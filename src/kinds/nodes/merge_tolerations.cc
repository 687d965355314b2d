// One toleration covers another when it tolerates all that the other does. To compare each with
// each would take forever for a list that somebody made long on purpose. So those that can cover
// the same ones are counted in groups: by key, effect, and value where it counts. Of a group only
// the longest times matter, and the covers of one toleration are in eight groups at most.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kinds/fields.h"
#include "kinds/nodes/taints.h"

namespace strake::kinds {

using value::Value;

namespace {

struct Toleration {
  explicit Toleration(const Value& read)
      : json(read),
        key(text_of(read, "key")),
        op(text_of(read, "operator")),
        text(text_of(read, "value")),
        effect(text_of(read, "effect")) {
    if (member(read, "tolerationSeconds") != nullptr) seconds = integer(read, "tolerationSeconds");
  }

  bool exists() const { return op == "Exists"; }
  bool equals() const { return op.empty() || op == "Equal"; }
  // No pod with such a toleration is accepted, so it does not matter what covers it.
  bool is_malformed() const {
    return (exists() && !text.empty()) || (seconds && effect != "NoExecute");
  }

  Value json;
  std::string_view key;
  std::string_view op;
  std::string_view text;
  std::string_view effect;
  std::optional<std::int64_t> seconds;
};

void add_part(std::string& name, std::string_view part) {
  name += std::to_string(part.size());
  name += ' ';
  name += part;
}

std::string group_name(std::string_view key, std::string_view effect, bool exists,
                       std::string_view text) {
  std::string name;
  add_part(name, key);
  add_part(name, effect);
  if (exists) {
    name += 'E';
  } else {
    add_part(name, text);
  }
  return name;
}

std::string whole_name(const Toleration& one) {
  std::string name = group_name(one.key, one.effect, one.exists(), one.text);
  add_part(name, one.op);
  if (one.seconds) name += std::to_string(*one.seconds);
  return name;
}

struct Group {
  std::size_t count = 0;
  std::size_t endless = 0;  // without tolerationSeconds
  // The longest two, counting those that are as long.
  std::optional<std::int64_t> longest;
  std::optional<std::int64_t> second;

  void add(const Toleration& one) {
    ++count;
    if (!one.seconds) {
      ++endless;
    } else if (!longest || *one.seconds > *longest) {
      second = longest;
      longest = one.seconds;
    } else if (!second || *one.seconds > *second) {
      second = one.seconds;
    }
  }

  // Whether one of the group covers `other` in time; `within` says that `other` is of the group
  // and does not count.
  bool covers(const Toleration& other, std::string_view effect, bool within) const {
    if (effect != "NoExecute") return count > (within ? 1 : 0);
    if (!other.seconds) return endless > (within ? 1 : 0);
    const std::optional<std::int64_t>& most = within ? second : longest;
    return endless > 0 || (most && *most >= *other.seconds);
  }
};

class Covers {
 public:
  void add(const Toleration& one) {
    if (one.exists() || one.equals())
      groups_[group_name(one.key, one.effect, one.exists(), one.text)].add(one);
  }

  bool is_covered(const Toleration& one) const {
    for (const std::string_view effect : {one.effect, std::string_view()}) {
      if (group_covers(one, one.key, effect, true)) return true;
      // Without a key, any key.
      if (!one.key.empty() && group_covers(one, {}, effect, true)) return true;
      if (one.op == "Equal" && group_covers(one, one.key, effect, false)) return true;
      if (one.effect.empty()) break;
    }
    return false;
  }

 private:
  bool group_covers(const Toleration& one, std::string_view key, std::string_view effect,
                    bool exists) const {
    const auto group = groups_.find(group_name(key, effect, exists, one.text));
    if (group == groups_.end()) return false;
    const bool within =
        key == one.key && effect == one.effect && (exists ? one.exists() : one.equals());
    return group->second.covers(one, effect, within);
  }

  std::unordered_map<std::string, Group> groups_;
};

}  // namespace

std::vector<Value> merge_tolerations(std::span<const Value> first, std::span<const Value> second) {
  std::vector<Toleration> all;
  all.reserve(first.size() + second.size());
  for (const std::span<const Value> list : {first, second}) {
    for (const Value& one : list) all.emplace_back(one);
  }
  if (std::ranges::any_of(all, &Toleration::is_malformed)) {
    std::vector<Value> out(first.begin(), first.end());
    out.insert(out.end(), second.begin(), second.end());
    return out;
  }
  std::unordered_set<std::string> seen;
  std::erase_if(all, [&](const Toleration& one) { return !seen.insert(whole_name(one)).second; });
  Covers covers;
  for (const Toleration& one : all) covers.add(one);
  std::vector<Value> out;
  for (const Toleration& one : all) {
    if (!covers.is_covered(one)) out.push_back(one.json);
  }
  return out;
}

}  // namespace strake::kinds
