#include "aggregator/services/service_addresses.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/service_allocator.h"
#include "kinds/fields.h"
#include "value/document.h"
#include "value/fields.h"

namespace strake::aggregator {
namespace {

using value::text_of;
using value::Value;

constexpr std::string_view kEndpoints = "/registry/services/endpoints/";
constexpr std::string_view kSlices = "/registry/endpointslices/";
constexpr std::string_view kServiceLabel = "kubernetes.io/service-name";
// How many addresses are tried that nobody answers at.
constexpr std::size_t kMostAddresses = 3;

std::string within(std::string_view namespace_name, std::string_view name) {
  return fmt::format("{}/{}", namespace_name, name);
}

std::string service_of(const api::Object& object) {
  if (!object.key().starts_with(kSlices)) return within(object.namespace_name(), object.name());
  for (const auto& [key, label] : object.labels()) {
    if (key == kServiceLabel) return within(object.namespace_name(), label);
  }
  return {};
}

// The name of the port with this number; nothing when there is none.
std::optional<std::string> port_name(const Value& service, std::uint16_t number) {
  for (const Value& port : kinds::items(service.get("spec"), "ports")) {
    if (kinds::integer(port, "port") == number) return std::string(text_of(port, "name"));
  }
  return std::nullopt;
}

}  // namespace

class ServiceAddresses::Objects final : public api::Informer<std::string> {
 public:
  explicit Objects(api::Hub& hub)
      : Informer(hub, {.prefixes = {std::string(api::kServicePrefix), std::string(kEndpoints),
                                    std::string(kSlices)},
                       .read = [](const api::Object& object) -> Result<std::string> {
                         return service_of(object);
                       }}) {}
};

ServiceAddresses::ServiceAddresses(api::Hub& hub, Detour detour)
    : hub_(hub),
      objects_(std::make_unique<Objects>(hub)),
      backends_(hub),
      detour_(std::move(detour)) {}

ServiceAddresses::~ServiceAddresses() = default;

api::InformerBase& ServiceAddresses::changes() { return *objects_; }

std::vector<std::string> ServiceAddresses::services_of(const api::InformerBase::Note& note) {
  std::vector<std::string> out;
  if (const auto before = Objects::before(note); before && !before->empty()) out.push_back(*before);
  const Objects::View view = objects_->view();
  if (const auto now = view.find(note.key); now && !now->empty()) out.push_back(*now);
  return out;
}

void ServiceAddresses::set_map(ServiceMap map) {
  std::function<void()> tell;
  {
    const std::lock_guard lock(mu_);
    map_ = std::move(map);
    known_.clear();
    tell = map_changed_;
  }
  if (tell) tell();
}

void ServiceAddresses::tell_of_map(std::function<void()> changed) {
  const std::lock_guard lock(mu_);
  map_changed_ = std::move(changed);
}

std::expected<Located, NotLocated> ServiceAddresses::find(const ServiceReference& service) {
  const std::string name =
      fmt::format("{}/{}:{}", service.namespace_name, service.name, service.port);
  // Read first: what changes meanwhile is looked up again by the next who asks.
  const api::Revision now = objects_->changed();
  // Everyone whom look_up() asks has been told of that change.
  const bool settled = hub_.revision() >= now;
  const std::lock_guard lock(mu_);
  if (known_at_ != now) known_.clear();
  known_at_ = now;
  const auto found = known_.find(name);
  Found out = found != known_.end() ? found->second : look_up(service);
  if (settled && found == known_.end()) known_.emplace(name, out);
  if (!out || out->addresses.empty()) return out;
  std::vector<http::Address>& all = out->addresses;
  std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(turn_++ % all.size()));
  if (all.size() > kMostAddresses) all.resize(kMostAddresses);
  out->host = all.front().ip;
  out->port = all.front().port;
  if (detour_) std::ranges::transform(all, all.begin(), detour_);
  return out;
}

// Under mu_.
ServiceAddresses::Found ServiceAddresses::look_up(const ServiceReference& service) {
  using Lack = NotLocated::Lack;
  NotLocated missing{.message = fmt::format("service \"{}\" not found", service.name)};
  const std::string key =
      fmt::format("{}{}", api::kServicePrefix, within(service.namespace_name, service.name));
  if (const api::ObjectPtr object = hub_.cache(api::kServicePrefix).get(key)) {
    const Result<value::Document> document = api::parse_stored(*object->bytes());
    const Value& spec = document ? document->root().get("spec") : Value();
    const std::string_view type = text_of(spec, "type");
    if (type == "ExternalName")
      return Located{.host = std::string(text_of(spec, "externalName")),
                     .port = service.port,
                     .addresses = {}};
    missing.has_cluster_ip = type.empty() || type == "ClusterIP";
    const auto port = document ? port_name(document->root(), service.port) : std::nullopt;
    const std::string number = fmt::format("{}", service.port);
    auto addresses = backends_.find(service.namespace_name, service.name,
                                    {.scheme = "https", .name = service.name, .port = number});
    if (addresses) return Located{.host = {}, .port = 0, .addresses = *std::move(addresses)};
    missing.lack = !port                           ? Lack::kPort
                   : addresses.error().code == 404 ? Lack::kEndpoints
                                                   : Lack::kReadyEndpoints;
    missing.port_name = port.value_or("");
    missing.message = addresses.error().message;
  }
  if (auto place = map_.find(service))
    return Located{.host = std::move(place->host), .port = place->port, .addresses = {}};
  return std::unexpected(std::move(missing));
}

}  // namespace strake::aggregator
