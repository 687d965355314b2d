#include "api/cache/object.h"

#include <fmt/format.h>

#include <charconv>

#include "api/cache/object_scan.h"
#include "value/document.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

struct Spliced {
  std::string text;
  std::size_t at = 0;
  std::size_t size = 0;
};

Spliced splice(std::string_view stored, const ObjectPlaces& places, Revision revision) {
  const std::string_view before = !places.metadata_empty && places.version_last ? "," : "";
  const std::string_view after = !places.metadata_empty && !places.version_last ? "," : "";
  const std::string member = fmt::format("{}\"resourceVersion\":\"{}\"{}", before, revision, after);
  Spliced out{.text = {}, .at = places.version_place, .size = member.size()};
  // A newline ends every answer; the store's form may or may not have it.
  if (stored.ends_with('\n')) stored.remove_suffix(1);
  out.text.reserve(stored.size() + member.size() + 1);
  out.text.append(stored.substr(0, places.version_place));
  out.text.append(member);
  out.text.append(stored.substr(places.version_place));
  return out;
}

std::string_view last_segment(std::string_view key) { return key.substr(key.rfind('/') + 1); }

}  // namespace

Result<ObjectPtr> Object::from_stored(std::string key, std::string_view stored, Revision revision,
                                      Revision create_revision) {
  const auto places = find_places(stored);
  if (!places) return fail(Code::kInternal, "what is stored at {} is no object", key);
  auto object = std::make_shared<Object>();
  object->key_ = std::move(key);
  object->revision_ = revision;
  object->create_revision_ = create_revision;
  object->owned_ = places->owned;
  object->being_deleted_ = places->being_deleted;
  if (places->has_version) {
    object->bytes_ = std::make_shared<const std::string>(stored);
  } else {
    Spliced spliced = splice(stored, *places, revision);
    object->version_at_ = static_cast<std::uint32_t>(spliced.at);
    object->version_size_ = static_cast<std::uint32_t>(spliced.size);
    object->bytes_ = std::make_shared<const std::string>(std::move(spliced.text));
  }
  // The same places in the final text: behind the version they have moved by its length.
  const auto in_bytes = [&](std::string_view part) {
    auto at = static_cast<std::size_t>(part.data() - stored.data());
    if (at >= object->version_at_) at += object->version_size_;
    return std::string_view(*object->bytes_).substr(at, part.size());
  };
  if (!places->api_version.empty()) object->api_version_ = in_bytes(places->api_version);
  if (!places->labels.empty()) {
    for_each_string(in_bytes(places->labels), [&](std::string_view label, std::string_view text) {
      object->labels_.emplace_back(label, text);
    });
    object->labels_.shrink_to_fit();
  }
  return object;
}

std::string_view Object::name() const { return last_segment(key_); }

std::string_view Object::namespace_name() const {
  const std::string_view key = key_;
  return last_segment(key.substr(0, key.size() - name().size() - 1));
}

std::string_view Object::version() const { return api_version_.substr(api_version_.find('/') + 1); }

std::string Object::stored() const {
  return bytes_->substr(0, version_at_) + bytes_->substr(version_at_ + version_size_);
}

bool Object::matches(const meta::LabelSelector& selector) const {
  if (selector.empty()) return true;
  return selector.matches_with([this](std::string_view key) -> std::optional<std::string_view> {
    for (const Label& label : labels_) {
      if (label.first == key) return label.second;
    }
    return std::nullopt;
  });
}

std::string Object::bytes_at(Revision revision) const {
  const std::string bare = stored();
  Result<std::string> text = with_resource_version(bare, revision);
  return text ? *std::move(text) : *bytes_;
}

Bytes Object::rendition(std::uint64_t epoch, std::string_view version, Revision at) const {
  const auto head = renditions_.load();
  for (const Rendition* one = head.get(); one != nullptr; one = one->next.get()) {
    if (one->epoch == epoch && one->at == at && one->version == version) return one->bytes;
  }
  return nullptr;
}

void Object::keep_rendition(std::uint64_t epoch, std::string_view version, Bytes bytes,
                            Revision at) const {
  auto head = renditions_.load();
  // Renditions of an older schema are of no use to anybody any more.
  auto keep = head && head->epoch == epoch ? head : nullptr;
  renditions_.store(std::make_shared<const Rendition>(
      Rendition{epoch, std::string(version), at, std::move(bytes), keep}));
}

ObjectPtr Object::with_rendition(std::uint64_t epoch, std::string_view version, Bytes bytes) const {
  auto out = std::make_shared<Object>();
  out->key_ = key_;
  out->bytes_ = bytes_;
  out->revision_ = revision_;
  out->create_revision_ = create_revision_;
  out->version_at_ = version_at_;
  out->version_size_ = version_size_;
  out->owned_ = owned_;
  out->being_deleted_ = being_deleted_;
  // Views into the bytes, which both have.
  out->api_version_ = api_version_;
  out->labels_ = labels_;
  out->keep_rendition(epoch, version, std::move(bytes));
  return out;
}

Result<value::Document> parse_stored(std::string_view text) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  return value::read_json_borrowed(text, options);
}

Result<std::string> with_resource_version(std::string_view bytes, Revision revision) {
  const auto places = find_places(bytes);
  if (!places || places->has_version)
    return fail(Code::kInternal, "the encoded object has no place for a version");
  return splice(bytes, *places, revision).text;
}

}  // namespace strake::api
