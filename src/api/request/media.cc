#include "api/request/media.h"

#include <algorithm>
#include <charconv>

#include "base/trim.h"
#include "kinds/protobuf.h"
#include "meta/names.h"

namespace strake::api {
namespace {

template <typename F>
void split(std::string_view text, char separator, F&& f) {
  while (true) {
    const std::size_t end = text.find(separator);
    f(trim(text.substr(0, end), kBlanks));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

struct MediaRange {
  std::string type;
  std::string_view as;
  std::string_view group;
  std::string_view version;
  double quality = 1;
  bool pretty = false;

  bool matches(std::string_view one) const {
    if (type == "*/*" || type == one) return true;
    return type.ends_with("/*") &&
           one.starts_with(std::string_view(type).substr(0, type.size() - 1));
  }
  int wildcards() const { return type == "*/*" ? 2 : type.ends_with("/*") ? 1 : 0; }
  bool is_wanted_more_than(const MediaRange& other) const {
    if (quality != other.quality) return quality > other.quality;
    return wildcards() < other.wildcards();
  }
};

std::vector<MediaRange> ranges_of(std::string_view accept) {
  std::vector<MediaRange> out;
  split(accept, ',', [&](std::string_view one) {
    if (one.empty()) return;
    MediaRange range;
    bool first = true;
    split(one, ';', [&](std::string_view part) {
      if (first) {
        range.type = meta::to_lower_ascii(part);
        first = false;
        return;
      }
      const std::size_t equals = part.find('=');
      const std::string_view key = trim(part.substr(0, equals), kBlanks);
      std::string_view value =
          equals == std::string_view::npos ? "" : trim(part.substr(equals + 1), kBlanks);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
      if (key == "as") range.as = value;
      if (key == "g") range.group = value;
      if (key == "v") range.version = value;
      if (key == "pretty") range.pretty = value == "1";
      if (key == "q") std::from_chars(value.data(), value.data() + value.size(), range.quality);
    });
    out.push_back(std::move(range));
  });
  // Few, and mostly in order already: each moves in front of those that are wanted less.
  for (std::size_t at = 1; at < out.size(); ++at) {
    for (std::size_t to = at; to > 0 && out[to].is_wanted_more_than(out[to - 1]); --to) {
      std::swap(out[to], out[to - 1]);
    }
  }
  return out;
}

// How well a range names one of ours; nothing when it names none.
std::optional<Encoding> encoding_of(std::string_view type) {
  if (type == "application/json" || type == "*/*" || type == "application/*")
    return Encoding::kJson;
  if (type == "application/yaml") return Encoding::kYaml;
  if (type == kinds::kProtobufType) return Encoding::kProtobuf;
  return std::nullopt;
}

std::optional<Form> form_of(const MediaRange& range) {
  if (range.as.empty()) return Form::kObject;
  if (range.group != "meta.k8s.io" || (range.version != "v1" && range.version != "v1beta1"))
    return std::nullopt;
  if (range.as == "Table") return Form::kTable;
  if (range.as == "PartialObjectMetadata") return Form::kPartial;
  if (range.as == "PartialObjectMetadataList") return Form::kPartialList;
  return std::nullopt;
}

}  // namespace

const std::vector<std::string> kReadable = {"application/json", "application/yaml",
                                            "application/vnd.kubernetes.protobuf"};
const std::vector<std::string> kStreamable = {"application/json;stream=watch",
                                              "application/vnd.kubernetes.protobuf;stream=watch"};
const std::vector<std::string> kPatchesOfCustom = {
    "application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"};
const std::vector<std::string> kPatchesOfBuiltin = {
    "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json", "application/apply-patch+yaml"};

std::optional<Wanted> negotiate(std::string_view accept, const Offers& offers) {
  if (trim(accept, kBlanks).empty()) return Wanted{};
  for (const MediaRange& range : ranges_of(accept)) {
    if (range.quality <= 0) continue;
    const auto encoding = encoding_of(range.type);
    const auto form = form_of(range);
    if (!encoding || !form || (*form == Form::kTable && !offers.tables)) continue;
    if (offers.watch && *encoding == Encoding::kYaml) continue;
    if (*encoding == Encoding::kProtobuf && *form == Form::kObject && !offers.protobuf) continue;
    return Wanted{.encoding = *encoding, .form = *form, .pretty = range.pretty};
  }
  return std::nullopt;
}

Encoding encoding_of_status(std::string_view accept) {
  for (const MediaRange& range : ranges_of(accept)) {
    if (range.quality <= 0 || !range.as.empty()) continue;
    if (const auto encoding = encoding_of(range.type)) return *encoding;
  }
  return Encoding::kJson;
}

bool accepts_as(std::string_view accept, std::string_view as, std::string_view group,
                std::string_view version) {
  for (const MediaRange& range : ranges_of(accept)) {
    if (range.type == "application/json" && range.as == as && range.group == group &&
        range.version == version)
      return true;
    // The client's first choice counts: plain JSON before it means plain JSON.
    if (range.as.empty() && encoding_of(range.type) == Encoding::kJson) return false;
  }
  return false;
}

std::optional<std::string_view> first_accepted(std::string_view accept,
                                               std::span<const std::string_view> types) {
  if (trim(accept, kBlanks).empty()) return types.front();
  for (const MediaRange& range : ranges_of(accept)) {
    if (range.quality <= 0) continue;
    for (const std::string_view type : types) {
      if (range.matches(type)) return type;
    }
  }
  return std::nullopt;
}

std::string media_type(std::string_view content_type) {
  return meta::to_lower_ascii(trim(content_type.substr(0, content_type.find(';')), kBlanks));
}

}  // namespace strake::api
