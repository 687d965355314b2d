#include "ops/kom/legacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "ops/kom/documents.h"
#include "ops/kom/models.h"
#include "ops/kom/problems.h"
#include "ops/kom/ref_base.h"
#include "ops/kom/schemas.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::ops {
namespace {

using value::text_of;
using value::Value;

struct LegacyPart {
  std::string_view key;   // in the file
  std::string_view kind;  // of the document that it is like
};
constexpr std::array<LegacyPart, 4> kLegacyParts = {
    {{"workspace", "Workspace"}, {"provider", "Provider"}, {"cluster", "Cluster"}, {"app", "App"}}};
// What came with documents.
constexpr std::array<std::string_view, 2> kLaterFields = {"protection", "networkPolicy"};

// Reads the parts of a file as the specs of documents, and tells faults at their places in the
// file.
class LegacyReading {
 public:
  LegacyReading(const std::string& path, value::Document& document)
      : path_(path), document_(document) {}

  void check_keys() {
    if (!root().is_object()) return add(document_.start(), "must be a mapping");
    for (const value::Member& one : root().members()) {
      const bool known =
          one.key == "version" ||
          std::ranges::find(kLegacyParts, one.key, &LegacyPart::key) != kLegacyParts.end();
      if (!known)
        add(document_.key_position(FieldPath() / one.key),
            fmt::format("unknown field \"{}\"", one.key));
    }
    if (!is_scalar(root().get("version")))
      add(document_.position(FieldPath() / "version"), "version: must be a text");
  }

  // The spec: what stands there besides the name.
  Value spec_of(const LegacyPart& part) {
    const Value& section = root().get(part.key);
    if (!section.is_object()) {
      add(document_.position(FieldPath() / part.key),
          fmt::format("{}: {}", part.key, section.is_null() ? "is required" : "must be a mapping"));
      return Value();
    }
    value::Document scratch;
    Arena& arena = scratch.arena();
    Value spec;
    for (const value::Member& one : section.members()) {
      if (std::ranges::find(kLaterFields, one.key) != kLaterFields.end()) {
        add(document_.key_position(FieldPath() / part.key / one.key),
            fmt::format("{}: unknown field \"{}\"", part.key, one.key));
      } else if (one.key != "name") {
        spec = with(spec, one.key, one.value, arena);
      }
    }
    if (spec.is_null()) spec = Value::object({});
    Value metadata = with(Value(), "name", section.get("name"), arena);
    Value object = with(Value(), "apiVersion", Value::string("ops.kompox.dev/v1alpha1"), arena);
    object = with(object, "kind", Value::string(part.kind), arena);
    object = with(object, "metadata", metadata, arena);
    object = with(object, "spec", spec, arena);
    add_all(part, KomSchemas::get().check(part.kind, object));
    return value::deep_copy(spec, document_.arena());
  }

  void add_all(const LegacyPart& part, const std::vector<KomFault>& faults) {
    for (const KomFault& fault : faults) {
      FieldPath path = FieldPath() / part.key;
      const auto& steps = fault.path.steps();
      // spec.volumes of the document is app.volumes here, and metadata.name is app.name.
      for (std::size_t i = 1; i < steps.size(); ++i) {
        if (steps[i].kind == FieldPath::Kind::kIndex) {
          path.push_index(steps[i].index);
        } else {
          path.push_field(steps[i].name);
        }
      }
      std::string words = fault.words;
      for (const std::string_view front : {"spec.", "metadata."}) {
        if (const std::string quoted = fmt::format("unknown field \"{}", front);
            words.starts_with(quoted))
          words.replace(0, quoted.size(), "unknown field \"");
      }
      std::string_view field = fault.field;
      for (const std::string_view front : {"spec.", "metadata."})
        if (field.starts_with(front)) field.remove_prefix(front.size());
      const std::string place = field.empty() || field == "spec" ? "" : fmt::format("{}: ", field);
      add(fault.at_key ? document_.key_position(path) : document_.position(path),
          fmt::format("{}: {}{}", part.key, place, words));
    }
  }

  KomProblems& problems() { return problems_; }
  std::string name_of(const LegacyPart& part) const {
    return std::string(text_of(root().get(part.key), "name"));
  }

 private:
  const Value& root() const { return std::as_const(document_).root(); }

  static Value with(Value object, std::string_view key, const Value& v, Arena& arena) {
    if (object.is_null()) object = Value::object({});
    object.set(key, v, arena);
    return object;
  }

  void add(Position at, std::string message) {
    problems_.add(Error(Code::kInvalid, std::move(message)).in(path_).at(at));
  }

  const std::string& path_;
  value::Document& document_;
  KomProblems problems_;
};

}  // namespace

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

provider::Outcome<LegacyFile> read_legacy_text(const std::string& path, std::string_view text,
                                               const std::function<std::string()>& new_id) {
  value::ReadOptions options;
  options.limits.bytes = kMostKomFileBytes;
  options.limits.depth = 100;
  options.positions = true;
  options.source_name = path;
  auto document = value::read_yaml(text, options);
  if (!document) return std::unexpected(provider::Failure(std::move(document).error().in(path)));
  LegacyReading reading(path, *document);
  reading.check_keys();
  if (!reading.problems().empty()) return std::unexpected(reading.problems().to_failure());

  const auto& [workspace, provider, cluster, app] = kLegacyParts;
  LegacyFile out{.path = path, .version = scalar_text(document->root().get("version"))};
  out.workspace = {.id = new_id(), .name = reading.name_of(workspace)};
  out.provider.id = new_id();
  out.provider.name = reading.name_of(provider);
  out.provider.workspace_id = out.workspace.id;
  out.cluster.id = new_id();
  out.cluster.name = reading.name_of(cluster);
  out.cluster.provider_id = out.provider.id;
  out.app.id = new_id();
  out.app.name = reading.name_of(app);
  out.app.cluster_id = out.cluster.id;
  out.app.ref_base = ref_base_of_file(path);

  std::vector<KomFault> faults;
  const auto tell = [&](const LegacyPart& part) {
    reading.add_all(part, faults);
    faults.clear();
  };
  const Value workspace_spec = reading.spec_of(workspace);
  check_workspace_spec(workspace_spec, faults);
  tell(workspace);
  const Value provider_spec = reading.spec_of(provider);
  read_provider_spec(provider_spec, out.provider, faults);
  tell(provider);
  const Value cluster_spec = reading.spec_of(cluster);
  read_cluster_spec(cluster_spec, out.cluster, faults);
  tell(cluster);
  const Value app_spec = reading.spec_of(app);
  read_app_spec(app_spec, out.app, faults);
  tell(app);
  if (!reading.problems().empty()) return std::unexpected(reading.problems().to_failure());
  return out;
}

}  // namespace strake::ops
