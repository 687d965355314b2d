#pragma once
// The ranges that cluster IPs and node ports come from, as kube-apiserver 1.36 divides them: what
// is picked comes from the upper part of a range first, so that the lower part is free for what
// people choose.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ip_address.h"
#include "base/result.h"
#include "kinds/service_addresses.h"

namespace strake::kinds {

// Numbers of one range, counted from 0; the lower part ends before `lower`.
struct NumberRange {
  std::uint64_t size = 0;
  std::uint64_t lower = 0;

  // The first that is free: of the upper part from `start` on and around, then of the lower one.
  std::optional<std::uint64_t> next(
      std::uint64_t start, const std::function<bool(std::uint64_t number)>& is_taken) const;
};

// Cluster IPs of one family. The network's own address is not given to anybody, nor is IPv4's
// broadcast address.
class IpRange {
 public:
  explicit IpRange(const IpPrefix& prefix);

  std::string_view family() const;
  const IpPrefix& prefix() const { return prefix_; }
  const NumberRange& numbers() const { return numbers_; }
  IpAddress address(std::uint64_t number) const;
  bool contains(const IpAddress& ip) const { return prefix_.contains(ip); }
  // Why the address cannot be given to anybody; nothing when it can.
  std::optional<std::string> refusal(const IpAddress& ip) const;

 private:
  IpPrefix prefix_;
  NumberRange numbers_;
};

struct ServiceRanges {
  std::vector<IpRange> ips;  // one or two, of different families
  int first_port = 30'000;
  int last_port = 32'767;

  std::vector<std::string_view> families() const;
  const IpRange* of_family(std::string_view family) const;  // null when there is none
  NumberRange ports() const;
  // Why the port cannot be given to anybody; nothing when it can.
  std::optional<std::string> port_refusal(std::int64_t port) const;
};

// 10.0.0.0/24 and 30000-32767, as in kube-apiserver 1.36.
ServiceRanges default_service_ranges();
// "10.0.0.0/24", or two networks of different families, with a comma between them; and
// "30000-32767".
Result<std::vector<IpRange>> parse_ip_ranges(std::string_view text);
Result<std::pair<int, int>> parse_port_range(std::string_view text);

// What a write gets that is not stored: nothing is taken, and the addresses mean nothing.
class DryRunPool final : public ServicePool {
 public:
  DryRunPool(const ServiceRanges& ranges, std::function<bool(std::int64_t port)> is_port_taken);

  std::span<const std::string_view> families() const override { return families_; }
  std::optional<std::string> take_ip(const IpAddress& ip) override;
  std::optional<std::string> take_port(std::int64_t port) override;
  std::optional<IpAddress> next_ip(std::string_view family) override;
  std::optional<int> next_port() override;

 private:
  const ServiceRanges& ranges_;
  std::vector<std::string_view> families_;
  std::function<bool(std::int64_t)> is_port_taken_;
  std::vector<std::int64_t> ports_;  // of this write
};

}  // namespace strake::kinds
