#include "api/cache/field_index.h"

namespace strake::api {

FieldIndex::Entry FieldIndex::entry_of(ObjectPtr object) const {
  Entry out{.object = std::move(object), .text = {}};
  if (out.object) out.text = text_of_(*out.object);
  return out;
}

void FieldIndex::replace(const Entry& before, Entry after) {
  const bool stays = before.object && after.object && before.text == after.text;
  if (before.object && !stays) {
    if (!before.text) {
      untold_.erase(before.object->key());
    } else if (const auto at = by_text_.find(*before.text); at != by_text_.end()) {
      at->second.erase(before.object->key());
      if (at->second.size() == 0) by_text_.erase(at);
    }
  }
  if (!after.object) return;
  if (!after.text) {
    untold_.put(std::move(after.object));
  } else {
    by_text_.try_emplace(*std::move(after.text), common_)
        .first->second.put(std::move(after.object));
  }
}

void FieldIndex::clear() {
  by_text_.clear();
  untold_ = OrderedObjects(common_);
}

std::optional<OrderedObjects::Taken> FieldIndex::take(std::string_view text,
                                                      std::string_view key_prefix,
                                                      std::string_view start) const {
  if (untold_.size() > 0) return std::nullopt;
  const auto at = by_text_.find(text);
  if (at == by_text_.end()) return OrderedObjects::Taken();
  return at->second.take(key_prefix, start, ~std::size_t{0});
}

}  // namespace strake::api
