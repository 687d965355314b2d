#include "kustomize/build_context.h"

#include <deque>

#include "kustomize/node_reader.h"
#include "kustomize/node_value.h"
#include "kustomize/paths.h"
#include "value/json_writer.h"

namespace strake::kustomize {
namespace {

std::string go_map(const Node* map) {
  std::string out = "map[";
  bool first = true;
  for (const auto& [key, text] : text_map(map)) {
    out += fmt::format("{}{}:{}", first ? "" : " ", key, text);
    first = false;
  }
  return out += "]";
}

std::string go_meta(const Resource& resource) {
  return fmt::format("{{{{{} {}}} {{{{{} {}}} {} {}}}}}", resource.api_version(), resource.kind(),
                     resource.name(), resource.space(), go_map(resource.labels()),
                     go_map(resource.annotations()));
}

Result<> check_metadata(const Node& root) {
  Resource resource;
  resource.root = const_cast<Node*>(&root);
  const auto set = [&](const char* key) {
    const Node* found = root.find(key);
    return found != nullptr && !found->is_empty();
  };
  if (!set("apiVersion") && !set("kind") && !set("metadata"))
    return fail(Code::kInvalid, "missing Resource metadata");
  if (resource.kind().empty() || root.find("kind")->is_null())
    return fail(Code::kInvalid, "missing kind in object {}", go_meta(resource));
  if (resource.kind().ends_with("List") || !resource.name().empty()) return {};
  return fail(Code::kInvalid, "missing metadata.name in object {}", go_meta(resource));
}

// The items of a list are taken through JSON.
Result<std::vector<Node*>> items_of(const Node& list, const Node& items, BuildContext& context) {
  std::vector<Node*> out;
  if (items.is_null()) return out;
  if (!items.is_list()) {
    return fail(Code::kInvalid, "expected array in {}/items, but found {}", list.text_of("kind"),
                items.is_map() ? "map[string]interface {}" : "string");
  }
  Arena scratch;
  for (const Node* item : items.elements()) {
    STRAKE_TRY(const value::Value value, to_value(*item, scratch));
    STRAKE_TRY(const std::vector<Node*> nodes,
               read_nodes(context.keep(value::to_json(value)), context.arena));
    for (Node* node : nodes) {
      node->line = item->line;
      if (node->is_empty()) continue;
      STRAKE_CHECK(check_metadata(*node));
      out.push_back(node);
    }
  }
  return out;
}

}  // namespace

Error BuildContext::placed(Error error, const Node& node) const {
  const OriginTable::Row* row = origins.find(node.origin);
  if (!error.source().empty() || row == nullptr || row->file.empty() || !row->step.empty())
    return error;
  // Lines of what stands in a kustomization itself are counted from its own start.
  const std::string_view name = base_name(row->file);
  if (name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization")
    return error;
  if (!error.position() && node.line > 0) error = std::move(error).at(Position{.line = node.line});
  return std::move(error).in(row->file);
}

Result<std::vector<Resource*>> read_resources(std::string text, BuildContext& context) {
  STRAKE_TRY(const std::vector<Node*> nodes,
             read_nodes(context.keep(std::move(text)), context.arena));
  std::deque<Node*> pending;
  for (Node* node : nodes) {
    if (node->is_empty()) continue;
    if (Result<> fine = check_metadata(*node); !fine)
      return std::unexpected(std::move(fine).error().at(Position{.line = node->line}));
    pending.push_back(node);
  }
  std::vector<Resource*> out;
  constexpr std::size_t kMostLists = 100'000;  // within lists
  std::size_t lists = 0;
  while (!pending.empty()) {
    Node* node = pending.front();
    pending.pop_front();
    const Node* items = node->text_of("kind").ends_with("List") ? node->find("items") : nullptr;
    if (items == nullptr) {
      Resource* made = context.make(node);
      made->needs_hash =
          made->annotation("internal.config.kubernetes.io/needsHashSuffix") == "enabled";
      out.push_back(made);
      continue;
    }
    if (++lists > kMostLists) return fail(Code::kLimit, "more than {} lists", kMostLists);
    STRAKE_TRY(const std::vector<Node*> inner, items_of(*node, *items, context));
    pending.insert(pending.end(), inner.begin(), inner.end());
  }
  return out;
}

}  // namespace strake::kustomize
