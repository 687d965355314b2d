#include "patch/json_patch.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "patch/document_edit.h"
#include "value/json_writer.h"

// Operations run in order on a DocumentEdit; the document itself never changes, so a patch that
// fails half-way has done nothing. There are two ways to a place: open_place() opens the containers
// on the way, for what is going to be changed; look() opens nothing, for what is only read, so that
// a test costs a search.
//
// Where kube-apiserver 1.36 and RFC 6902 differ, the server is followed, texts included: a negative
// index counts from the end, replace adds a member that is not there, a missing member passes a
// test for null, "" is a place for test and replace alone, and numbers are compared as they are
// written. What is moved keeps its edits, as the slot itself goes to the new place. What is copied
// is closed first, a snapshot: two places must not share a container that can still be edited.

namespace strake::patch {
namespace {

using value::Member;
using value::Type;
using value::Value;
using Slot = DocumentEdit::Slot;
using Container = DocumentEdit::Container;

// The word of encoding/json for a value that does not fit.
std::string_view go_word(const Value& v) {
  if (v.is_bool()) return "bool";
  if (v.is_number()) return "number";
  return value::to_string(v.type());
}

struct Operation {
  std::string_view kind = "unknown";
  std::optional<std::string_view> path;
  std::optional<std::string_view> from;
  const Value* value = nullptr;
};

Result<std::optional<std::string_view>> text_member(const Value& operation, std::string_view key) {
  const Value* found = operation.find(key);
  if (found == nullptr || found->is_null()) return std::nullopt;
  if (found->is_string()) return found->as_string();
  return fail(Code::kBadRequest,
              "json: cannot unmarshal {} into Go struct field jsonPatchOp.{} of type string",
              go_word(*found), key);
}

Result<Operation> read_operation(const Value& v) {
  Operation out;
  if (v.is_null()) return out;
  if (!v.is_object()) {
    return fail(Code::kBadRequest,
                "json: cannot unmarshal {} into Go value of type handlers.jsonPatchOp", go_word(v));
  }
  STRAKE_TRY(const auto kind, text_member(v, "op"));
  STRAKE_TRY(out.path, text_member(v, "path"));
  STRAKE_TRY(out.from, text_member(v, "from"));
  if (kind) out.kind = *kind;
  out.value = v.find("value");
  return out;
}

Result<std::vector<Operation>> read_operations(const Value& patch, const JsonPatchLimits& limits) {
  std::vector<Operation> out;
  if (patch.is_null()) return out;
  if (!patch.is_array()) {
    return fail(Code::kBadRequest,
                "json: cannot unmarshal {} into Go value of type []handlers.jsonPatchOp",
                go_word(patch));
  }
  if (patch.size() > limits.operations) {
    return fail(Code::kRequestTooLarge,
                "The allowed maximum operations in a JSON patch is {}, got {}", limits.operations,
                patch.size());
  }
  out.reserve(patch.size());
  for (const Value& v : patch.items()) {
    STRAKE_TRY(out.emplace_back(), read_operation(v));
  }
  return out;
}

// One pass, so that ~01 is ~1.
std::string unescape(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escape = step[i] == '~' && i + 1 < step.size();
    if (escape && (step[i + 1] == '0' || step[i + 1] == '1')) {
      out += step[++i] == '1' ? '/' : '~';
    } else {
      out += step[i];
    }
  }
  return out;
}

// The steps of a pointer. What stands before the first slash counts for nothing, and a text without
// one leads nowhere: both as the server has it.
std::vector<std::string> pointer_steps(std::string_view pointer) {
  std::vector<std::string> out;
  for (std::size_t slash = pointer.find('/'); slash != std::string_view::npos;) {
    const std::size_t next = pointer.find('/', slash + 1);
    out.push_back(unescape(pointer.substr(slash + 1, next - slash - 1)));
    slash = next;
  }
  return out;
}

// As strconv.Atoi reads it, counted from the end when it is negative.
Result<std::size_t> index_of(std::string_view step, std::size_t length) {
  std::string_view digits = step;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool read = end == digits.data() + digits.size() && !digits.starts_with("-+") &&
                    !(step.starts_with('+') && digits.starts_with('-'));
  if (error == std::errc::result_out_of_range && read)
    return fail(Code::kInvalid, "strconv.Atoi: parsing {}: value out of range", quote(step));
  if (error != std::errc() || !read)
    return fail(Code::kInvalid, "strconv.Atoi: parsing {}: invalid syntax", quote(step));
  const auto size = static_cast<std::int64_t>(length);
  if (index >= size || index < -size) {
    return fail(Code::kInvalid, "Unable to access invalid index: {}: invalid index referenced",
                index);
  }
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

// The server compares scalars as they are written: its own text of a number against that of the
// patch. A whole number that was read as a double was written with a point or an exponent, which it
// never writes itself below 1e21.
bool same_number(const Value& ours, const Value& given) {
  if (given.type() == Type::kDouble) {
    const double d = given.as_double();
    if (d == std::trunc(d) && std::abs(d) < 1e21) return false;
  }
  return value::equal(ours, given);
}

bool same_scalar(const Value& ours, const Value& given) {
  if (ours.is_number() && given.is_number()) return same_number(ours, given);
  return value::identical(ours, given);
}

class Patcher {
 public:
  Patcher(const Value& document, Arena& arena, const JsonPatchLimits& limits)
      : edit_(document, arena), arena_(arena), limits_(limits) {}

  Result<> run(const Operation& op) {
    if (op.kind == "add") return add(op);
    if (op.kind == "remove") return remove(op);
    if (op.kind == "replace") return replace(op);
    if (op.kind == "move") return move(op);
    if (op.kind == "test") return test(op);
    if (op.kind == "copy") return copy(op);
    return fail(Code::kInvalid, "Unexpected kind: {}", op.kind);
  }

  Value result() { return edit_.close(edit_.root()); }

 private:
  // A container and the step that leads from it to the place that is meant.
  struct Place {
    Container* container = nullptr;
    std::string step;
  };

  // The container is opened for edits; null when the way to it does not exist.
  Place open_place(std::string_view pointer) {
    std::vector<std::string> steps = pointer_steps(pointer);
    if (steps.empty()) return {};
    Container* at = edit_.open(edit_.root());
    for (std::size_t i = 0; at != nullptr && i + 1 < steps.size(); ++i) at = descend(*at, steps[i]);
    return {at, std::move(steps.back())};
  }

  Container* descend(Container& from, const std::string& step) {
    Slot* next = nullptr;
    if (!from.array) {
      next = from.at(step);
    } else if (const auto index = index_of(step, from.items.size())) {
      next = &from.items.at(*index);
    }
    return next != nullptr ? edit_.open(*next) : nullptr;
  }

  // What stands at a place, without opening it. A member that is not there is null, as is a null.
  struct Found {
    bool way = false;  // its container exists
    Result<Slot> slot = Slot{};
  };
  Found look(std::string_view pointer) {
    const std::vector<std::string> steps = pointer_steps(pointer);
    if (steps.empty()) return {};
    Slot at = edit_.root();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!at.is_array() && !at.is_object()) return {};
      const bool last = i + 1 == steps.size();
      if (at.is_object()) {
        at = DocumentEdit::member(at, steps[i]).value_or(Slot{});
      } else {
        const Result<std::size_t> index = index_of(steps[i], DocumentEdit::length(at));
        if (!index) return last ? Found{true, std::unexpected(index.error())} : Found{};
        at = *DocumentEdit::item(at, *index);
      }
    }
    return {true, at};
  }

  // A value of the patch, kept when the patch is gone. An absent one is null.
  Slot given(const Operation& op) {
    return {op.value != nullptr ? value::deep_copy(*op.value, arena_) : Value()};
  }

  Result<> insert(const Place& place, Slot slot) {
    Container& container = *place.container;
    if (!container.array) {
      container.set(arena_.copy(place.step), slot);
      return {};
    }
    if (place.step == "-") {
      container.items.insert(container.items.size(), slot);
      return {};
    }
    STRAKE_TRY(const std::size_t index, index_of(place.step, container.items.size() + 1));
    container.items.insert(index, slot);
    return {};
  }

  static Result<> erase(const Place& place) {
    Container& container = *place.container;
    if (!container.array) {
      if (container.remove(place.step)) return {};
      return fail(Code::kInvalid, "Unable to remove nonexistent key: {}: missing value",
                  place.step);
    }
    STRAKE_TRY(const std::size_t index, index_of(place.step, container.items.size()));
    container.items.erase(index);
    return {};
  }

  Result<> add(const Operation& op) {
    if (!op.path) return fail(Code::kInvalid, "add operation failed to decode path: missing value");
    const Place place = open_place(*op.path);
    if (place.container == nullptr) {
      return fail(Code::kInvalid,
                  "add operation does not apply: doc is missing path: \"{}\": missing value",
                  *op.path);
    }
    if (auto done = insert(place, given(op)); !done) {
      return std::unexpected(
          std::move(done).error().prefixed(fmt::format("error in add for path: '{}'", *op.path)));
    }
    return {};
  }

  Result<> remove(const Operation& op) {
    if (!op.path)
      return fail(Code::kInvalid, "remove operation failed to decode path: missing value");
    const Place place = open_place(*op.path);
    if (place.container == nullptr) {
      return fail(Code::kInvalid,
                  "remove operation does not apply: doc is missing path: \"{}\": missing value",
                  *op.path);
    }
    if (auto done = erase(place); !done) {
      return std::unexpected(std::move(done).error().prefixed(
          fmt::format("error in remove for path: '{}'", *op.path)));
    }
    return {};
  }

  Result<> replace(const Operation& op) {
    if (!op.path) {
      return fail(Code::kInvalid,
                  "replace operation failed to decode path: operation missing path field: missing "
                  "value");
    }
    if (op.path->empty()) return replace_root(op);
    const Place place = open_place(*op.path);
    if (place.container == nullptr) {
      return fail(Code::kInvalid,
                  "replace operation does not apply: doc is missing path: {}: missing value",
                  *op.path);
    }
    Container& container = *place.container;
    if (!container.array) {
      container.set(arena_.copy(place.step), given(op));
      return {};
    }
    const Result<std::size_t> index = index_of(place.step, container.items.size());
    if (!index) {
      return fail(Code::kInvalid,
                  "replace operation does not apply: doc is missing key: {}: missing value",
                  *op.path);
    }
    container.items.at(*index) = given(op);
    return {};
  }

  Result<> replace_root(const Operation& op) {
    if (op.value == nullptr || !(op.value->is_array() || op.value->is_object()))
      return fail(Code::kInvalid, "replace operation value must be object or array");
    edit_.root() = given(op);
    return {};
  }

  Result<> move(const Operation& op) {
    STRAKE_TRY(const std::string_view from, from_of(op, "move"));
    const Place source = open_place(from);
    if (source.container == nullptr) {
      return fail(Code::kInvalid,
                  "move operation does not apply: doc is missing from path: {}: missing value",
                  from);
    }
    const Slot moved = look(from).slot.value_or(Slot{});
    if (auto done = erase(source); !done) {
      return std::unexpected(std::move(done).error().prefixed(
          fmt::format("error in move for path: '{}'", source.step)));
    }
    if (!op.path) {
      return fail(Code::kInvalid,
                  "move operation failed to decode path: operation missing path field: missing "
                  "value");
    }
    const Place target = open_place(*op.path);
    if (target.container == nullptr) {
      return fail(
          Code::kInvalid,
          "move operation does not apply: doc is missing destination path: {}: missing value",
          *op.path);
    }
    if (auto done = insert(target, moved); !done) {
      return std::unexpected(
          std::move(done).error().prefixed(fmt::format("error in move for path: '{}'", *op.path)));
    }
    return {};
  }

  Result<> copy(const Operation& op) {
    STRAKE_TRY(const std::string_view from, from_of(op, "copy"));
    const Found source = look(from);
    if (!source.way) {
      return fail(Code::kInvalid,
                  "copy operation does not apply: doc is missing from path: {}: missing value",
                  from);
    }
    if (!source.slot) {
      return std::unexpected(
          Error(source.slot.error()).prefixed(fmt::format("error in copy for from: '{}'", from)));
    }
    if (!op.path)
      return fail(Code::kInvalid, "copy operation failed to decode path: missing value");
    const Place target = open_place(*op.path);
    if (target.container == nullptr) {
      return fail(
          Code::kInvalid,
          "copy operation does not apply: doc is missing destination path: {}: missing value",
          *op.path);
    }
    const Value copied = edit_.close(*source.slot);
    STRAKE_CHECK(count(copied));
    if (auto done = insert(target, {copied}); !done) {
      return std::unexpected(
          std::move(done).error().prefixed("error while adding value during copy"));
    }
    return {};
  }

  // Copies share their parts here, but the text that the document becomes does not: a few of them
  // that double it each time would make it grow without bounds.
  Result<> count(const Value& copied) {
    if (copied.is_null()) return {};
    copied_ += value::to_json(copied).size();
    if (copied_ <= limits_.copied_bytes) return {};
    return fail(Code::kInvalid,
                "Unable to complete the copy, the accumulated size increase of copy is {}, "
                "exceeding the limit {}",
                copied_, limits_.copied_bytes);
  }

  Result<> test(const Operation& op) {
    if (!op.path) {
      return fail(Code::kInvalid,
                  "test operation failed to decode path: operation missing path field: missing "
                  "value");
    }
    const Found found = op.path->empty() ? Found{true, edit_.root()} : look(*op.path);
    if (!found.way) {
      return fail(Code::kInvalid,
                  "test operation does not apply: is missing path: {}: missing value", *op.path);
    }
    if (!found.slot) {
      return std::unexpected(Error(found.slot.error())
                                 .prefixed(fmt::format("error in test for path: '{}'", *op.path)));
    }
    const Value wanted = op.value != nullptr ? *op.value : Value();
    if (DocumentEdit::matches(*found.slot, wanted, same_scalar)) return {};
    return fail(Code::kInvalid, "testing value {} failed: test failed", *op.path);
  }

  static Result<std::string_view> from_of(const Operation& op, std::string_view kind) {
    if (op.from) return *op.from;
    return fail(Code::kInvalid,
                "{} operation failed to decode from: operation, missing from field: missing value",
                kind);
  }

  DocumentEdit edit_;
  Arena& arena_;
  const JsonPatchLimits& limits_;
  std::size_t copied_ = 0;
};

}  // namespace

Result<Value> apply_json_patch(const Value& document, const Value& operations, Arena& arena,
                               const JsonPatchLimits& limits) {
  STRAKE_TRY(const std::vector<Operation> read, read_operations(operations, limits));
  Patcher patcher(document, arena, limits);
  for (const Operation& op : read) STRAKE_CHECK(patcher.run(op));
  return patcher.result();
}

}  // namespace strake::patch
