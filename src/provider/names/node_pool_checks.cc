#include "provider/names/node_pool_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "meta/names.h"
#include "provider/names/quote_briefly.h"
#include "provider/names/zones.h"

namespace strake::provider {
namespace {

template <typename... Args>
std::unexpected<Failure> wrong_pool(fmt::format_string<Args...> format, Args&&... args) {
  return refuse(FailureClass::kValidation, "validation error: {}",
                fmt::format(format, std::forward<Args>(args)...));
}

Outcome<> check_word(std::string_view field, const std::optional<std::string>& word,
                     std::string_view one, std::string_view other) {
  if (!word) return {};
  const std::string small = meta::to_lower_ascii(*word);
  if (small == one || small == other) return {};
  return wrong_pool("pool.{} must be \"{}\" or \"{}\", got {}", field, one, other,
                    quote_briefly(*word));
}

Outcome<> check_not_empty(std::string_view field, const std::optional<std::string>& text) {
  if (text && text->empty()) return wrong_pool("pool.{} must not be empty", field);
  return {};
}

Outcome<> check_zones(std::span<const std::string> zones) {
  std::set<std::string> seen;
  for (const std::string& zone : zones) {
    if (const auto good = check_zone(zone); !good)
      return wrong_pool("pool.Zones: {}", good.error().message());
    if (!seen.insert(native_zone(zone)).second)
      return wrong_pool("pool.Zones: {} stands there twice", quote_briefly(zone));
  }
  return {};
}

Outcome<> check_labels(const std::map<std::string, std::string, std::less<>>& labels) {
  for (const auto& [key, value] : labels) {
    if (const auto wrong = meta::check_qualified_name(key); !wrong.empty())
      return wrong_pool("pool.Labels: invalid key {}: {}", quote_briefly(key), meta::join(wrong));
    if (const auto wrong = meta::check_label_value(value); !wrong.empty()) {
      return wrong_pool("pool.Labels: invalid value {} of {}: {}", quote_briefly(value), key,
                        meta::join(wrong));
    }
  }
  return {};
}

Outcome<> check_autoscaling(const Autoscaling& scaling) {
  if (scaling.desired.value_or(0) < 0)
    return wrong_pool("pool.Autoscaling.Desired must be at least 0, got {}", *scaling.desired);
  if (!scaling.enabled) return {};
  if (scaling.min < 0)
    return wrong_pool("pool.Autoscaling.Min must be at least 0, got {}", scaling.min);
  if (scaling.max < 1)
    return wrong_pool("pool.Autoscaling.Max must be at least 1, got {}", scaling.max);
  if (scaling.min > scaling.max) {
    return wrong_pool("pool.Autoscaling.Min must be at most Max, got {} and {}", scaling.min,
                      scaling.max);
  }
  return {};
}

// Each field that is set, by itself.
Outcome<> check_fields(const NodePool& pool) {
  STRAKE_CHECK(check_word("Mode", pool.mode, "system", "user"));
  STRAKE_CHECK(check_word("Priority", pool.priority, "regular", "spot"));
  STRAKE_CHECK(check_not_empty("InstanceType", pool.instance_type));
  STRAKE_CHECK(check_not_empty("OSDiskType", pool.os_disk_type));
  if (pool.os_disk_size_gib.value_or(1) < 1)
    return wrong_pool("pool.OSDiskSizeGiB must be at least 1, got {}", *pool.os_disk_size_gib);
  if (pool.zones) STRAKE_CHECK(check_zones(*pool.zones));
  if (pool.labels) STRAKE_CHECK(check_labels(*pool.labels));
  if (pool.autoscaling) STRAKE_CHECK(check_autoscaling(*pool.autoscaling));
  return {};
}

// Whether `update` says something else than the pool has, or than it has by default.
bool changes_word(const std::optional<std::string>& current,
                  const std::optional<std::string>& update, std::string_view by_default) {
  return update && meta::to_lower_ascii(*update) !=
                       meta::to_lower_ascii(current ? std::string_view(*current) : by_default);
}

template <typename T>
bool changes(const std::optional<T>& current, const std::optional<T>& update) {
  return update && current != update;
}

// Names are identifiers: what the provider did not say cannot differ.
bool renames(const std::optional<std::string>& current, const std::optional<std::string>& update) {
  return current && update && *current != *update;
}

template <typename T>
void fill_in(std::optional<T>& current, const std::optional<T>& update) {
  if (!current) current = update;
}

}  // namespace

Outcome<> check_new_node_pool(const NodePool& pool) {
  if (!pool.name || pool.name->empty()) return wrong_pool("pool.Name is required");
  if (const auto wrong = meta::check_label_value(*pool.name); !wrong.empty()) {
    return wrong_pool("invalid pool.Name {}: {}", quote_briefly(*pool.name), meta::join(wrong));
  }
  return check_fields(pool);
}

std::vector<std::string> immutable_changes(const NodePool& current, const NodePool& update) {
  std::vector<std::string> out;
  const auto add = [&](bool changed, std::string_view text) {
    if (changed) out.emplace_back(text);
  };
  add(renames(current.name, update.name), "Name is immutable");
  add(renames(current.provider_name, update.provider_name), "ProviderName is immutable");
  add(changes_word(current.mode, update.mode, "user"), "Mode is immutable");
  add(changes(current.instance_type, update.instance_type), "InstanceType is immutable");
  add(changes(current.os_disk_type, update.os_disk_type), "OSDiskType is immutable");
  add(changes(current.os_disk_size_gib, update.os_disk_size_gib), "OSDiskSizeGiB is immutable");
  add(changes_word(current.priority, update.priority, "regular"), "Priority is immutable");
  add(update.zones &&
          !same_zones(current.zones.value_or(std::vector<std::string>()), *update.zones),
      "Zones are immutable");
  return out;
}

Outcome<> check_node_pool_update(const NodePool& current, const NodePool& update) {
  STRAKE_CHECK(check_fields(update));
  const auto changed = immutable_changes(current, update);
  if (changed.empty()) return {};
  return wrong_pool("cannot modify immutable fields: {}", fmt::join(changed, ", "));
}

NodePool merge_node_pool(const NodePool& current, const NodePool& update) {
  NodePool out = current;
  fill_in(out.name, update.name);
  fill_in(out.provider_name, update.provider_name);
  fill_in(out.mode, update.mode);
  fill_in(out.zones, update.zones);
  fill_in(out.instance_type, update.instance_type);
  fill_in(out.os_disk_type, update.os_disk_type);
  fill_in(out.os_disk_size_gib, update.os_disk_size_gib);
  fill_in(out.priority, update.priority);
  if (update.labels) {
    if (!out.labels) out.labels.emplace();
    for (const auto& [key, value] : *update.labels) out.labels->insert_or_assign(key, value);
  }
  if (update.autoscaling) out.autoscaling = update.autoscaling;
  for (const auto& [key, value] : update.extensions) out.extensions.insert_or_assign(key, value);
  return out;
}

void add_scheduling_labels(NodePool& pool) {
  if (!pool.labels) pool.labels.emplace();
  if (pool.name) pool.labels->try_emplace(std::string(kNodePoolLabel), *pool.name);
  if (pool.zones && !pool.zones->empty())
    pool.labels->try_emplace(std::string(kNodeZoneLabel), pool.zones->front());
}

}  // namespace strake::provider
