#include "provider/names/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/trim.h"
#include "meta/names.h"

namespace strake::provider {
namespace {

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         meta::to_lower_ascii(text.substr(0, beginning.size())) == meta::to_lower_ascii(beginning);
}

Outcome<Source> named(SourceKind kind, std::string_view name) {
  if (!name.empty()) return Source{.kind = kind, .text = std::string(name)};
  return refuse(FailureClass::kValidation, "{} cannot be empty",
                kind == SourceKind::kDisk       ? "disk name"
                : kind == SourceKind::kSnapshot ? "snapshot name"
                                                : "source id");
}

Outcome<Source> parse_source(std::string_view text, SourceKind untyped, const NativeIds& ids) {
  constexpr std::string_view kDiskType = "disk:";
  constexpr std::string_view kSnapshotType = "snapshot:";
  text = trim_unicode(text);
  if (text.empty()) return Source{};
  for (const std::string_view beginning : ids.beginnings)
    if (begins_with(text, beginning)) return named(SourceKind::kNative, text);
  for (const std::string_view prefix : ids.prefixes) {
    if (begins_with(text, prefix)) return named(SourceKind::kNative, text.substr(prefix.size()));
  }
  if (begins_with(text, kDiskType)) return named(SourceKind::kDisk, text.substr(kDiskType.size()));
  if (begins_with(text, kSnapshotType))
    return named(SourceKind::kSnapshot, text.substr(kSnapshotType.size()));
  return named(untyped, text);
}

}  // namespace

Outcome<Source> parse_disk_source(std::string_view text, const NativeIds& ids) {
  return parse_source(text, SourceKind::kSnapshot, ids);
}

Outcome<Source> parse_snapshot_source(std::string_view text, const NativeIds& ids) {
  return parse_source(text, SourceKind::kDisk, ids);
}

std::string to_string(const Source& source, const NativeIds& ids) {
  switch (source.kind) {
    case SourceKind::kNone: break;
    case SourceKind::kDisk: return "disk:" + source.text;
    case SourceKind::kSnapshot: return "snapshot:" + source.text;
    case SourceKind::kNative: {
      const bool known = std::ranges::any_of(ids.beginnings, [&](std::string_view beginning) {
        return begins_with(source.text, beginning);
      });
      if (known || ids.prefixes.empty()) return source.text;
      return fmt::format("{}{}", ids.prefixes.front(), source.text);
    }
  }
  return {};
}

}  // namespace strake::provider
