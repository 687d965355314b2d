#pragma once
// One line of a watch.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace strake::kube {

// Of one event: an object may have 3 MiB, as the API server takes it.
inline constexpr std::size_t kMostWatchLine = std::size_t{8} << 20;

struct WatchEvent {
  enum class Type : std::uint8_t { kSet, kDeleted, kBookmark };  // kSet: added or modified
  Type type = Type::kBookmark;
  value::Document document;
  const value::Value& object() const { return document.root().get("object"); }
  std::string version() const;  // of the object; empty when it has none
};

// `path` is for messages. Fails with kExpired or kGone when the server has forgotten the place of
// the watch, with kServiceUnavailable for another error that it tells, and with kParse.
Result<WatchEvent> read_watch_event(std::string_view line, std::string_view path);

}  // namespace strake::kube
