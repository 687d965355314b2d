// `edit fix --vars`: variables become replacements, as kustomize v5.5.0 does it.
#include <algorithm>
#include <array>

#include "kustomize/edit/edit.h"
#include "kustomize/edit/edit_values.h"
#include "kustomize/file/paths.h"
#include "kustomize/tree/ids.h"
#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/resource.h"

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::size_t kMostNestedBases = 200;

struct TouchedFile {
  std::string path;
  std::optional<Patch> patch;  // when it is one of `patches`
};

struct VarUse {
  std::string field_path;
  std::string delimiter;
  std::size_t index = 0;
};

// Files that a build of the kustomization reads as resources and patches, bases first.
void find_touched(const Kustomization& kustomization, const std::string& folder, std::size_t depth,
                  EditFiles& files, std::vector<TouchedFile>& out) {
  for (const std::string& resource : kustomization.resources) {
    const std::string path = join_path(folder, resource);
    for (const std::string_view name :
         {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
      const Result<std::string> text = files.read(join_path(path, name));
      if (!text || depth == kMostNestedBases) continue;
      if (const auto below = read_kustomization(*text, path))
        find_touched(*below, path, depth + 1, files, out);
    }
    out.push_back({path, std::nullopt});
  }
  for (const Patch& patch : kustomization.patches) {
    if (!patch.path.empty()) out.push_back({join_path(folder, patch.path), patch});
  }
}

std::size_t parts_before(std::string_view text, std::size_t end, char delimiter) {
  return static_cast<std::size_t>(std::ranges::count(text.substr(0, end), delimiter));
}

// A replacement can replace a whole field, or one part of it between delimiters. So a variable
// inside of a text needs the same character on both sides, or the end of the text on one.
Result<VarUse> read_use(std::string path, std::string_view text, std::string_view variable) {
  VarUse use{.field_path = std::move(path)};
  if (text == variable) return use;
  const std::size_t at = text.find(variable);
  const std::size_t end = at + variable.size();
  char delimiter = 0;
  if (at == 0) {
    delimiter = text[end];
  } else {
    delimiter = text[at - 1];
    if (end < text.size() && text[end] != delimiter) {
      return fail(Code::kInvalid, "cannot convert all vars to replacements; {} is not delimited",
                  variable);
    }
    use.index = end < text.size() ? parts_before(text, at, delimiter)
                                  : parts_before(text, text.size(), delimiter);
  }
  use.delimiter = std::string(1, delimiter);
  return use;
}

Result<> find_uses(const Node& node, std::string_view variable, const std::string& path,
                   std::vector<VarUse>& out) {
  const auto below = [&](std::string_view step) {
    return path.empty() ? std::string(step) : fmt::format("{}.{}", path, step);
  };
  for (std::size_t i = 0; i < node.elements().size(); ++i)
    STRAKE_CHECK(find_uses(*node.elements()[i], variable, below(std::to_string(i)), out));
  for (const Entry& entry : node.members()) {
    const bool dotted = entry.key.find('.') != std::string_view::npos;
    STRAKE_CHECK(find_uses(*entry.value, variable,
                           below(dotted ? fmt::format("[{}]", entry.key) : std::string(entry.key)),
                           out));
  }
  if (node.is_scalar() && node.text.find(variable) != std::string_view::npos) {
    STRAKE_TRY(VarUse use, read_use(path, node.text, variable));
    out.push_back(std::move(use));
  }
  return {};
}

bool has_option(const Patch& patch, std::string_view option) {
  const auto found = patch.options.find(option);
  return found != patch.options.end() && found->second;
}

// What a patch applies to may have other names than the patch itself.
Value select_value(const TouchedFile& file, const Resource& resource, Arena& arena) {
  Selector select;
  const bool renames = file.patch && has_option(*file.patch, "allowNameChange");
  const bool rekinds = file.patch && has_option(*file.patch, "allowKindChange");
  if (file.patch && !(renames && rekinds)) {
    if (file.patch->target) select = *file.patch->target;
    if (renames) select.name = resource.name();
    if (rekinds) select.kind = resource.kind();
    if (!resource.namespace_name().empty()) select.namespace_name = resource.namespace_name();
  } else {
    const Gvk gvk = resource.gvk();
    select = {.group = std::string(gvk.group),
              .version = std::string(gvk.version),
              .kind = std::string(gvk.kind),
              .name = std::string(resource.name()),
              .namespace_name = std::string(resource.namespace_name())};
  }
  Value out = Value::object({});
  put(out, "group", select.group, arena);
  put(out, "version", select.version, arena);
  put(out, "kind", select.kind, arena);
  put(out, "name", select.name, arena);
  put(out, "namespace", select.namespace_name, arena);
  put(out, "labelSelector", select.label_selector, arena);
  put(out, "annotationSelector", select.annotation_selector, arena);
  return out;
}

Value target_value(const TouchedFile& file, const Resource& resource, const VarUse& use,
                   Arena& arena) {
  Value target = Value::object({});
  target.set("select", select_value(file, resource, arena), arena);
  put(target, "fieldPaths", std::vector<std::string>{use.field_path}, arena);
  if (!use.delimiter.empty()) {
    Value options = Value::object({});
    put(options, "delimiter", use.delimiter, arena);
    if (use.index > 0)
      options.set("index", Value::integer(static_cast<std::int64_t>(use.index)), arena);
    target.set("options", options, arena);
  }
  return target;
}

Value source_value(const Variable& variable, Arena& arena) {
  const Gvk gvk = Gvk::from_api_version(variable.api_version, variable.kind);
  Value source = Value::object({});
  put(source, "group", std::string(gvk.group), arena);
  put(source, "version", std::string(gvk.version), arena);
  put(source, "kind", variable.kind, arena);
  put(source, "name", variable.object_name, arena);
  put(source, "namespace", variable.namespace_name, arena);
  put(source, "fieldPath", variable.field_path, arena);
  return source;
}

std::string with_placeholder(std::string text, std::string_view variable, std::string_view with) {
  for (std::size_t at = text.find(variable); at != std::string::npos;
       at = text.find(variable, at + with.size()))
    text.replace(at, variable.size(), with);
  return text;
}

}  // namespace

Result<> KustomizationEditor::replace_vars(EditFiles& files) {
  if (find("vars") == nullptr) return {};
  STRAKE_TRY(const Kustomization before, read_kustomization(text(), "."));
  std::vector<TouchedFile> touched;
  find_touched(before, "", 0, files, touched);
  std::map<std::string, std::string> contents;  // of those that can be read
  for (const TouchedFile& file : touched) {
    if (Result<std::string> text = files.read(file.path)) contents[file.path] = *std::move(text);
  }
  // Nothing is written until all variables are understood.
  std::map<std::string, std::string> changed = contents;
  for (const Variable& variable : before.vars) {
    const std::string use_text = fmt::format("$({})", variable.name);
    Value targets = Value::array({});
    for (const TouchedFile& file : touched) {
      const auto content = contents.find(file.path);
      if (content == contents.end()) continue;
      NodeArena nodes;
      const Result<std::vector<Node*>> documents = read_nodes(content->second, nodes);
      if (!documents) continue;  // no resources: some other kind of file
      for (Node* document : *documents) {
        std::vector<VarUse> uses;
        if (Result<> found = find_uses(*document, use_text, "", uses); !found)
          return fail(Code::kInvalid, "error with {}: {}", file.path, found.error().message());
        Resource resource;
        resource.root = document;
        for (const VarUse& use : uses)
          targets.append(target_value(file, resource, use, arena()), arena());
      }
    }
    Value replacement = Value::object({});
    replacement.set("source", source_value(variable, arena()), arena());
    if (targets.size() > 0) replacement.set("targets", targets, arena());
    list("replacements").append(replacement, arena());
    for (auto& [path, text] : changed)
      text = with_placeholder(std::move(text), use_text, variable.name + "_PLACEHOLDER");
  }
  for (const auto& [path, text] : changed) {
    if (text != contents[path]) STRAKE_CHECK(files.write(path, text));
  }
  document_.root().remove("vars");
  return {};
}

}  // namespace strake::kustomize
