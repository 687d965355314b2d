#include "kustomize/transform/transformer_config.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "kustomize/config/json_decode.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/kustomization_places.h"
#include "kustomize/transform/sort_order.h"

namespace strake::kustomize {
namespace {

using value::Value;

Result<> merge_table(FieldSpecs& into, const FieldSpecs& more, std::string_view name) {
  Result<> done = merge_specs(into, more);
  if (done) return done;
  return std::unexpected(
      std::move(done).error().prefixed(fmt::format("failed to merge {} fieldSpec", name)));
}

void read_reference(JsonDecoder& d, const Value& v, NameReference& out) {
  d.structure(v, "NameBackReferences",
              {{"group", d.text(out.group)},
               {"version", d.text(out.version)},
               {"kind", d.text(out.kind)},
               {"fieldSpecs", d.list(out.referrers, "types.FsSlice", read_field_spec)}});
}

JsonDecoder::Read specs(JsonDecoder& d, FieldSpecs& out) {
  return d.list(out, "types.FsSlice", read_field_spec);
}

// Equal ones stay in their order.
template <typename Row>
void sort_by_gvk(std::vector<Row>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto gvk = [&](std::size_t i) { return Gvk{rows[i].group, rows[i].version, rows[i].kind}; };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (spec_gvk_less(gvk(a), gvk(b))) return true;
    return !spec_gvk_less(gvk(b), gvk(a)) && a < b;
  });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t i : order) sorted.push_back(std::move(rows[i]));
  rows = std::move(sorted);
}

}  // namespace

bool spec_gvk_less(const Gvk& a, const Gvk& b) {
  const int rank_a = default_kind_rank(a.kind);
  const int rank_b = default_kind_rank(b.kind);
  if (rank_a != rank_b) return rank_a < rank_b;
  return gvk_sort_text(a) < gvk_sort_text(b);
}

// Order is behaviour: rows are applied in it, and merge_spec() keeps the first of two rows that
// cover each other.
void TransformerConfig::sort() {
  for (FieldSpecs* table :
       {&name_prefix, &name_suffix, &namespace_specs, &common_labels, &labels, &template_labels,
        &common_annotations, &var_reference, &images, &replicas})
    sort_by_gvk(*table);
  sort_by_gvk(name_references);
}

Result<> TransformerConfig::merge(const TransformerConfig& more) {
  STRAKE_CHECK(merge_table(name_prefix, more.name_prefix, "NamePrefix"));
  STRAKE_CHECK(merge_table(name_suffix, more.name_suffix, "NameSuffix"));
  STRAKE_CHECK(merge_table(namespace_specs, more.namespace_specs, "NameSpace"));
  STRAKE_CHECK(merge_table(common_annotations, more.common_annotations, "CommonAnnotations"));
  STRAKE_CHECK(merge_table(common_labels, more.common_labels, "CommonLabels"));
  STRAKE_CHECK(merge_table(labels, more.labels, "Labels"));
  STRAKE_CHECK(merge_table(template_labels, more.template_labels, "TemplateLabels"));
  STRAKE_CHECK(merge_table(var_reference, more.var_reference, "VarReference"));
  for (const NameReference& row : more.name_references) {
    const auto same = std::ranges::find_if(name_references, [&](const NameReference& one) {
      return one.group == row.group && one.version == row.version && one.kind == row.kind;
    });
    if (same == name_references.end()) {
      name_references.push_back(row);
    } else {
      STRAKE_CHECK(merge_table(same->referrers, row.referrers, "NameReference"));
    }
  }
  STRAKE_CHECK(merge_table(images, more.images, "Images"));
  STRAKE_CHECK(merge_table(replicas, more.replicas, "Replicas"));
  sort();
  return {};
}

Result<TransformerConfigPtr> merged_config(const TransformerConfigPtr& a,
                                           const TransformerConfigPtr& b) {
  if (b == nullptr) return a;
  // Nothing in the built-in tables keeps another of their rows out.
  if ((a == nullptr || a == b) && b == builtin_transformer_config()) return b;
  TransformerConfig merged;
  if (a != nullptr) merged = *a;
  STRAKE_CHECK(merged.merge(*b));
  return std::make_shared<const TransformerConfig>(std::move(merged));
}

Result<TransformerConfig> read_transformer_config(std::string_view text) {
  STRAKE_TRY(const value::Document document, read_config_yaml(text, true));
  TransformerConfig config;
  if (document.root().is_null()) return config;
  JsonDecoder d(true);
  d.structure(
      document.root(), "TransformerConfig",
      {{"namePrefix", specs(d, config.name_prefix)},
       {"nameSuffix", specs(d, config.name_suffix)},
       {"namespace", specs(d, config.namespace_specs)},
       {"commonLabels", specs(d, config.common_labels)},
       {"labels", specs(d, config.labels)},
       {"templateLabels", specs(d, config.template_labels)},
       {"commonAnnotations", specs(d, config.common_annotations)},
       {"nameReference", d.list(config.name_references, "builtinconfig.nbrSlice", read_reference)},
       {"varReference", specs(d, config.var_reference)},
       {"images", specs(d, config.images)},
       {"replicas", specs(d, config.replicas)}});
  if (auto decoded = d.result(); !decoded) {
    Error error =
        std::move(decoded).error().prefixed("error unmarshaling JSON: while decoding JSON");
    if (const std::uint32_t line = line_of_decode_error(document.root(), error.message()))
      error = std::move(error).at(Position{.line = line});
    return std::unexpected(std::move(error));
  }
  config.sort();
  return config;
}

namespace {

// Walks the definitions of a `crds` file from one kind on.
class CrdReader {
 public:
  CrdReader(const Value& definitions, TransformerConfig& config)
      : definitions_(definitions), config_(config) {}

  Result<> read() {
    for (const value::Member& member : definitions_.members()) {
      const Value* properties = properties_of(member.value);
      if (properties == nullptr || properties->find("kind") == nullptr ||
          properties->find("apiVersion") == nullptr || properties->find("metadata") == nullptr)
        continue;
      kind_ = member.key.substr(member.key.rfind('.') + 1);
      STRAKE_CHECK(read_type(*properties, "", 0));
    }
    return {};
  }

 private:
  static const Value* properties_of(const Value& definition) {
    const Value* schema = definition.find("Schema");
    if (schema == nullptr) schema = definition.find("schema");
    const Value* properties = schema == nullptr ? nullptr : schema->find("properties");
    return properties != nullptr && properties->is_object() ? properties : nullptr;
  }
  static std::optional<std::string> text(const Value& schema, std::string_view key) {
    const Value* found = schema.find(key);
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return std::string(found->as_string());
  }
  FieldSpec spec(const std::string& path) const {
    return {.group = {}, .version = {}, .kind = std::string(kind_), .path = path};
  }

  Result<> read_type(const Value& properties, const std::string& above, int depth) {
    // Definitions may refer to themselves.
    constexpr int kDeepest = 100;
    if (depth > kDeepest)
      return fail(Code::kLimit, "definitions of {} refer to each other without end", kind_);
    for (const value::Member& member : properties.members()) {
      const Value& property = member.value;
      std::string path = above;
      if (!path.empty()) path += '/';
      path += member.key;
      if (text(property, "x-kubernetes-annotation"))
        STRAKE_CHECK(merge_spec(config_.common_annotations, spec(path)));
      if (text(property, "x-kubernetes-label-selector"))
        STRAKE_CHECK(merge_spec(config_.common_labels, spec(path)));
      if (text(property, "x-kubernetes-identity"))
        STRAKE_CHECK(merge_spec(config_.name_prefix, spec(path)));
      const auto version = text(property, "x-kubernetes-object-ref-api-version");
      const auto kind = text(property, "x-kubernetes-object-ref-kind");
      if (version && kind) {
        const auto key = text(property, "x-kubernetes-object-ref-name-key").value_or("name");
        TransformerConfig one;
        one.name_references.push_back({"", *version, *kind, {spec(path + "/" + key)}});
        STRAKE_CHECK(config_.merge(one));
      }
      const auto ref = text(property, "$ref");
      const Value* target = ref ? definitions_.find(*ref) : nullptr;
      const Value* below = target == nullptr ? nullptr : properties_of(*target);
      if (below != nullptr) STRAKE_CHECK(read_type(*below, path, depth + 1));
    }
    return {};
  }

  const Value& definitions_;
  TransformerConfig& config_;
  std::string_view kind_;
};

}  // namespace

Result<TransformerConfig> read_crd_config(std::string_view text) {
  STRAKE_TRY(const value::Document document, read_schema_file(text));
  if (!document.root().is_object() && !document.root().is_null())
    return fail(Code::kInvalid,
                "json: cannot unmarshal {} into Go value of type accumulator.nameToApiMap",
                to_string(document.root().type()));
  TransformerConfig config;
  if (!document.root().is_object()) return config;
  for (const value::Member& member : document.root().members()) {
    if (member.value.is_object() || member.value.is_null()) continue;
    return fail(Code::kInvalid,
                "{}json: cannot unmarshal {} into Go value of type accumulator.OpenAPIDefinition",
                text.starts_with('{') ? "" : "error unmarshaling JSON: while decoding JSON: ",
                to_string(member.value.type()));
  }
  STRAKE_CHECK(CrdReader(document.root(), config).read());
  return config;
}

}  // namespace strake::kustomize
