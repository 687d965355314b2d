#include "kustomize/merge/builtin_schema.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "kustomize/merge/builtin_table.h"

// Of the OpenAPI document that kustomize v5.5.0 has built in (Kubernetes v1.21.2) only what decides
// a merge is kept, as lines of text (builtin_table.h): the document itself is several megabytes.
// Here the lines become a small OpenAPI document again, so that built-in and custom schemas are
// read by the same code. A line is
//   D <definition> <field>...  with name, name=<definition>, name* (list), name% (map),
//                              name[keys] (list that merges by keys; no keys for scalars)
//   K <apiVersion> <kind> <C, N or -> <definition or ->
// where @ and ^ abbreviate the prefixes of definition names.

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::string_view kTypeArray = "array";
// Of kustomize's own kind: its generators merge by name.
constexpr std::string_view kOwnTable =
    "D kustomization configMapGenerator[name] secretGenerator[name]\n"
    "K kustomize.config.k8s.io/v1beta1 Kustomization - kustomization\n";

// The next word of a line; the word is taken off.
std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

template <typename Each>
void each_line(std::string_view table, const Each& each) {
  while (!table.empty()) {
    const std::size_t end = table.find('\n');
    each(table.substr(0, end));
    table.remove_prefix(end + 1);
  }
}

std::string full_name(std::string_view name) {
  if (name.starts_with('@')) return "io.k8s.api." + std::string(name.substr(1));
  if (name.starts_with('^')) return "io.k8s.apimachinery.pkg.apis." + std::string(name.substr(1));
  return std::string(name);
}

class Maker {
 public:
  value::Document make() {
    each_line(kBuiltinTable, [this](std::string_view line) { read(line); });
    each_line(kOwnTable, [this](std::string_view line) { read(line); });
    Value definitions = Value::object({});
    for (auto& [name, definition] : definitions_)
      definitions.set(arena().copy(name), definition, arena());
    Value root = Value::object({});
    root.set("definitions", definitions, arena());
    document_.root() = root;
    return std::move(document_);
  }

 private:
  Arena& arena() { return document_.arena(); }

  void read(std::string_view line) {
    const std::string_view sort = next_word(line);
    if (sort == "D") {
      definition(line);
    } else {
      kind(line);
    }
  }

  void definition(std::string_view line) {
    const std::string name = full_name(next_word(line));
    Value properties = Value::object({});
    while (!line.empty()) field(next_word(line), properties);
    Value schema = Value::object({});
    schema.set("properties", properties, arena());
    definitions_[name] = schema;
  }

  Value reference(std::string_view name) {
    Value out = Value::object({});
    if (!name.empty()) {
      out.set("$ref", Value::string(arena().copy("#/definitions/" + full_name(name))), arena());
    }
    return out;
  }

  void field(std::string_view word, Value& properties) {
    const std::size_t equals = word.find('=');
    const std::string_view below =
        equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    std::string_view name = word.substr(0, equals);
    Value schema = Value::object({});
    if (name.ends_with('%')) {
      name.remove_suffix(1);
      schema.set("additionalProperties", reference(below), arena());
    } else if (name.ends_with('*')) {
      name.remove_suffix(1);
      schema.set("type", Value::string(kTypeArray), arena());
      schema.set("items", reference(below), arena());
    } else if (const std::size_t bracket = name.find('['); bracket != std::string_view::npos) {
      std::string_view keys = name.substr(bracket + 1, name.size() - bracket - 2);
      name = name.substr(0, bracket);
      schema.set("type", Value::string(kTypeArray), arena());
      schema.set("items", reference(below), arena());
      schema.set("x-kubernetes-patch-strategy", Value::string("merge"), arena());
      if (!keys.empty()) {
        Value list = Value::array({});
        while (!keys.empty()) {
          const std::size_t comma = std::min(keys.find(','), keys.size());
          list.append(Value::string(keys.substr(0, comma)), arena());
          keys.remove_prefix(std::min(comma + 1, keys.size()));
        }
        schema.set("x-kubernetes-list-map-keys", list, arena());
      }
    } else {
      schema = reference(below);
    }
    properties.set(name, schema, arena());
  }

  void kind(std::string_view line) {
    const std::string_view api_version = next_word(line);
    const std::string_view kind = next_word(line);
    next_word(line);
    if (line == "-") return;
    const std::size_t slash = api_version.find('/');
    const bool core = slash == std::string_view::npos;
    Value gvk = Value::object({});
    gvk.set("group", Value::string(core ? std::string_view() : api_version.substr(0, slash)),
            arena());
    gvk.set("version", Value::string(core ? api_version : api_version.substr(slash + 1)), arena());
    gvk.set("kind", Value::string(kind), arena());
    Value& definition = definitions_[full_name(line)];
    constexpr std::string_view kGvk = "x-kubernetes-group-version-kind";
    Value list = definition.find(kGvk) == nullptr ? Value::array({}) : definition.get(kGvk);
    list.append(gvk, arena());
    definition.set(kGvk, list, arena());
  }

  value::Document document_;
  std::unordered_map<std::string, Value> definitions_;
};

using ScopeTable = std::unordered_map<std::string, Scope, TextHash, std::equal_to<>>;

ScopeTable make_scopes() {
  ScopeTable out;
  each_line(kBuiltinTable, [&](std::string_view line) {
    if (next_word(line) != "K") return;
    std::string key(next_word(line));
    key.append(1, ' ').append(next_word(line));
    const std::string_view scope = next_word(line);
    if (scope != "-")
      out.emplace(std::move(key), scope == "C" ? Scope::kCluster : Scope::kNamespaced);
  });
  return out;
}

}  // namespace

const value::Document& builtin_schema() {
  static const value::Document kDocument = Maker().make();
  return kDocument;
}

std::optional<Scope> builtin_scope(std::string_view api_version, std::string_view kind) {
  static const ScopeTable kScopes = make_scopes();
  std::string key(api_version);
  key.append(1, ' ').append(kind);
  const auto found = kScopes.find(key);
  if (found == kScopes.end()) return std::nullopt;
  return found->second;
}

}  // namespace strake::kustomize
