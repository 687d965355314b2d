#include "cli/build/build_why.h"

#include <algorithm>
#include <filesystem>

#include "base/field_path.h"
#include "meta/names.h"

namespace strake::cli {
namespace {

using kustomize::BuildResult;

std::string shown_setter(const BuildResult::Setter& setter) {
  if (setter.file.empty())
    return setter.step.empty() ? "unknown" : fmt::format("the build ({})", setter.step);
  std::string out = shown_file(setter.file);
  if (setter.line != 0) out += fmt::format(":{}", setter.line);
  return setter.step.empty() ? out : fmt::format("{} ({})", out, setter.step);
}

std::string title(const BuildResult::Item& item) {
  std::string out = fmt::format("{}/{}", meta::to_lower_ascii(item.kind), item.name);
  if (!item.namespace_name.empty()) out += fmt::format(" in {}", item.namespace_name);
  return out;
}

void append_lines(const std::vector<BuildResult::Setter>& setters, std::string& out) {
  std::vector<std::string> left;
  std::size_t widest = 0;
  constexpr std::size_t kMostWidth = 60;
  for (const BuildResult::Setter& setter : setters) {
    left.push_back(fmt::format("{}: {}", setter.path, setter.value));
    if (left.back().size() <= kMostWidth) widest = std::max(widest, left.back().size());
  }
  for (std::size_t i = 0; i < setters.size(); ++i)
    out += fmt::format("  {:<{}}  # {}\n", left[i], widest, shown_setter(setters[i]));
}

struct Wanted {
  std::string namespace_name;
  std::string kind;
  std::string name;
};

Result<Wanted> read_wanted(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t slash = text.find('/');
    parts.emplace_back(text.substr(0, slash));
    if (slash == std::string_view::npos) break;
    text.remove_prefix(slash + 1);
  }
  if (parts.size() == 2) return Wanted{"", parts[0], parts[1]};
  if (parts.size() == 3) return Wanted{parts[0], parts[1], parts[2]};
  return fail(Code::kUsage, "name the resource as kind/name or namespace/kind/name");
}

bool has_kind(const BuildResult::Item& item, std::string_view wanted) {
  const std::string kind = meta::to_lower_ascii(wanted);
  const std::string is = meta::to_lower_ascii(item.kind);
  return kind == is || kind == is + "s" || kind == is + "." + item.group;
}

bool had_name(const BuildResult::Item& item, const std::string& name) {
  return std::ranges::find(item.earlier_names, name) != item.earlier_names.end();
}

// By the name it has in the result, else by one it had before prefixes, suffixes and hashes.
Result<std::size_t> find_item(const BuildResult& result, std::string_view text) {
  STRAKE_TRY(const Wanted wanted, read_wanted(text));
  std::vector<std::size_t> found;
  std::vector<std::size_t> renamed;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < result.items().size(); ++i) {
    const BuildResult::Item& item = result.items()[i];
    names.push_back(title(item));
    if (!has_kind(item, wanted.kind) ||
        (!wanted.namespace_name.empty() && item.namespace_name != wanted.namespace_name))
      continue;
    if (item.name == wanted.name) found.push_back(i);
    if (had_name(item, wanted.name)) renamed.push_back(i);
  }
  if (found.empty() && renamed.size() > 1) {
    std::vector<std::string> now;
    for (const std::size_t i : renamed) now.push_back(title(result.items()[i]));
    return fail(Code::kUsage, "{} has become several: {}", text, fmt::join(now, ", "));
  }
  if (found.empty()) found = renamed;
  if (found.empty()) {
    if (names.size() > 20) names.resize(20);
    return fail(Code::kUsage, "the result has no {}; it has {}", text, fmt::join(names, ", "));
  }
  if (found.size() > 1)
    return fail(Code::kUsage, "{} is in several namespaces: say namespace/kind/name", text);
  return found.front();
}

}  // namespace

std::string shown_file(const std::string& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return file;
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("../../..") ? file : relative;
}

std::string render_provenance(const BuildResult& result) {
  std::string out;
  for (std::size_t i = 0; i < result.items().size(); ++i) {
    if (i > 0) out += '\n';
    out += title(result.items()[i]) + "\n";
    append_lines(result.setters(i), out);
  }
  return out;
}

Result<std::string> explain_field(const BuildResult& result, std::string_view resource,
                                  std::string_view field) {
  STRAKE_TRY(const std::size_t item, find_item(result, resource));
  FieldPath path;
  if (!FieldPath::parse_dotted(field, path))
    return fail(Code::kUsage, "\"{}\" is no path of a field, like .spec.replicas", field);
  // Everything at or below it.
  const std::string wanted = path.to_dotted();
  std::vector<BuildResult::Setter> setters = result.setters(item);
  std::erase_if(setters, [&](const BuildResult::Setter& one) {
    if (wanted == ".") return false;
    if (!one.path.starts_with(wanted)) return true;
    const std::string_view rest = std::string_view(one.path).substr(wanted.size());
    return !rest.empty() && rest[0] != '.' && rest[0] != '[';
  });
  if (setters.empty())
    return fail(Code::kUsage, "{} has no field {}", title(result.items()[item]), wanted);
  std::string out = title(result.items()[item]) + "\n";
  append_lines(setters, out);
  return out;
}

}  // namespace strake::cli
