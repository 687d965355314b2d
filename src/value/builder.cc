#include "value/builder.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/assert.h"
#include "base/hash.h"
#include "base/same_text.h"

// Builds bottom-up with two stacks. entries_ holds the parts of all open containers one behind the
// other (a member is two entries, its key and its value); frames_ says where each container starts.
// When a container ends its entries move into the arena, sorted by key, and are replaced by the one
// entry of the finished container. Nothing is moved twice, and nesting needs no native stack.
//
// Positions, when wanted, follow the items or members in the same arena block
// (Value::has_positions), so that documents without them pay nothing.

namespace strake::value {
namespace {

constexpr std::size_t kMostDuplicates = 1000;
// Keys and short strings repeat in lists of objects, so they are stored once: a table without
// chaining, in which a newer text replaces the older one. Missing a repetition costs a copy, never
// correctness.
constexpr std::size_t kShared = 512;
constexpr std::size_t kLongestShared = 48;
constexpr std::size_t kUnshared = 64;

template <typename Less>
void insertion_sort(std::span<std::uint32_t> order, Less less) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint32_t moving = order[i];
    std::size_t j = i;
    for (; j > 0 && less(moving, order[j - 1]); --j) order[j] = order[j - 1];
    order[j] = moving;
  }
}

// Hand-written because most objects have a dozen members and arrive nearly sorted. Equal keys keep
// their source order. Longer ones are merged from runs: that compares less often than std::sort,
// whose pivots are poor for numbered keys (and std::stable_sort of libstdc++ 12 uses a function
// that clang 19 calls deprecated).
template <typename Less>
void sort_order(std::vector<std::uint32_t>& order, Less less) {
  constexpr std::size_t kRun = 32;
  const std::size_t size = order.size();
  for (std::size_t i = 0; i < size; i += kRun)
    insertion_sort(std::span(order).subspan(i, std::min(kRun, size - i)), less);
  std::vector<std::uint32_t> merged(size > kRun ? size : 0);
  for (std::size_t run = kRun; run < size; run *= 2) {
    for (std::size_t i = 0; i < size; i += 2 * run) {
      const auto at = [&](std::size_t k) {
        return order.begin() + static_cast<std::ptrdiff_t>(std::min(k, size));
      };
      std::merge(at(i), at(i + run), at(i + run), at(i + 2 * run),
                 merged.begin() + static_cast<std::ptrdiff_t>(i), less);
    }
    order.swap(merged);
  }
}

}  // namespace

DocumentBuilder::DocumentBuilder(const ReadOptions& options) : options_(options) {
  // Enough for an ordinary object, so that reading one takes a handful of allocations.
  entries_.reserve(32);
  frames_.reserve(16);
}

void DocumentBuilder::start_storage() {
  storage_ = std::make_shared<Document::Storage>();
  if (expected_bytes_ != 0) storage_->arena = Arena(expected_bytes_);
}

std::string_view DocumentBuilder::adopt_text(std::string text) {
  start_storage();
  storage_->text = std::move(text);
  return stable_ = storage_->text;
}

void DocumentBuilder::expect_bytes(std::size_t bytes) {
  expected_bytes_ = bytes;
  if (storage_ && storage_->arena.bytes_reserved() == 0) storage_->arena = Arena(bytes);
}

std::string_view DocumentBuilder::keep_copy(std::string_view text) {
  if (!storage_) start_storage();
  return storage_->arena.copy(text);
}

std::string_view DocumentBuilder::keep_shared(std::string_view text) {
  // A small document is not worth the table.
  if (text.size() > kLongestShared || text.empty() || ++shareable_ < kUnshared)
    return keep_copy(text);
  if (shared_.empty()) shared_.resize(kShared);
  std::string_view& known = shared_[hash64(text) % kShared];
  if (!same_text(known, text)) known = keep_copy(text);
  return known;
}

bool DocumentBuilder::refuse(Error error) {
  error_ = std::move(error);
  return false;
}

bool DocumentBuilder::too_many_nodes(const Position& at) {
  return refuse(
      Error(Code::kLimit, fmt::format("document has more than {} values", options_.limits.nodes))
          .at(at));
}

bool DocumentBuilder::end_array(const Position& at) {
  static_cast<void>(at);
  const Frame frame = frames_.back();
  frames_.pop_back();
  const std::size_t count = entries_.size() - frame.first;
  if (!storage_) start_storage();
  auto* items = static_cast<Value*>(storage_->arena.allocate(
      count * (sizeof(Value) + (options_.positions ? sizeof(Position) : 0))));
  const Entry* entries = entries_.data() + frame.first;
  for (std::size_t i = 0; i < count; ++i) items[i] = entries[i].value;
  Value array = Value::array({items, count});
  if (options_.positions) {
    auto* positions = reinterpret_cast<Position*>(items + count);
    for (std::size_t i = 0; i < count; ++i) positions[i] = entries[i].at;
    array.mark_positions();
  }
  entries_.resize(frame.first);
  return push(array, frame.at);
}

bool DocumentBuilder::end_object(const Position& at) {
  static_cast<void>(at);
  const Frame frame = frames_.back();
  frames_.pop_back();
  const Entry* entries = entries_.data() + frame.first;
  std::size_t count = (entries_.size() - frame.first) / 2;
  auto key_of = [entries](std::size_t i) { return entries[2 * i].value.as_string(); };

  // Strictly, so that equal keys fail the test as well.
  // Strictly ascending keys need neither sorting nor a look for duplicates.
  bool ascending = true;
  for (std::size_t i = 1; i < count && ascending; ++i)
    ascending = compare_keys(key_of(i - 1), key_of(i)) < 0;
  if (!ascending) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    sort_order(order_, [&key_of](std::uint32_t a, std::uint32_t b) {
      return compare_keys(key_of(a), key_of(b)) < 0;
    });
    if (!settle_duplicates(order_, entries)) return false;
    count = order_.size();
  }
  auto source = [&](std::size_t i) { return ascending ? i : order_[i]; };

  if (!storage_) start_storage();
  auto* members = static_cast<Member*>(storage_->arena.allocate(
      count * (sizeof(Member) + (options_.positions ? 2 * sizeof(Position) : 0))));
  for (std::size_t i = 0; i < count; ++i)
    members[i] = {key_of(source(i)), entries[2 * source(i) + 1].value};
  Value object = Value::object({members, count});
  if (options_.positions) {
    auto* positions = reinterpret_cast<Position*>(members + count);
    for (std::size_t i = 0; i < count; ++i) {
      positions[2 * i] = entries[2 * source(i)].at;
      positions[2 * i + 1] = entries[2 * source(i) + 1].at;
    }
    object.mark_positions();
  }
  entries_.resize(frame.first);
  return push(object, frame.at);
}

// `order` is sorted by key, and stays in source order among equal keys.
bool DocumentBuilder::settle_duplicates(std::vector<std::uint32_t>& order, const Entry* entries) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Entry& now = entries[2 * order[i]];
    if (kept == 0 || entries[2 * order[kept - 1]].value.as_string() != now.value.as_string()) {
      order[kept++] = order[i];
      continue;
    }
    const Entry& before = entries[2 * order[kept - 1]];
    const std::string_view name = now.value.as_string();
    if (options_.duplicates == DuplicatePolicy::kError) {
      return refuse(Error(Code::kParse, fmt::format("duplicate key \"{}\", first at {}:{}", name,
                                                    before.at.line, before.at.column))
                        .at(now.at)
                        .at(path_to(entries, name)));
    }
    if (!storage_) start_storage();
    // Capped: a path per duplicate would let a small hostile text take much memory.
    if (storage_->duplicates.size() < kMostDuplicates) {
      storage_->duplicates.push_back({path_to(entries, name), before.at, now.at});
    }
    if (options_.duplicates == DuplicatePolicy::kLastWins) order[kept - 1] = order[i];
  }
  order.resize(kept);
  return true;
}

// The open containers say where we are: in an object the last entry before the next container is
// the key it hangs on.
FieldPath DocumentBuilder::path_to(const Entry* innermost, std::string_view last_key) const {
  FieldPath path;
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const std::size_t inner = f + 1 < frames_.size()
                                  ? frames_[f + 1].first
                                  : static_cast<std::size_t>(innermost - entries_.data());
    if (frames_[f].object) {
      path.push_field(entries_[inner - 1].value.as_string());
    } else {
      path.push_index(inner - frames_[f].first);
    }
  }
  path.push_field(last_key);
  return path;
}

void DocumentBuilder::reset() {
  entries_.clear();
  frames_.clear();
  shared_.clear();
  shareable_ = 0;
  nodes_ = 0;
  storage_.reset();
  error_.reset();
}

Document DocumentBuilder::take() {
  STRAKE_ASSERT(frames_.empty() && entries_.size() == 1);
  if (!storage_) start_storage();
  storage_->source_name = options_.source_name;
  Document out(std::move(storage_));
  out.root_ = entries_[0].value;
  out.start_ = entries_[0].at;
  out.index_ = documents_++;
  entries_.clear();
  shared_.clear();
  shareable_ = 0;
  nodes_ = 0;
  storage_.reset();
  return out;
}

}  // namespace strake::value
