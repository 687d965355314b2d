#include "crd/source_path.h"

namespace strake::crd {
namespace {

void push(FieldPath& out, const FieldPath::Step& step) {
  switch (step.kind) {
    // The internal form of a printer column spells its path in capitals.
    case FieldPath::Kind::kField:
      out.push_field(step.name == "JSONPath" ? "jsonPath" : step.name);
      return;
    case FieldPath::Kind::kKey: out.push_key(step.name); return;
    case FieldPath::Kind::kIndex: out.push_index(step.index); return;
  }
}

}  // namespace

FieldPath source_path(const FieldPath& checked) {
  const auto& steps = checked.steps();
  FieldPath out;
  std::size_t next = 0;
  if (steps.size() >= 2 && steps[0].name == "spec" && steps[1].kind == FieldPath::Kind::kField) {
    const std::string& part = steps[1].name;
    const FieldPath first = FieldPath() / "spec" / "versions" / std::size_t{0};
    if (part == "validation" || part == "schema") {
      out = first / "schema";
      next = 2;
    } else if (part == "version") {
      out = first / "name";
      next = 2;
    } else if (part == "subresources" || part == "additionalPrinterColumns" ||
               part == "selectableFields") {
      out = first;
      next = 1;
    }
  }
  for (; next < steps.size(); ++next) push(out, steps[next]);
  return out;
}

}  // namespace strake::crd
