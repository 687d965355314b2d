#include "kustomize/tree/origin.h"

#include "kustomize/file/kustomization_places.h"
#include "value/yaml_writer.h"

namespace strake::kustomize {
namespace {

void line(std::string& out, std::size_t indent, std::string_view key, const std::string& text) {
  if (text.empty()) return;
  out.append(indent, ' ').append(key).append(": ");
  value::write_yaml(value::Value::string(text), out);
}

}  // namespace

std::string BuildOrigin::to_yaml(std::size_t indent) const {
  std::string out;
  line(out, indent, "path", path);
  line(out, indent, "repo", repo);
  line(out, indent, "ref", ref);
  line(out, indent, "configuredIn", configured_in);
  if (!api_version.empty() || !kind.empty()) {
    out.append(indent, ' ').append("configuredBy:\n");
    line(out, indent + 2, "apiVersion", api_version);
    line(out, indent + 2, "kind", kind);
    line(out, indent + 2, "name", name);
    line(out, indent + 2, "namespace", namespace_name);
  }
  return out;
}

std::uint32_t OriginTable::Row::line_of(std::uint32_t line) const {
  if (!place || line == 0) return line;
  if (place->in == nullptr) return 0;
  return place->in->line_of_text(place->field, place->index, line + place->skipped);
}

std::string to_yaml(const std::vector<const BuildOrigin*>& transformations) {
  std::string out;
  for (const BuildOrigin* one : transformations) {
    std::string lines = one->to_yaml(2);
    if (lines.size() >= 2) lines[0] = '-';
    out += lines;
  }
  return out;
}

}  // namespace strake::kustomize
