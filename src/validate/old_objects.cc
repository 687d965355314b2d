#include "validate/old_objects.h"

#include <fmt/format.h>

#include "validate/document_stream.h"
#include "validate/locate.h"

namespace strake::validate {
namespace {

using value::Value;

std::string key_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  const std::string_view space = text_of(metadata, "namespace");
  return fmt::format("{}\n{}\n{}\n{}", text_of(&object, "apiVersion"), text_of(&object, "kind"),
                     space.empty() ? "default" : space, text_of(metadata, "name"));
}

}  // namespace

const Value* list_items(const Value& object) {
  if (!text_of(&object, "kind").ends_with("List")) return nullptr;
  const Value* items = object.find("items");
  return items != nullptr && items->is_array() ? items : nullptr;
}

Result<> OldObjects::add(std::string_view text, const value::ReadOptions& options) {
  DocumentStream stream(text, options);
  while (true) {
    auto next = stream.next();
    if (!next) return std::unexpected(std::move(next).error().in(options.source_name));
    if (!*next) return {};
    documents_.push_back(*std::move(*next));
    const Value& root = documents_.back().root();
    if (const Value* items = list_items(root)) {
      for (const Value& item : items->items()) by_key_.insert_or_assign(key_of(item), &item);
    }
    by_key_.insert_or_assign(key_of(root), &root);
  }
}

const Value* OldObjects::find(const Value& object) const {
  const auto found = by_key_.find(key_of(object));
  return found != by_key_.end() ? found->second : nullptr;
}

}  // namespace strake::validate
