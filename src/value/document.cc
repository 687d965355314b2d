#include "value/document.h"

#include <algorithm>

namespace strake::value {
namespace {

using Step = FieldPath::Step;

std::size_t member_index(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  if (found == nullptr) return object.size();
  const std::span<const Member> members = object.members();
  return static_cast<std::size_t>(
      std::lower_bound(members.begin(), members.end(), key,
                       [](const Member& m, std::string_view k) { return m.key < k; }) -
      members.begin());
}

// A pointer's digits are an index in an array and a name in an object.
std::string step_name(const Step& step) {
  if (step.kind == FieldPath::Kind::kIndex && step.name.empty())
    return fmt::format("{}", step.index);
  return step.name;
}

const Value* child(const Value& parent, const Step& step) {
  if (parent.is_array()) {
    if (step.kind != FieldPath::Kind::kIndex || step.index >= parent.size()) return nullptr;
    return &parent.items()[step.index];
  }
  if (step.kind == FieldPath::Kind::kIndex && step.name.empty()) return nullptr;
  return parent.find(step.name);
}

std::string_view kind_of(const Value& v) { return to_string(v.type()); }

}  // namespace

Document::Document() : storage_(std::make_shared<Storage>()) {}

const Value* Document::at(const FieldPath& path) const {
  const Value* here = &root_;
  for (const Step& step : path.steps()) {
    here = child(*here, step);
    if (here == nullptr) return nullptr;
  }
  return here;
}

// The nearest place that is known: a path may lead to what is missing, or into what has no
// positions.
Position Document::position(const FieldPath& path) const {
  Position found = start_;
  const Value* here = &root_;
  for (const Step& step : path.steps()) {
    const Value* next = child(*here, step);
    if (next == nullptr || !here->has_positions()) break;
    found = here->is_array() ? here->item_position(step.index)
                             : here->value_position(member_index(*here, step_name(step)));
    here = next;
  }
  return found;
}

Position Document::key_position(const FieldPath& path) const {
  if (path.empty()) return start_;
  FieldPath parent = path;
  const Step last = path.steps().back();
  parent.pop();
  const Value* container = at(parent);
  if (container == nullptr || !container->is_object() || !container->has_positions())
    return position(path);
  const std::size_t i = member_index(*container, step_name(last));
  return i < container->size() ? container->key_position(i) : position(parent);
}

Document Document::fork() const {
  Document out;
  out.storage_->source_name = storage_->source_name;
  out.storage_->shared.push_back(storage_);
  out.root_ = root_;
  out.start_ = start_;
  out.index_ = index_;
  return out;
}

Result<> Document::set(const FieldPath& path, Value v) {
  Arena& arena = storage_->arena;
  Value* here = &root_;
  FieldPath walked;
  for (const Step& step : path.steps()) {
    if (here->is_array()) {
      if (step.kind != FieldPath::Kind::kIndex || step.index > here->size()) {
        return fail(Code::kInvalid, walked, "has no element {}, only {} elements", step_name(step),
                    here->size());
      }
      const std::size_t size = std::max(here->size(), step.index + 1);
      auto* items = arena.allocate_array<Value>(size);
      std::copy_n(here->items().begin(), here->size(), items);
      if (step.index == here->size()) items[step.index] = Value();
      *here = Value::array({items, size});
      here = &items[step.index];
      walked.push_index(step.index);
      continue;
    }
    if (here->is_null()) *here = Value::object({});
    if (!here->is_object() || (step.kind == FieldPath::Kind::kIndex && step.name.empty())) {
      return fail(Code::kInvalid, walked, "cannot step into {} with {}", kind_of(*here),
                  step_name(step));
    }
    auto* members = arena.allocate_array<Member>(here->size());
    std::copy_n(here->members().begin(), here->size(), members);
    *here = Value::object({members, here->size()});
    Value* there = here->find(step.name);
    here = there != nullptr ? there : &here->set(arena.copy(step.name), Value(), arena);
    walked.push_field(step.name);
  }
  *here = v;
  return {};
}

bool Document::remove(const FieldPath& path) {
  if (path.empty() || at(path) == nullptr) return false;
  Arena& arena = storage_->arena;
  Value* here = &root_;
  for (std::size_t i = 0; i < path.steps().size(); ++i) {
    const Step& step = path.steps()[i];
    const bool last = i + 1 == path.steps().size();
    const std::size_t size = here->size();
    if (here->is_array()) {
      auto* items = arena.allocate_array<Value>(size);
      std::copy_n(here->items().begin(), size, items);
      if (last) std::copy(items + step.index + 1, items + size, items + step.index);
      *here = Value::array({items, last ? size - 1 : size});
      here = &items[step.index];
    } else {
      auto* members = arena.allocate_array<Member>(size);
      std::copy_n(here->members().begin(), size, members);
      *here = Value::object({members, size});
      if (last) return here->remove(step.name);
      here = here->find(step.name);
    }
  }
  return true;
}

}  // namespace strake::value
