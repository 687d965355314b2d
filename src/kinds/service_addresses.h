#pragma once
// What the server picks for a Service: IP families, cluster IPs and node ports. It is done before
// the service is prepared and checked, as in kube-apiserver 1.36, so that the checks see a whole
// object; who set which field has been noted by then, and nobody owns what is picked here.
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/ip_address.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Why an address or a port is not given, as clients are told.
inline constexpr std::string_view kRangeIsFull = "range is full";
inline constexpr std::string_view kIpIsTaken = "provided IP is already allocated";
inline constexpr std::string_view kPortIsTaken = "provided port is already allocated";

// Where cluster IPs and node ports come from, for one write of one service. Whatever was taken is
// given back by whoever made the pool.
class ServicePool {
 public:
  virtual ~ServicePool() = default;
  // Of the ranges that there are: one or two, the preferred one first.
  virtual std::span<const std::string_view> families() const = 0;
  // Takes one that the client chose. Gives the reason why that is not possible.
  virtual std::optional<std::string> take_ip(const IpAddress& ip) = 0;
  virtual std::optional<std::string> take_port(std::int64_t port) = 0;
  // Takes any that is free; nothing when the range is full.
  virtual std::optional<IpAddress> next_ip(std::string_view family) = 0;
  virtual std::optional<int> next_port() = 0;
};

struct ServiceRefusal {
  value::FieldErrors errors;  // of the service, or
  std::string failure = {};   // an error of the server
};

// `old` is the stored service; null on a create.
std::expected<void, ServiceRefusal> pick_addresses(value::Value& service, const value::Value* old,
                                                   Arena& arena, ServicePool& pool);

}  // namespace strake::kinds
