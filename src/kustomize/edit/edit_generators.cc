// configMapGenerator and secretGenerator of a kustomization that is being edited.
#include <algorithm>

#include "base/quote.h"
#include "kustomize/edit/edit.h"
#include "kustomize/edit/edit_values.h"
#include "value/fields.h"

namespace strake::kustomize {
namespace {

using value::Value;

std::string_view or_default(std::string_view namespace_name) {
  return namespace_name.empty() ? "default" : namespace_name;
}

std::string_view generator_field(bool secret) {
  return secret ? "secretGenerator" : "configMapGenerator";
}

bool is_generator(const Value& one, std::string_view name, std::string_view namespace_name) {
  return name_of(one) == name &&
         or_default(text_of(one, "namespace")) == or_default(namespace_name);
}

struct Literal {
  std::string key;
  std::string value;
};

Result<Literal> split_literal(std::string_view text) {
  if (std::ranges::count(text, '=') != 1) {
    return fail(Code::kUsage,
                "failed to update literal sources: failed to update resource: invalid format: "
                "literal values must be specified in the key=value format");
  }
  const std::size_t equals = text.find('=');
  return Literal{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void add_missing(Value& local, const Value& global, std::string_view field, Arena& arena) {
  const Value* all = global.find(field);
  if (all == nullptr || !all->is_object()) return;
  const Value* own = local.find(field);
  Value merged = own != nullptr && own->is_object() ? *own : Value::object({});
  for (const value::Member& member : all->members()) {
    if (merged.find(member.key) == nullptr) merged.set(member.key, member.value, arena);
  }
  local.set(field, merged, arena);
}

}  // namespace

Value* KustomizationEditor::find_generator(bool secret, std::string_view name,
                                           std::string_view namespace_name) {
  Value* generators = find(generator_field(secret));
  if (generators == nullptr || !generators->is_array()) return nullptr;
  for (Value& one : generators->mutable_items()) {
    if (is_generator(one, name, namespace_name)) return &one;
  }
  return nullptr;
}

// kustomize v5.5.0 writes what holds for all generators into the one that it touches.
void KustomizationEditor::merge_generator_options(Value& generator) {
  const Value* global = find("generatorOptions");
  if (global == nullptr || !global->is_object()) return;
  const Value* own = generator.find("options");
  Value options = own != nullptr && own->is_object() ? *own : Value::object({});
  add_missing(options, *global, "labels", arena());
  add_missing(options, *global, "annotations", arena());
  for (const std::string_view field : {"disableNameSuffixHash", "immutable"}) {
    const Value* set = global->find(field);
    if (set != nullptr && set->is_bool() && set->as_bool())
      options.set(field, Value::boolean(true), arena());
  }
  generator.set("options", options, arena());
}

void KustomizationEditor::append_generator(bool secret, const GeneratorArgs& args) {
  Value* entry = find_generator(secret, args.name, args.namespace_name);
  if (entry == nullptr) {
    Value& generators = list(generator_field(secret));
    Value made = Value::object({});
    put(made, "name", args.name, arena());
    put(made, "namespace", args.namespace_name, arena());
    if (secret) put(made, "type", args.type, arena());
    generators.append(made, arena());
    entry = &generators.mutable_items().back();
  }
  const auto add = [&](std::string_view field, const std::vector<std::string>& more) {
    std::vector<std::string> all;
    if (const Value* present = entry->find(field); present != nullptr && present->is_array()) {
      for (const Value& one : present->items()) all.emplace_back(one.as_string());
    }
    all.insert(all.end(), more.begin(), more.end());
    put(*entry, field, all, arena());
  };
  add("literals", args.literals);
  add("files", args.files);
  add("envs", args.envs);
  put(*entry, "behavior", args.behavior, arena());
  if (args.options && args.options->disable_hash) {
    Value options = Value::object({});
    options.set("disableNameSuffixHash", Value::boolean(true), arena());
    entry->set("options", options, arena());
  }
  merge_generator_options(*entry);
}

Result<> KustomizationEditor::set_generator(bool secret, const GeneratorArgs& args,
                                            std::string_view new_namespace) {
  const std::string_view kind = secret ? "Secret" : "ConfigMap";
  Value* entry = find_generator(secret, args.name, args.namespace_name);
  if (entry == nullptr) {
    return fail(Code::kNotFound, "could not set new {} value: unable to find {} with name {}", kind,
                kind, quote(args.name));
  }
  if (!args.literals.empty()) {
    // kustomize v5.5.0 writes them in any order; here they keep theirs.
    std::vector<Literal> all;
    if (const Value* present = entry->find("literals"); present != nullptr && present->is_array()) {
      for (const Value& one : present->items()) {
        STRAKE_TRY(Literal literal, split_literal(one.as_string()));
        all.push_back(std::move(literal));
      }
    }
    for (const std::string& text : args.literals) {
      STRAKE_TRY(const Literal literal, split_literal(text));
      const auto found = std::ranges::find(all, literal.key, &Literal::key);
      if (found == all.end()) {
        return fail(Code::kNotFound,
                    "failed to update literal sources: key '{}' not found in resource",
                    literal.key);
      }
      found->value = literal.value;
    }
    std::vector<std::string> texts;
    for (const Literal& one : all) texts.push_back(one.key + "=" + one.value);
    put(*entry, "literals", texts, arena());
  }
  put(*entry, "namespace", std::string(new_namespace), arena());
  merge_generator_options(*entry);
  return {};
}

std::set<std::string> KustomizationEditor::remove_generators(bool secret,
                                                             const std::vector<std::string>& names,
                                                             std::string_view namespace_name) {
  std::set<std::string> found;
  Value* generators = find(generator_field(secret));
  if (generators == nullptr || !generators->is_array()) return found;
  Value left = Value::array({});
  for (const Value& one : generators->items()) {
    const std::string name(name_of(one));
    if (std::ranges::find(names, name) != names.end() && is_generator(one, name, namespace_name)) {
      found.insert(name);
    } else {
      left.append(one, arena());
    }
  }
  *generators = left;
  return found;
}

}  // namespace strake::kustomize
