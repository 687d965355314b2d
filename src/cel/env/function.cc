#include "cel/env/function.h"

#include <algorithm>

namespace strake::cel {
namespace {

// At run time only the outer kind is compared: what a list holds is not looked at.
bool kind_fits(const Type& param, const Value& arg) {
  const Kind kind = arg.kind();
  if (param.wrapper && kind == Kind::kNull) return true;
  switch (param.kind) {
    case TypeKind::kError:
    case TypeKind::kDyn:
    case TypeKind::kAny:
    case TypeKind::kParam: return true;
    case TypeKind::kNull: return kind == Kind::kNull;
    case TypeKind::kBool: return kind == Kind::kBool;
    case TypeKind::kInt: return kind == Kind::kInt;
    case TypeKind::kUint: return kind == Kind::kUint;
    case TypeKind::kDouble: return kind == Kind::kDouble;
    case TypeKind::kString: return kind == Kind::kString;
    case TypeKind::kBytes: return kind == Kind::kBytes;
    case TypeKind::kTimestamp: return kind == Kind::kTimestamp;
    case TypeKind::kDuration: return kind == Kind::kDuration;
    case TypeKind::kList: return kind == Kind::kList;
    case TypeKind::kMap: return kind == Kind::kMap;
    case TypeKind::kType: return kind == Kind::kType;
    case TypeKind::kObject: return kind == Kind::kObject && type_name(arg) == param.name;
    case TypeKind::kOpaque:
      if (kind == Kind::kOptional) return param.name == "optional_type";
      return kind == Kind::kObject && type_name(arg) == param.name;
  }
  return false;
}

void collect_params(const Type& type, std::vector<const Type*>& out) {
  if (type.kind == TypeKind::kParam) {
    const bool known =
        std::ranges::any_of(out, [&](const Type* t) { return t->name == type.name; });
    if (!known) out.push_back(&type);
  }
  for (const Type* part : type.params) collect_params(*part, out);
}

std::span<const Type* const> copy_types(std::span<const Type* const> types, Arena& arena) {
  const Type** copy = arena.allocate_array<const Type*>(types.size());
  std::ranges::copy(types, copy);
  return {copy, types.size()};
}

}  // namespace

bool Overload::accepts(std::span<const Value> args) const {
  if (args.size() != params.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!kind_fits(*params[i], args[i])) return false;
  }
  return true;
}

Library::Library(std::string_view name) : name_(name) {}

Library::FunctionBuilder Library::function(std::string_view name) {
  for (FunctionDecl& f : functions_) {
    if (f.name == name) return {*this, f};
  }
  functions_.push_back({arena_.copy(name), {}});
  return {*this, functions_.back()};
}

Library::FunctionBuilder& Library::FunctionBuilder::add(bool member, std::string_view id,
                                                        std::initializer_list<const Type*> params,
                                                        const Type* result, Function function) {
  std::vector<const Type*> type_params;
  for (const Type* p : params) collect_params(*p, type_params);
  collect_params(*result, type_params);
  Overload& o = library_.overloads_.emplace_back();
  o.id = library_.arena_.copy(id);
  o.member = member;
  o.params = copy_types({params.begin(), params.size()}, library_.arena_);
  o.result = result;
  o.type_params = copy_types(type_params, library_.arena_);
  o.function = function;
  function_.overloads.push_back(&o);
  last_ = &o;
  return *this;
}

Library::FunctionBuilder& Library::FunctionBuilder::global(
    std::string_view id, std::initializer_list<const Type*> params, const Type* result,
    Function function) {
  return add(false, id, params, result, function);
}

Library::FunctionBuilder& Library::FunctionBuilder::member(
    std::string_view id, std::initializer_list<const Type*> params, const Type* result,
    Function function) {
  return add(true, id, params, result, function);
}

Library::FunctionBuilder& Library::FunctionBuilder::lenient() {
  last_->lenient = true;
  return *this;
}

Library::FunctionBuilder& Library::FunctionBuilder::cost(RuntimeCost cost) {
  last_->cost = cost;
  return *this;
}

Library::FunctionBuilder& Library::FunctionBuilder::prepare(Prepare prepare) {
  last_->prepare = prepare;
  return *this;
}

void Library::constant(std::string_view name, const Type* type, Value value) {
  constants_.push_back({arena_.copy(name), type, value});
}

void Library::type_name(std::string_view name, const Type* type) {
  constant(name, types_.type_of(type), Value::type(type));
}

}  // namespace strake::cel
