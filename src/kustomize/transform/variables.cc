#include "kustomize/transform/variables.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

#include "base/number_format.h"
#include "kustomize/tree/node_path.h"
#include "kustomize/tree/node_value.h"

// vars bind early and are replaced late: the resource that a variable names is fixed while its own
// layer is built, when its names are still those of the file, and the value is read at the end of
// the build, after prefixes and hashes. $(NAME) is replaced only in the fields that the
// configuration lists.

namespace strake::kustomize {
namespace {

std::string go_text(const Variable& v) {
  return fmt::format("{{{} {} {{{}}}}}", v.name, Gvk{v.group, v.version, v.kind}.to_string(),
                     v.field_path);
}

Gvk gvk_of(Variable& variable) {
  if (!variable.api_version.empty()) {
    const std::size_t slash = variable.api_version.find('/');
    if (slash == std::string::npos) {
      variable.version = variable.api_version;
    } else {
      variable.group = variable.api_version.substr(0, slash);
      variable.version = variable.api_version.substr(slash + 1);
    }
  }
  return {variable.group, variable.version, variable.kind};
}

// "ports[0]" is two steps.
std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> out;
  for (std::string& part : split_dotted(path)) {
    const std::size_t bracket = part.rfind('[');
    const bool index = part.ends_with(']') && bracket != std::string::npos &&
                       bracket + 2 < part.size() &&
                       std::all_of(part.begin() + static_cast<std::ptrdiff_t>(bracket) + 1,
                                   part.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
    if (!index) {
      out.push_back(std::move(part));
      continue;
    }
    if (bracket > 0) out.push_back(part.substr(0, bracket));
    out.push_back(part.substr(bracket + 1, part.size() - bracket - 2));
  }
  return out;
}

// What a variable stands for: a scalar with its type.
struct Meaning {
  std::string text;
  Tag tag = Tag::kString;
  std::string within = text;  // as part of a longer text
  bool primitive = true;
};

Meaning meaning_of(const Node& node) {
  if (!node.is_scalar()) return {.text = {}, .primitive = false};
  switch (node.tag) {
    case Tag::kInt: {
      std::int64_t number = 0;
      const auto parsed =
          std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
      if (parsed.ec == std::errc() && parsed.ptr == node.text.data() + node.text.size())
        return {fmt::format("{}", number), Tag::kInt};
      break;
    }
    case Tag::kFloat: {
      Arena scratch;
      const auto number = scalar_value(node, scratch);
      if (!number || number->is_string()) break;
      return {std::string(node.text), Tag::kFloat, format_go_v(number->as_double())};
    }
    case Tag::kBool: {
      const bool on = node.text.starts_with('t') || node.text.starts_with('T');
      return {std::string(node.text), Tag::kBool, on ? "true" : "false"};
    }
    default: break;
  }
  return {std::string(node.text), Tag::kString};
}

class Expander {
 public:
  Expander(const std::map<std::string, Meaning>& meanings, NodeArena& arena)
      : meanings_(meanings), arena_(arena) {}

  Result<> expand(Node& node) {
    if (node.is_null()) return {};
    if (node.is_scalar()) {
      expand_scalar(node);
      return {};
    }
    for (const Entry& entry : node.members()) {
      if (!entry.text_key) return fail(Code::kInvalid, "invalid map key: value='{}'", entry.key);
      if (entry.value->is_scalar()) expand_scalar(*entry.value);
    }
    for (Node* item : node.elements()) {
      if (!item->is_string()) return fail(Code::kInvalid, "invalid value type expect a string");
      expand_scalar(*item);
    }
    return {};
  }

  const std::set<std::string>& used() const { return used_; }

 private:
  void expand_scalar(Node& node) {
    if (!node.is_string()) return;
    node.folded = false;  // the style goes even when nothing is replaced
    if (node.text.find('$') == std::string_view::npos) return;
    Tag tag = Tag::kString;
    const std::string text = expanded(node.text, tag);
    if (text == node.text && tag == Tag::kString) return;
    const std::uint32_t comment = node.comment;
    node = *arena_.scalar(text, tag);
    node.comment = comment;
  }

  std::string expanded(std::string_view input, Tag& tag) {
    std::string out;
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (input[i] != '$' || i + 1 == input.size()) {
        out += input[i];
        continue;
      }
      if (input[i + 1] == '$') {
        out += '$';
        ++i;
        continue;
      }
      const std::size_t end = input[i + 1] == '(' ? input.find(')', i + 2) : std::string_view::npos;
      if (end == std::string_view::npos) {
        out += input.substr(i, 2);
        ++i;
        continue;
      }
      const std::string name(input.substr(i + 2, end - i - 2));
      const auto found = meanings_.find(name);
      if (found == meanings_.end() || !found->second.primitive) {
        out += input.substr(i, end - i + 1);
      } else {
        used_.insert(name);
        // Only a text that is nothing but the variable takes over its type.
        const bool whole = i == 0 && end + 1 == input.size();
        out += whole ? found->second.text : found->second.within;
        if (whole) tag = found->second.tag;
      }
      i = end;
    }
    return out;
  }

  const std::map<std::string, Meaning>& meanings_;
  NodeArena& arena_;
  std::set<std::string> used_;
};

}  // namespace

Result<> VariableSet::insert(Variable variable) {
  if (variables_.contains(variable.name))
    return fail(Code::kConflict, "var '{}' already encountered", variable.name);
  if (variable.field_path.empty()) variable.field_path = "metadata.name";
  gvk_of(variable);
  const std::string name = variable.name;
  variables_.emplace(name, std::move(variable));
  return {};
}

Result<> VariableSet::add(const std::vector<Variable>& variables, ResourceSet& set) {
  // By each name that a resource has or had.
  std::unordered_map<std::string, std::vector<Resource*>> named;
  const auto add_name = [&](std::string_view name, Resource* resource) {
    std::vector<Resource*>& all = named[std::string(name)];
    if (all.empty() || all.back() != resource) all.push_back(resource);
  };
  for (Resource* resource : set.list()) {
    add_name(resource->name(), resource);
    for (std::size_t i = 0; i < resource->previous.size(); ++i)
      add_name(resource->previous_id(i).name, resource);
  }
  for (Variable variable : variables) {
    const Gvk gvk = gvk_of(variable);
    std::vector<Resource*> matched;
    if (!variable.namespace_name.empty()) {
      // Nobody asks whether the kind has namespaces: one that has none is not found with one.
      matched = set.with_any_id(
          {.gvk = gvk, .name = variable.object_name, .namespace_name = variable.namespace_name});
    } else {
      // Without a namespace any will do.
      for (Resource* resource : named[variable.object_name]) {
        bool fits = resource->name() == variable.object_name && resource->gvk() == gvk;
        for (std::size_t i = 0; !fits && i < resource->previous.size(); ++i) {
          const ResourceId id = resource->previous_id(i);
          fits = id.name == variable.object_name && id.gvk == gvk;
        }
        if (fits) matched.push_back(resource);
      }
    }
    if (matched.size() > 1) {
      return fail(Code::kConflict, "found {} resId matches for var {} (unable to disambiguate)",
                  matched.size(), go_text(variable));
    }
    if (!matched.empty()) matched.front()->variables.push_back(variable.name);
  }
  for (const Variable& variable : variables) STRAKE_CHECK(insert(variable));
  return {};
}

Result<> VariableSet::add(const VariableSet& below) {
  for (const auto& [name, variable] : below.variables_) STRAKE_CHECK(insert(variable));
  return {};
}

Result<> VariableSet::resolve(ResourceSet& set, const FieldSpecs& specs,
                              BuildContext& context) const {
  if (variables_.empty()) return {};
  std::map<std::string, Resource*> bound;
  for (Resource* resource : set.list()) {
    for (const std::string& name : resource->variables) bound.try_emplace(name, resource);
  }
  std::map<std::string, Meaning> meanings;
  for (const auto& [name, variable] : variables_) {
    const auto found = bound.find(name);
    if (found == bound.end()) {
      return fail(Code::kNotFound,
                  "var '{}' cannot be mapped to a field in the set of known resources",
                  go_text(variable));
    }
    const auto node = look_up(*found->second->root, steps_of(variable.field_path));
    if (!node || *node == nullptr) {
      return fail(Code::kNotFound,
                  "field specified in var '{}' not found in corresponding resource",
                  go_text(variable));
    }
    meanings.emplace(name, meaning_of(**node));
  }
  Expander expander(meanings, context.arena);
  FieldWriters writers(specs);
  for (Resource* resource : set.list()) {
    STRAKE_CHECK(writers.apply(
        *resource->root, nullptr, [&](Node& node) { return expander.expand(node); },
        context.arena));
  }
  std::vector<std::string> unused;
  for (const auto& [name, variable] : variables_) {
    if (!expander.used().contains(name)) unused.push_back(name);
  }
  if (!unused.empty()) {
    context.warn(
        fmt::format("well-defined vars that were never replaced: {}", fmt::join(unused, ",")));
  }
  return {};
}

}  // namespace strake::kustomize
