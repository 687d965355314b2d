#include "crd/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/utf8.h"
#include "crd/openapi_export.h"
#include "crd/schema_view.h"
#include "value/json_writer.h"

// The text of `kubectl explain`, from OpenAPI v3. A field's type may stand behind a reference, a
// list, a map or an allOf with one branch (how v3 puts a description beside a reference), so each
// question is asked along that way (inner). Types may hold themselves: a type that is open is not
// shown again.

namespace strake::crd {
namespace {

using value::Member;
using value::Value;

constexpr std::size_t kTextColumns = 76;
constexpr std::size_t kEnumsInList = 4;

std::string_view last_part(std::string_view text, char divider) {
  const std::size_t at = text.rfind(divider);
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

// Lines of at most kTextColumns columns behind an indent; words that are longer stay whole.
void append_wrapped(std::string_view text, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    std::string shown;
    std::size_t columns = 0;
    // White space in front is part of the layout, that of lists for instance.
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    shown.append(first, ' ');
    columns = first;
    line.remove_prefix(first);
    bool fresh = true;
    while (!line.empty()) {
      const std::size_t space = std::min(line.find(' '), line.size());
      const std::string_view word = line.substr(0, space);
      line.remove_prefix(std::min(space + 1, line.size()));
      const std::size_t width = utf8::count(word);
      if (!fresh && columns + 1 + width > kTextColumns) {
        out += margin + shown + "\n";
        shown.clear();
        columns = 0;
        fresh = true;
      }
      if (!fresh) {
        shown += ' ';
        ++columns;
      }
      shown += word;
      columns += width;
      fresh = false;
    }
    out += margin + shown + "\n";
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

class Explainer {
 public:
  Explainer(const Value& schemas, bool recursive, std::string& out)
      : schemas_(schemas), recursive_(recursive), out_(out) {}

  Result<> run(const Value& root, std::span<const std::string> path) {
    const Value* at = &root;
    for (const std::string& step : path) {
      const Value* properties = fields_of(*at);
      const Value* next = properties != nullptr ? properties->find(step) : nullptr;
      if (next == nullptr) return fail(Code::kNotFound, "field \"{}\" does not exist", step);
      at = next;
    }
    if (!path.empty()) {
      out_ += fmt::format("FIELD: {} <{}>\n", path.back(), type_of(*at));
      append_long_enum(*at);
      out_ += "\n";
    }
    out_ += "DESCRIPTION:\n";
    const std::string text = full_description(*at);
    append_wrapped(text.empty() ? "<empty>" : text, 4, out_);
    // kubectl 1.32 leaves the blank line out where there is no description.
    if (!text.empty()) out_ += "    \n";
    if (const Value* fields = fields_of(*at); fields != nullptr && fields->size() > 0) {
      out_ += "FIELDS:\n";
      append_fields(*at, 1);
    }
    out_ += "\n";
    return {};
  }

 private:
  const Value* referred(const Value& schema) const {
    const std::string_view name = last_part(SchemaView(schema).text("$ref"), '/');
    const Value* found = name.empty() ? nullptr : schemas_.find(name);
    return found != nullptr && found->is_object() ? found : nullptr;
  }

  // The schema that stands behind references, lists and maps; one step.
  const Value* inner(const Value& schema) const {
    const SchemaView view(schema);
    if (const Value* target = referred(schema)) return target;
    if (const auto items = view.items()) return &items->value();
    if (const auto more = view.schema("additionalProperties")) return &more->value();
    if (!view.has("properties") && view.list("allOf").size() == 1) return &view.list("allOf")[0];
    return nullptr;
  }

  const Value* holder_of(const Value& schema) const {
    const Value* at = &schema;
    // References may lead in circles.
    for (std::size_t i = 0; at != nullptr && at->find("properties") == nullptr; ++i)
      at = i < kLongestWay ? inner(*at) : nullptr;
    return at != nullptr && at->get("properties").is_object() ? at : nullptr;
  }
  const Value* fields_of(const Value& schema) const {
    const Value* holder = holder_of(schema);
    return holder != nullptr ? holder->find("properties") : nullptr;
  }

  std::string type_of(const Value& schema) const {
    if (!schema.is_object()) return "Object";
    const SchemaView view(schema);
    if (const auto items = view.items()) return "[]" + type_of(items->value());
    if (const auto more = view.schema("additionalProperties"))
      return "map[string]" + type_of(more->value());
    if (const Value* more = view.get("additionalProperties");
        more != nullptr && more->is_bool() && more->as_bool())
      return "map[string]Object";
    if (!view.has("properties") && view.list("allOf").size() == 1)
      return type_of(view.list("allOf")[0]);
    if (view.has("$ref")) return std::string(last_part(last_part(view.text("$ref"), '/'), '.'));
    if (view.type().empty() || view.type() == "object") return "Object";
    return std::string(view.type());
  }

  // What the field says, then what its items and types say.
  std::string full_description(const Value& schema) const {
    std::string out;
    std::size_t steps = 0;
    for (const Value* at = &schema; at != nullptr && steps < kLongestWay;
         at = inner(*at), ++steps) {
      const std::string_view text = SchemaView(*at).text("description");
      if (text.empty()) continue;
      if (!out.empty()) out += '\n';
      out += text;
      if (at->find("properties") != nullptr) break;
    }
    return out;
  }

  static std::string enum_text(const Value& v) {
    return v.is_string() ? std::string(v.as_string()) : value::to_json(v);
  }

  void append_long_enum(const Value& schema) {
    const auto values = SchemaView(schema).list("enum");
    if (values.empty()) {
      out_ += "\n";
      return;
    }
    out_ += "ENUM:\n";
    for (const Value& v : values) out_ += fmt::format("    {}\n", enum_text(v));
  }

  void append_fields(const Value& schema, std::size_t level) {
    const Value& holder = *holder_of(schema);
    open_.push_back(&holder);
    const auto required = SchemaView(holder).list("required");
    const std::string margin(2 * level, ' ');
    for (const Member& field : holder.get("properties").members()) {
      const bool is_required = std::ranges::any_of(required, [&](const Value& name) {
        return name.is_string() && name.as_string() == field.key;
      });
      out_ += fmt::format("{}{}\t<{}>{}\n", margin, field.key, type_of(field.value),
                          is_required ? " -required-" : "");
      append_short_enum(field.value, margin);
      if (!recursive_) {
        const std::string_view text = SchemaView(field.value).text("description");
        append_wrapped(text.empty() ? "<no description>" : text, 2 * level + 2, out_);
        out_ += "\n";
      } else if (const Value* below = holder_of(field.value);
                 below != nullptr && level < kDeepest &&
                 std::ranges::find(open_, below) == open_.end()) {
        append_fields(field.value, level + 1);
      }
    }
    open_.pop_back();
  }

  void append_short_enum(const Value& schema, const std::string& margin) {
    const auto values = SchemaView(schema).list("enum");
    if (values.empty()) return;
    out_ += margin + "enum: ";
    for (std::size_t i = 0; i < std::min(values.size(), kEnumsInList); ++i)
      out_ += (i == 0 ? "" : ", ") + enum_text(values[i]);
    if (values.size() > kEnumsInList) out_ += ", ....";
    out_ += "\n";
  }

  static constexpr std::size_t kDeepest = 1000;
  static constexpr std::size_t kLongestWay = 1000;
  const Value& schemas_;
  bool recursive_;
  std::string& out_;
  std::vector<const Value*> open_;  // a type inside of itself is not shown again
};

// v2beta3 is (1, 1, 2, 3): stability counts before the number, as in Kubernetes' version priority.
// What has another form comes after all of these.
struct VersionRank {
  int form = 0;  // 1: of the known form
  int stability = 0;
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  auto operator<=>(const VersionRank&) const = default;
};

VersionRank rank_of(std::string_view name) {
  const auto read_number = [&](std::uint64_t& n) {
    const auto [stop, fault] = std::from_chars(name.data(), name.data() + name.size(), n);
    if (fault != std::errc() || n == 0) return false;
    name.remove_prefix(static_cast<std::size_t>(stop - name.data()));
    return true;
  };
  VersionRank out;
  if (!name.starts_with('v')) return {};
  name.remove_prefix(1);
  if (!read_number(out.major)) return {};
  out.form = 1;
  out.stability = 2;
  if (name.empty()) return out;
  for (const auto& [word, stability] : {std::pair("alpha", 0), std::pair("beta", 1)}) {
    if (!name.starts_with(word)) continue;
    name.remove_prefix(std::string_view(word).size());
    out.stability = stability;
    if (read_number(out.minor) && name.empty()) return out;
    return {};
  }
  return {};
}

void append_heading(const meta::GroupVersionKind& gvk, std::string& out) {
  if (!gvk.group.empty()) out += fmt::format("GROUP:      {}\n", gvk.group);
  out += fmt::format("KIND:       {}\n", gvk.kind);
  if (!gvk.version.empty()) out += fmt::format("VERSION:    {}\n", gvk.version);
  out += "\n";
}

}  // namespace

Result<> explain(const Crd& crd, const Version& version, std::span<const std::string> path,
                 const ExplainOptions& options, std::string& out) {
  const value::Document schemas = export_openapi(crd, version, OpenApi::kV3);
  append_heading(
      {std::string(crd.group()), std::string(version.name()), std::string(crd.names().kind)}, out);
  const Value* root =
      schemas.root().find(openapi_name(crd.group(), version.name(), crd.names().kind));
  return Explainer(schemas.root(), options.recursive, out).run(*root, path);
}

Result<> explain(const OpenApiKind& kind, std::span<const std::string> path,
                 const ExplainOptions& options, std::string& out) {
  append_heading(kind.gvk, out);
  return Explainer(*kind.schemas, options.recursive, out).run(*kind.schema, path);
}

std::vector<OpenApiKind> openapi_kinds(const Value& document) {
  const Value* components = document.find("components");
  const Value* schemas =
      components != nullptr ? components->find("schemas") : document.find("definitions");
  if (schemas == nullptr || !schemas->is_object()) return {};
  std::vector<OpenApiKind> out;
  std::vector<OpenApiKind> others;
  for (const Member& one : schemas->members()) {
    if (!one.value.is_object()) continue;
    const auto kinds = SchemaView(one.value).list("x-kubernetes-group-version-kind");
    for (const Value& kind : kinds) {
      const SchemaView view(kind);
      out.push_back({{std::string(view.text("group")), std::string(view.text("version")),
                      std::string(view.text("kind"))},
                     &one.value,
                     schemas});
    }
    if (kinds.empty())
      others.push_back({{.group = {}, .version = {}, .kind = std::string(last_part(one.key, '.'))},
                        &one.value,
                        schemas});
  }
  std::ranges::move(others, std::back_inserter(out));
  return out;
}

bool is_preferred(std::string_view version, std::string_view other) {
  const VersionRank rank = rank_of(version);
  const VersionRank other_rank = rank_of(other);
  // Names of another form are in the order of the alphabet.
  return rank > other_rank || (rank == other_rank && rank.form == 0 && version < other);
}

const Version* preferred_version(const Crd& crd) {
  const Version* best = nullptr;
  for (const Version& one : crd.versions()) {
    if (!one.served()) continue;
    if (best == nullptr || is_preferred(one.name(), best->name())) best = &one;
  }
  return best;
}

}  // namespace strake::crd
