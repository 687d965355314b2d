#include "validate/old_objects.h"

#include <fmt/format.h>

#include "validate/document_stream.h"
#include "value/fields.h"

namespace strake::validate {
namespace {

using value::Value;

std::string name_of(const Value& object) {
  const std::string_view api_version = text_of(object, "apiVersion");
  const std::size_t slash = api_version.find('/');
  return fmt::format("{}\n{}\n{}",
                     slash == std::string_view::npos ? "" : api_version.substr(0, slash),
                     text_of(object, "kind"), text_of(object.find("metadata"), "name"));
}

std::string key_of(const Value& object) {
  const std::string_view namespace_name = text_of(object.find("metadata"), "namespace");
  return fmt::format("{}\n{}", name_of(object),
                     namespace_name.empty() ? "default" : namespace_name);
}

}  // namespace

const Value* list_items(const Value& object) {
  if (!text_of(object, "kind").ends_with("List")) return nullptr;
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
      for (const Value& item : items->items()) note(item);
    } else {
      note(root);
    }
  }
}

void OldObjects::note(const Value& object) {
  const bool again = !by_key_.insert_or_assign(key_of(object), &object).second;
  const auto [named, first] = by_name_.try_emplace(name_of(object), &object);
  if (!first) named->second = again ? &object : nullptr;
}

const Value* OldObjects::find(const Value& object) const {
  const auto found = by_key_.find(key_of(object));
  if (found != by_key_.end()) return found->second;
  if (!text_of(object.find("metadata"), "namespace").empty()) return nullptr;
  const auto named = by_name_.find(name_of(object));
  return named != by_name_.end() ? named->second : nullptr;
}

}  // namespace strake::validate
