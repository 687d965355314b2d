#include "api/request/service_allocator.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/service_fields.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

constexpr std::string_view kByIp = "ip";
constexpr std::string_view kByPort = "port";

}  // namespace

class ServiceAllocator::Services final : public Informer<Addresses> {
 public:
  explicit Services(Hub& hub)
      : Informer(
            hub,
            {.prefixes = {std::string(kServicePrefix)},
             .read = read,
             .indexes = {{std::string(kByIp), [](const Addresses& one) { return one.ips; }},
                         {std::string(kByPort), [](const Addresses& one) { return one.ports; }}}}) {
  }

 private:
  static Result<Addresses> read(const Object& object) {
    STRAKE_TRY(const Document document, value::read_json(*object.bytes()));
    const kinds::ServiceFields service(document.root());
    Addresses out;
    if (service.needs_cluster_ip()) {
      for (const Value& one : service.cluster_ips) {
        if (const auto ip = parse_ip_address_sloppily(value::text_of(one)))
          out.ips.push_back(ip->unmapped().to_string());
      }
    }
    const auto add_port = [&](std::int64_t port) {
      if (port > 0) out.ports.push_back(fmt::format("{}", port));
    };
    if (service.has_node_ports()) {
      for (const Value& port : service.ports) add_port(kinds::integer(port, "nodePort"));
    }
    if (service.needs_health_check()) add_port(service.health_check_port);
    return out;
  }
};

// What one call has picked.
class ServiceAllocator::Picked final : public Held {
 public:
  explicit Picked(ServiceAllocator& allocator) : allocator_(allocator) {}
  ~Picked() override {
    const std::lock_guard lock(allocator_.mu_);
    for (const auto& one : all) allocator_.picked_.erase(one);
  }

  std::vector<std::pair<std::string_view, std::string>> all;

 private:
  ServiceAllocator& allocator_;
};

// Used under mu_.
class ServiceAllocator::Pool final : public kinds::ServicePool {
 public:
  Pool(ServiceAllocator& allocator, Picked& picked)
      : allocator_(allocator), picked_(picked), families_(allocator.ranges_.families()) {}

  std::span<const std::string_view> families() const override { return families_; }

  std::optional<std::string> take_ip(const IpAddress& ip) override {
    const IpAddress asked = ip.unmapped();
    const kinds::IpRange* range =
        allocator_.ranges_.of_family(asked.v4 ? kinds::kIpv4 : kinds::kIpv6);
    if (range == nullptr || !range->contains(asked))
      return "the provided network does not match the current range";
    if (auto refusal = range->refusal(asked)) return refusal;
    if (!take(kByIp, asked.to_string())) return std::string(kinds::kIpIsTaken);
    return std::nullopt;
  }

  std::optional<std::string> take_port(std::int64_t port) override {
    if (auto refusal = allocator_.ranges_.port_refusal(port)) return refusal;
    if (!take(kByPort, fmt::format("{}", port))) return std::string(kinds::kPortIsTaken);
    return std::nullopt;
  }

  std::optional<IpAddress> next_ip(std::string_view family) override {
    const kinds::IpRange* range = allocator_.ranges_.of_family(family);
    if (range == nullptr) return std::nullopt;
    const auto number = take_next(
        range->numbers(), allocator_.next_ip_[range->family()],
        [&](std::uint64_t one) { return std::pair(kByIp, range->address(one).to_string()); });
    if (!number) return std::nullopt;
    return range->address(*number);
  }

  std::optional<int> next_port() override {
    const int first = allocator_.ranges_.first_port;
    const auto number =
        take_next(allocator_.ranges_.ports(), allocator_.next_port_, [&](std::uint64_t one) {
          return std::pair(kByPort, fmt::format("{}", first + static_cast<int>(one)));
        });
    if (!number) return std::nullopt;
    return first + static_cast<int>(*number);
  }

 private:
  bool take(std::string_view index, std::string value) {
    if (allocator_.is_taken(index, value)) return false;
    allocator_.picked_.emplace(index, value);
    picked_.all.emplace_back(index, std::move(value));
    return true;
  }

  template <typename NameOf>
  std::optional<std::uint64_t> take_next(const kinds::NumberRange& range, std::uint64_t& start,
                                         const NameOf& name_of) {
    const auto number = range.next(start, [&](std::uint64_t one) {
      const auto [index, value] = name_of(one);
      return allocator_.is_taken(index, value);
    });
    if (!number) return std::nullopt;
    auto [index, value] = name_of(*number);
    take(index, std::move(value));
    if (*number >= range.lower) start = *number - range.lower + 1;
    return number;
  }

  ServiceAllocator& allocator_;
  Picked& picked_;
  std::vector<std::string_view> families_;
};

ServiceAllocator::ServiceAllocator(Hub& hub, kinds::ServiceRanges ranges)
    : ranges_(std::move(ranges)), services_(std::make_unique<Services>(hub)) {}

ServiceAllocator::~ServiceAllocator() = default;

bool ServiceAllocator::is_taken(std::string_view index, const std::string& value) {
  return picked_.contains({index, value}) || services_->view().has(index, value);
}

Answer<> ServiceAllocator::pick(Call& call, Document& service, const Value* old, bool dry_run) {
  std::erase_if(call.held, [](const std::unique_ptr<Held>& one) {
    return dynamic_cast<const Picked*>(one.get()) != nullptr;
  });
  auto picked = std::make_unique<Picked>(*this);
  const auto done = [&] {
    const std::lock_guard lock(mu_);
    if (!dry_run) {
      Pool pool(*this, *picked);
      return kinds::pick_addresses(service.root(), old, service.arena(), pool);
    }
    kinds::DryRunPool pool(
        ranges_, [&](std::int64_t port) { return is_taken(kByPort, fmt::format("{}", port)); });
    return kinds::pick_addresses(service.root(), old, service.arena(), pool);
  }();
  if (!picked->all.empty()) call.held.push_back(std::move(picked));
  if (done) return {};
  if (!done.error().failure.empty()) return refuse(Status::internal_error(done.error().failure));
  return refuse(Status::invalid(call.resource().group_kind(),
                                meta::ObjectMeta::of(service.root()).name(), done.error().errors));
}

}  // namespace strake::api
