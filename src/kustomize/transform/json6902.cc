#include "kustomize/transform/json6902.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/quote.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/tree/node_value.h"
#include "value/json_reader.h"

// RFC 6902 on nodes, with the deviations and messages of evanphx/json-patch as kustomize v5.5.0
// uses it: negative indices count from the end, copying what is absent gives null, a test against
// null passes when nothing is there. Operations are applied in place and in order; a failure ends
// the build, so nothing is rolled back.

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::size_t kMostOperations = 10'000;

std::string decoded(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] == '~' && i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1')) {
      out += part[++i] == '0' ? '~' : '/';
    } else {
      out += part[i];
    }
  }
  return out;
}

std::unexpected<Error> missing(std::string_view what) {
  return fail(Code::kInvalid, "{}: missing value", what);
}

std::unexpected<Error> bad_index(std::int64_t index) {
  return fail(Code::kInvalid, "Unable to access invalid index: {}: invalid index referenced",
              index);
}

Result<std::int64_t> parse_index(std::string_view key) {
  std::int64_t index = 0;
  std::string_view digits = key.starts_with('+') ? key.substr(1) : key;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
    return fail(Code::kInvalid, "strconv.Atoi: parsing {}: invalid syntax", quote(key));
  return index;
}

// An index into `size` places; negative ones count from the end.
Result<std::size_t> place_of(std::int64_t index, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  if (index >= count || index < -count) return bad_index(index);
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

// The map or list that holds what a pointer names, and the name within.
struct Spot {
  Node* holder = nullptr;
  std::string key;
};

// A member of a map, or an item of a list. Null for a member that is not there.
Result<Node*> get(const Spot& spot) {
  if (spot.holder->is_map()) return spot.holder->find(spot.key);
  STRAKE_TRY(const std::int64_t index, parse_index(spot.key));
  STRAKE_TRY(const std::size_t place, place_of(index, spot.holder->count));
  return spot.holder->items[place];
}

Spot find_spot(Node* root, std::string_view pointer) {
  const std::size_t first = pointer.find('/');
  if (first == std::string_view::npos) return {};
  Spot spot{.holder = root, .key = {}};
  std::string_view rest = pointer.substr(first + 1);
  for (;;) {
    const std::size_t slash = rest.find('/');
    spot.key = decoded(rest.substr(0, slash));
    if (slash == std::string_view::npos) return spot;
    const auto next = get(spot);
    if (!next || missing_or_null(*next) || (*next)->is_scalar()) return {};
    spot.holder = *next;
    rest.remove_prefix(slash + 1);
  }
}

Result<> add_at(const Spot& spot, Node* value, NodeArena& arena) {
  Node& holder = *spot.holder;
  if (holder.is_map()) {
    arena.put(holder, spot.key, value);
    return {};
  }
  if (spot.key == "-") {
    arena.append(holder, value);
    return {};
  }
  Result<std::int64_t> index = parse_index(spot.key);
  if (!index) {
    return std::unexpected(std::move(index).error().prefixed(
        fmt::format("value was not a proper array index: '{}'", spot.key)));
  }
  STRAKE_TRY(const std::size_t place, place_of(*index, std::size_t{holder.count} + 1));
  arena.insert(holder, place, value);
  return {};
}

Result<> remove_at(const Spot& spot) {
  Node& holder = *spot.holder;
  if (holder.is_map()) {
    if (NodeArena::remove(holder, spot.key)) return {};
    return missing(fmt::format("Unable to remove nonexistent key: {}", spot.key));
  }
  STRAKE_TRY(const std::int64_t index, parse_index(spot.key));
  STRAKE_TRY(const std::size_t place, place_of(index, holder.count));
  NodeArena::remove_at(holder, place);
  return {};
}

Result<> with_context(Result<> done, std::string_view context) {
  if (done) return done;
  return std::unexpected(std::move(done).error().prefixed(context));
}

void set_place(Node& node, const PatchOperation& op) {
  node.origin = op.origin;
  node.line = op.line;
  for (const Entry& entry : node.members()) set_place(*entry.value, op);
  for (Node* item : node.elements()) set_place(*item, op);
}

Node* new_value(const PatchOperation& op, NodeArena& arena) {
  Node* made = op.value == nullptr ? arena.scalar("null", Tag::kNull) : arena.copy(op.value);
  set_place(*made, op);
  return made;
}

Result<> do_add(Node* root, const PatchOperation& op, NodeArena& arena) {
  if (!op.has_path) return missing("add operation failed to decode path");
  const Spot spot = find_spot(root, op.path);
  if (spot.holder == nullptr) {
    return missing(
        fmt::format("add operation does not apply: doc is missing path: \"{}\"", op.path));
  }
  return with_context(add_at(spot, new_value(op, arena), arena),
                      fmt::format("error in add for path: '{}'", op.path));
}

Result<> do_remove(Node* root, const PatchOperation& op) {
  if (!op.has_path) return missing("remove operation failed to decode path");
  const Spot spot = find_spot(root, op.path);
  if (spot.holder == nullptr) {
    return missing(
        fmt::format("remove operation does not apply: doc is missing path: \"{}\"", op.path));
  }
  return with_context(remove_at(spot), fmt::format("error in remove for path: '{}'", op.path));
}

Result<> do_replace(Node*& root, const PatchOperation& op, NodeArena& arena) {
  if (!op.has_path) return missing("replace operation failed to decode path");
  if (op.path.empty()) {
    // kustomize v5.5.0 means to refuse other values, and passes over them instead.
    if (op.value != nullptr && !op.value->is_scalar()) root = arena.copy(op.value);
    return {};
  }
  const Spot spot = find_spot(root, op.path);
  if (spot.holder == nullptr) {
    return missing(
        fmt::format("replace operation does not apply: doc is missing path: {}", op.path));
  }
  const auto old = get(spot);
  if (!old) {
    return missing(
        fmt::format("replace operation does not apply: doc is missing key: {}", op.path));
  }
  Node* value = new_value(op, arena);
  if (*old != nullptr) {
    **old = *value;
    return {};
  }
  arena.put(*spot.holder, spot.key, value);
  return {};
}

Result<> do_move(Node* root, const PatchOperation& op, NodeArena& arena) {
  if (!op.has_from) return missing("move operation failed to decode from");
  const Spot from = find_spot(root, op.from);
  if (from.holder == nullptr) {
    return missing(
        fmt::format("move operation does not apply: doc is missing from path: {}", op.from));
  }
  const std::string context = fmt::format("error in move for path: '{}'", from.key);
  const auto value = get(from);
  if (!value) return with_context(std::unexpected(value.error()), context);
  STRAKE_CHECK(with_context(remove_at(from), context));
  if (!op.has_path) return missing("move operation failed to decode path");
  const Spot to = find_spot(root, op.path);
  if (to.holder == nullptr) {
    return missing(
        fmt::format("move operation does not apply: doc is missing destination path: {}", op.path));
  }
  return with_context(add_at(to, *value, arena),
                      fmt::format("error in move for path: '{}'", op.path));
}

Result<> do_copy(Node* root, const PatchOperation& op, NodeArena& arena) {
  if (!op.has_from) return missing("copy operation failed to decode from");
  const Spot from = find_spot(root, op.from);
  if (from.holder == nullptr) {
    return missing(
        fmt::format("copy operation does not apply: doc is missing from path: {}", op.from));
  }
  const auto value = get(from);
  if (!value) {
    return with_context(std::unexpected(value.error()),
                        fmt::format("error in copy for from: '{}'", op.from));
  }
  if (!op.has_path) return missing("copy operation failed to decode path");
  const Spot to = find_spot(root, op.path);
  if (to.holder == nullptr) {
    return missing(
        fmt::format("copy operation does not apply: doc is missing destination path: {}", op.path));
  }
  Node* copied = *value == nullptr ? arena.scalar("null", Tag::kNull) : arena.copy(*value);
  return with_context(add_at(to, copied, arena), "error while adding value during copy");
}

Result<> do_test(Node* root, const PatchOperation& op) {
  if (!op.has_path) return missing("test operation failed to decode path");
  const auto failed = [&] {
    return fail(Code::kInvalid, "testing value {} failed: test failed", op.path);
  };
  const Node* found = root;
  if (!op.path.empty()) {
    const Spot spot = find_spot(root, op.path);
    if (spot.holder == nullptr)
      return missing(fmt::format("test operation does not apply: is missing path: {}", op.path));
    const auto value = get(spot);
    if (!value) {
      return with_context(std::unexpected(value.error()),
                          fmt::format("error in test for path: '{}'", op.path));
    }
    found = *value;
  }
  const bool wants_null = missing_or_null(op.value);
  if (missing_or_null(found) || wants_null) {
    if (missing_or_null(found) && wants_null) return {};
    return failed();
  }
  Arena scratch;
  STRAKE_TRY(const Value is, to_value(*found, scratch));
  STRAKE_TRY(const Value wanted, to_value(*op.value, scratch));
  if (value::equal(is, wanted)) return {};
  return failed();
}

// Removals from one map that follow each other are done in one pass. A later operation sees the map
// only after flush().
class Removals {
 public:
  // False when the operation is none of them; it is to be done alone then.
  bool take(Node* root, const PatchOperation& op) {
    if (op.op != "remove" || !op.has_path) return false;
    const std::size_t slash = op.path.rfind('/');
    if (slash == std::string::npos) return false;
    const std::string_view parent = std::string_view(op.path).substr(0, slash);
    if (map_ == nullptr || parent != parent_) {
      flush();
      map_ = find_spot(root, op.path).holder;
      parent_ = parent;
      if (map_ != nullptr && !map_->is_map()) map_ = nullptr;
    }
    if (map_ == nullptr) return false;
    const Entry* entry = map_->find_entry(decoded(std::string_view(op.path).substr(slash + 1)));
    // One that is removed twice may stand twice.
    return entry != nullptr && keys_.insert(entry->key).second;
  }
  void flush() {
    if (map_ != nullptr) NodeArena::remove_all(*map_, std::exchange(keys_, {}));
    map_ = nullptr;
  }

 private:
  Node* map_ = nullptr;
  std::string_view parent_;
  std::unordered_set<std::string_view> keys_;
};

Result<> apply_one(Node*& root, const PatchOperation& op, NodeArena& arena) {
  if (op.op == "add") return do_add(root, op, arena);
  if (op.op == "remove") return do_remove(root, op);
  if (op.op == "replace") return do_replace(root, op, arena);
  if (op.op == "move") return do_move(root, op, arena);
  if (op.op == "copy") return do_copy(root, op, arena);
  if (op.op == "test") return do_test(root, op);
  return fail(Code::kInvalid, "Unexpected kind: {}", op.op);
}

Result<PatchOperation> read_operation(const Value& item, NodeArena& arena) {
  if (!item.is_object()) {
    return fail(Code::kInvalid,
                "json: cannot unmarshal {} into Go value of type jsonpatch.Operation",
                to_string(item.type()));
  }
  PatchOperation op;
  const auto text = [&](std::string_view key, std::string& out) {
    const Value* found = item.find(key);
    if (found == nullptr || !found->is_string()) return false;
    out = found->as_string();
    return true;
  };
  if (!text("op", op.op)) op.op = "unknown";
  op.has_path = text("path", op.path);
  op.has_from = text("from", op.from);
  op.origin = arena.origin();
  if (const Value* value = item.find("value"); value != nullptr && !value->is_null())
    op.value = from_json_value(*value, arena);
  return op;
}

}  // namespace

Result<std::vector<PatchOperation>> read_json_patch(std::string_view text, NodeArena& arena) {
  if (text.empty()) return fail(Code::kInvalid, "empty json patch operations");
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.limits.depth = 500;
  options.positions = true;
  STRAKE_TRY(const value::Document document, text.starts_with('[') ? value::read_json(text, options)
                                                                   : read_config_yaml(text, true));
  const Value& root = document.root();
  std::vector<PatchOperation> operations;
  if (root.is_null()) return operations;
  if (!root.is_array()) {
    return fail(Code::kInvalid, "json: cannot unmarshal {} into Go value of type jsonpatch.Patch",
                to_string(root.type()));
  }
  if (root.size() > kMostOperations)
    return fail(Code::kLimit, "a JSON patch may have {} operations", kMostOperations);
  for (std::size_t i = 0; i < root.size(); ++i) {
    STRAKE_TRY(PatchOperation op, read_operation(root.items()[i], arena));
    if (root.has_positions()) op.line = root.item_position(i).line;
    operations.push_back(std::move(op));
  }
  return operations;
}

Result<> apply_json_patch(Node*& root, const std::vector<PatchOperation>& operations,
                          NodeArena& arena) {
  Removals removals;
  for (const PatchOperation& op : operations) {
    if (removals.take(root, op)) continue;
    removals.flush();
    Result<> done = apply_one(root, op, arena);
    if (done) continue;
    if (op.line == 0) return done;
    return std::unexpected(std::move(done).error().at(Position{.line = op.line}));
  }
  removals.flush();
  return {};
}

}  // namespace strake::kustomize
