// Who set what: the origins that nodes bear, told along paths.
#include <algorithm>
#include <numeric>

#include "kustomize/build.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/tree/node_value.h"
#include "value/json_writer.h"
#include "value/yaml_key_order.h"

namespace strake::kustomize {
namespace {

using Setter = BuildResult::Setter;

const Node& root_of(const void* root) { return *static_cast<const Node*>(root); }

Setter setter_of(const Node& node, const FieldPath& path, const OriginTable& origins) {
  Setter out;
  out.path = path.to_dotted();
  if (const OriginTable::Row* row = origins.find(node.origin)) {
    out.file = row->file;
    out.step = row->step;
    out.line = row->line_of(node.line);
  }
  if (node.is_scalar()) {
    Arena scratch;
    if (const auto value = scalar_value(node, scratch)) out.value = value::to_json(*value);
  } else if (node.count == 0) {
    out.value = node.is_map() ? "{}" : "[]";
  }
  return out;
}

class Collector {
 public:
  explicit Collector(const OriginTable& origins) : origins_(origins) {}

  void walk(const Node& node) {
    if (node.is_scalar() || node.count == 0) {
      out.push_back(setter_of(node, path_, origins_));
      return;
    }
    if (node.is_list()) {
      for (std::uint32_t i = 0; i < node.count; ++i) {
        path_.push_index(i);
        walk(*node.items[i]);
        path_.pop();
      }
      return;
    }
    std::vector<const Entry*> order;
    for (const Entry& entry : node.members()) order.push_back(&entry);
    std::ranges::sort(
        order, [](const Entry* a, const Entry* b) { return value::yaml_key_less(a->key, b->key); });
    for (const Entry* entry : order) {
      path_.push_field(entry->key);
      walk(*entry->value);
      path_.pop();
    }
  }

  std::vector<Setter> out;

 private:
  const OriginTable& origins_;
  FieldPath path_;
};

}  // namespace

std::vector<Setter> BuildResult::setters(std::size_t item) const {
  Collector collector(context_->origins);
  collector.walk(root_of(roots_[item]));
  return std::move(collector.out);
}

std::optional<Setter> BuildResult::origin_of(std::size_t item,
                                             const std::vector<std::string>& path) const {
  const Node* node = &root_of(roots_[item]);
  FieldPath walked;
  for (const std::string& step : path) {
    const Node* next = nullptr;
    if (node->is_map()) {
      next = node->find(step);
      if (next != nullptr) walked.push_field(step);
    } else if (node->is_list()) {
      std::size_t index = 0;
      if (!step.empty() && std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; }) &&
          step.size() < 10)
        index = static_cast<std::size_t>(std::stoul(step));
      if (index < node->count) next = node->items[index];
      if (next != nullptr) walked.push_index(index);
    }
    if (next == nullptr) break;
    node = next;
  }
  return setter_of(*node, walked, context_->origins);
}

}  // namespace strake::kustomize
