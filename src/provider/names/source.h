#pragma once
// What a disk or snapshot is made from: "[disk:|snapshot:]<name>" or an id of the provider's own.
// The command line and the use cases hand this text on as it is; only drivers read it, by parse_*
// here.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "provider/failure.h"

namespace strake::provider {

enum class SourceKind : std::uint8_t {
  kNone,      // nothing was given: a blank disk, or a snapshot of the assigned disk
  kDisk,      // a disk of this volume, by name
  kSnapshot,  // a snapshot of this volume, by name
  kNative,    // the provider's own id
};

struct Source {
  SourceKind kind = SourceKind::kNone;
  std::string text = {};  // the name or id, byte for byte
  friend bool operator==(const Source&, const Source&) = default;
};

// How ids of the provider begin, whatever the case of letters. None: there are no such sources.
struct NativeIds {
  std::vector<std::string_view> beginnings = {};  // part of the id: "/subscriptions/"
  std::vector<std::string_view> prefixes = {};    // in front of it: "arm:"
};

// A name without a type is a snapshot's for a disk, and a disk's for a snapshot. Fails with
// kValidation when a type or prefix has nothing behind it.
Outcome<Source> parse_disk_source(std::string_view text, const NativeIds& ids = {});
Outcome<Source> parse_snapshot_source(std::string_view text, const NativeIds& ids = {});

// A text that either parse gives the same source for, with the type always said.
std::string to_string(const Source& source, const NativeIds& ids = {});

}  // namespace strake::provider
