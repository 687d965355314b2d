#pragma once
// The options of requests (ListOptions, CreateOptions, DeleteOptions, ...), read from the query or
// the body and judged with the API server's words.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/request/answer.h"
#include "http/message.h"
#include "meta/selectors.h"

namespace strake::api {

struct ListOptions {
  enum class Match : std::uint8_t { kUnset, kExact, kNotOlderThan };
  meta::LabelSelector labels;
  meta::FieldSelector fields;
  std::string resource_version;
  Match match = Match::kUnset;
  std::int64_t limit = 0;
  std::string continue_token;
  std::optional<std::chrono::seconds> timeout;
  bool bookmarks = false;
  std::optional<bool> send_initial_events;
};
Answer<ListOptions> read_list_options(const http::Query& query, bool watch);

enum class FieldValidation : std::uint8_t { kIgnore, kWarn, kStrict };

struct WriteOptions {
  bool dry_run = false;
  std::string field_manager;
  FieldValidation field_validation = FieldValidation::kWarn;
  bool field_validation_given = false;
  std::optional<bool> force;
  bool fields_settled = false;     // ownership of fields was decided already, by applying
  bool creates_on_update = false;  // a PUT or PATCH of what is not there
};
// `kind` is CreateOptions, UpdateOptions or PatchOptions; `apply` for a PATCH that applies.
Answer<WriteOptions> read_write_options(const http::Query& query, std::string_view kind,
                                        bool apply = false);

struct DeleteOptions {
  enum class Propagation : std::uint8_t { kDefault, kOrphan, kBackground, kForeground };
  Propagation propagation = Propagation::kDefault;
  std::optional<std::int64_t> grace_period;
  std::optional<std::string> uid;
  std::optional<std::string> resource_version;
  bool dry_run = false;
  std::optional<bool> orphan_dependents;  // the older way to say so; propagation follows it
};
// A body, when there is one, wins over the query.
Answer<DeleteOptions> read_delete_options(const http::Query& query, std::string_view body,
                                          std::string_view content_type);

// metadata.resourceVersion and the like: a whole number. The error is "resourceVersion: Invalid
// value: ...".
Answer<std::int64_t> parse_resource_version(std::string_view text);

}  // namespace strake::api
