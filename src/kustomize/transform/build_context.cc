#include "kustomize/transform/build_context.h"

#include <algorithm>
#include <deque>

#include "kustomize/transform/tracking.h"
#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"
#include "value/json_writer.h"

namespace strake::kustomize {
namespace {

std::string go_map(const TextMap& map) {
  std::string out = "map[";
  for (const auto& [key, text] : map)
    out += fmt::format("{}{}:{}", out.size() == 4 ? "" : " ", key, text);
  return out += "]";
}

std::string go_meta(const Resource& resource) {
  TextMap annotations = text_map(resource.annotations());
  annotations.merge(tracking_annotations(resource));
  return fmt::format("{{{{{} {}}} {{{{{} {}}} {} {}}}}}", resource.api_version(), resource.kind(),
                     resource.name(), resource.namespace_name(),
                     go_map(text_map(resource.labels())), go_map(annotations));
}

Result<> check_metadata(Node& root) {
  Resource resource;
  resource.root = &root;
  return kustomize::check_metadata(resource);
}

// What was read anew stands where it first stood.
void take_lines(Node& to, const Node& from) {
  to.line = from.line;
  for (Entry& entry : to.members()) {
    if (const Node* same = from.find(entry.key)) take_lines(*entry.value, *same);
  }
  for (std::uint32_t i = 0; to.is_list() && from.is_list() && i < std::min(to.count, from.count);
       ++i)
    take_lines(*to.items[i], *from.items[i]);
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
    STRAKE_TRY(const value::Value value, to_value(*item, scratch, Spelling::kTree));
    STRAKE_TRY(const std::vector<Node*> nodes,
               read_nodes(context.keep(value::to_json(value)), context.arena));
    for (Node* node : nodes) {
      take_lines(*node, *item);
      if (node->is_empty()) continue;
      STRAKE_CHECK(check_metadata(*node));
      out.push_back(node);
    }
  }
  return out;
}

}  // namespace

Error unprintable(Error error, const Resource& resource, BuildContext& context) {
  context.blame(resource);
  const Unprintable at = find_unprintable(*resource.root);
  return context.placed(Error(error.code(), error.message()), at.origin, at.line);
}

Result<> check_metadata(const Resource& resource) {
  const auto set = [&](const char* key) {
    const Node* found = resource.root->find(key);
    return found != nullptr && !found->is_empty();
  };
  if (!set("apiVersion") && !set("kind") && !set("metadata"))
    return fail(Code::kInvalid, "missing Resource metadata");
  if (resource.kind().empty() || missing_or_null(resource.root->find("kind")))
    return fail(Code::kInvalid, "missing kind in object {}", go_meta(resource));
  if (resource.kind().ends_with("List") || !resource.name().empty()) return {};
  return fail(Code::kInvalid, "missing metadata.name in object {}", go_meta(resource));
}

void BuildContext::blame(const Resource& resource) {
  if (!failure.resource.empty()) return;
  const std::string_view slash = resource.namespace_name().empty() ? "" : "/";
  failure.resource =
      fmt::format("{} {}{}{}", resource.kind(), resource.namespace_name(), slash, resource.name());
}

Error BuildContext::placed(Error error, OriginId origin, std::uint32_t line) const {
  const OriginTable::Row* row = origins.find(origin);
  if (!error.source().empty() || row == nullptr || row->file.empty()) return error;
  if (error.position()) line = error.position()->line;
  const std::uint32_t in_file = row->line_of(line);
  if (in_file == 0 && row->place) return error;  // the field of the kustomization tells more
  if (in_file > 0) error = std::move(error).at(Position{.line = in_file});
  return std::move(error).in(row->file);
}

Result<std::vector<Resource*>> read_resources(std::string text, BuildContext& context) {
  STRAKE_TRY(const std::vector<Node*> nodes,
             read_nodes(context.keep(std::move(text)), context.arena));
  // Lists are replaced breadth-first: the items of a list come after everything that is pending,
  // not in the place of the list. That is the order of kustomize v5.5.0, and it shows in the
  // output.
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
