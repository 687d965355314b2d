#include "cel/lib/k8s_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kFormatType{TypeKind::kObject, false, "kubernetes.NamedFormat"};

class FormatObject final : public Object {
 public:
  explicit FormatObject(const NamedFormat& held) : format(held) {}
  const Type* type() const override { return &kFormatType; }
  bool equal(const Object& other, Arena&) const override {
    return format.display == static_cast<const FormatObject&>(other).format.display;
  }
  const NamedFormat& format;
};

Value validate(EvalContext& c, Args x) {
  const NamedFormat& format = static_cast<const FormatObject*>(x[0].as_object())->format;
  const std::vector<std::string> faults = format.check(x[1].as_text());
  if (faults.empty()) return Value::none();
  Value list = Value::list(new_list(0, c.arena), 0);
  for (const std::string& fault : faults) {
    list = list_append(list, Value::string(c.arena.copy(fault)), c.arena);
  }
  return Value::some(list, c.arena);
}

}  // namespace

Value format_value(const NamedFormat& format, Arena& arena) {
  return new_object<FormatObject>(arena, format);
}

Value find_format(std::span<const NamedFormat> formats, std::string_view name, Arena& arena) {
  const auto found = std::ranges::find(formats, name, &NamedFormat::name);
  if (found == formats.end()) return Value::none();
  return Value::some(format_value(*found, arena), arena);
}

const Library& new_format_library(std::span<const NamedFormat> formats,
                                  std::span<const Function> makers, Function named) {
  auto* out = new Library("kubernetes.format");
  const Type* faults = out->types().optional(out->types().list(&types::string));
  out->function("validate")
      .member("format-validate", {&kFormatType, &types::string}, faults, validate);
  out->function("format.named")
      .global("format-named", {&types::string}, out->types().optional(&kFormatType), named);
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const std::string name = fmt::format("format.{}", formats[i].name);
    out->function(name).global(name, {}, &kFormatType, makers[i]);
  }
  return *out;
}

std::uint64_t k8s_format_regex_size(const Object& object) {
  if (object.type() != &kFormatType) return 0;
  return static_cast<const FormatObject&>(object).format.regex_size;
}

}  // namespace strake::cel
