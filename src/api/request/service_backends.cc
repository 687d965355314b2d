#include "api/request/service_backends.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/cache/informer.h"
#include "api/request/service_allocator.h"
#include "base/ip_address.h"
#include "base/quote.h"
#include "kinds/fields.h"
#include "value/document.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

constexpr std::string_view kEndpoints = "/registry/services/endpoints/";
constexpr std::string_view kSlices = "/registry/endpointslices/";
constexpr std::string_view kServiceLabel = "kubernetes.io/service-name";
constexpr std::string_view kByService = "service";

const meta::GroupResource kServiceResource{"", "services"};

std::string within(std::string_view namespace_name, std::string_view name) {
  return fmt::format("{}/{}", namespace_name, name);
}

Result<Document> read(Hub& hub, std::string_view prefix, const std::string& key) {
  const ObjectPtr object = hub.cache(prefix).get(key);
  if (!object) return fail(Code::kNotFound, "there is no {}", key);
  STRAKE_TRY(Document document, parse_stored(*object->bytes()));
  // The texts of the document lie in the object.
  Document out;
  out.root() = value::deep_copy(document.root(), out.arena());
  return out;
}

void add(std::string_view ip, std::int64_t port, std::vector<http::Address>& out) {
  const auto parsed = parse_ip_address_sloppily(ip);
  if (!parsed || port < 1 || port > UINT16_MAX) return;
  const IpAddress address = parsed->unmapped();
  if (address.is_unspecified() || address.is_loopback() || address.is_link_local_unicast() ||
      address.is_multicast()) {
    return;
  }
  http::Address one{.ip = address.to_string(), .port = static_cast<std::uint16_t>(port)};
  const auto same = [&](const http::Address& other) {
    return other.ip == one.ip && other.port == one.port;
  };
  if (!std::ranges::any_of(out, same)) out.push_back(std::move(one));
}

const Value* port_named(const Value& holder, std::string_view name) {
  for (const Value& port : kinds::items(holder, "ports")) {
    if (value::text_of(port, "name") == name) return &port;
  }
  return nullptr;
}

void add_endpoints(const Value& endpoints, std::string_view port_name,
                   std::vector<http::Address>& out) {
  for (const Value& subset : kinds::items(endpoints, "subsets")) {
    const Value* port = port_named(subset, port_name);
    if (port == nullptr) continue;
    for (const Value& address : kinds::items(subset, "addresses"))
      add(value::text_of(address, "ip"), kinds::integer(*port, "port"), out);
  }
}

void add_slice(const Value& slice, std::string_view port_name, std::vector<http::Address>& out) {
  const Value* port = port_named(slice, port_name);
  if (port == nullptr || value::text_of(slice, "addressType") == "FQDN") return;
  for (const Value& endpoint : kinds::items(slice, "endpoints")) {
    // It is ready unless it says otherwise.
    const Value& ready = endpoint.get("conditions").get("ready");
    if (ready.is_bool() && !ready.as_bool()) continue;
    for (const Value& address : kinds::items(endpoint, "addresses"))
      add(value::text_of(address), kinds::integer(*port, "port"), out);
  }
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

Status no_endpoints(std::string_view name) {
  return Status::service_unavailable(
      fmt::format("no endpoints available for service {}", quote(name)));
}

}  // namespace

// Knows only which slices belong to a service: these are read when they are needed.
class ServiceBackends::Slices final : public Informer<std::string> {
 public:
  explicit Slices(Hub& hub)
      : Informer(hub, {.prefixes = {std::string(kSlices)},
                       .read = service_of,
                       .indexes = {{std::string(kByService), [](const std::string& service) {
                                      return std::vector<std::string>{service};
                                    }}}}) {}

 private:
  static Result<std::string> service_of(const Object& slice) {
    for (const auto& [key, label] : slice.labels()) {
      if (key == kServiceLabel) return within(slice.namespace_name(), label);
    }
    return std::string();
  }
};

ServiceBackends::ServiceBackends(Hub& hub) : hub_(hub), slices_(std::make_unique<Slices>(hub)) {}

ServiceBackends::~ServiceBackends() = default;

// Endpoints know ports by their names: a number is that of the service's own.
Answer<std::string> ServiceBackends::port_name(std::string_view namespace_name,
                                               const ProxyName& asked) const {
  const auto number = number_of(asked.port);
  if (!number) return asked.port;
  const Result<Document> service =
      read(hub_, kServicePrefix, std::string(kServicePrefix) + within(namespace_name, asked.name));
  if (!service) return refuse(Status::not_found(kServiceResource, asked.name));
  for (const Value& port : kinds::items(service->root().get("spec"), "ports")) {
    if (kinds::integer(port, "port") == *number) return std::string(value::text_of(port, "name"));
  }
  return refuse(Status::service_unavailable(
      fmt::format("no service port {} found for service {}", *number, quote(asked.name))));
}

Answer<std::vector<http::Address>> ServiceBackends::find(std::string_view namespace_name,
                                                         std::string_view id,
                                                         const ProxyName& asked) {
  STRAKE_TRY(const std::string port, port_name(namespace_name, asked));
  const std::string service = within(namespace_name, asked.name);
  std::vector<std::string> keys;
  {
    const Slices::View view = slices_->view();
    view.for_each(kByService, service, [&](const auto& one) { keys.push_back(one.key()); });
  }
  bool any = false;
  std::vector<http::Address> out;
  for (const std::string& key : keys) {
    const Result<Document> slice = read(hub_, kSlices, key);
    if (!slice) continue;
    any = true;
    add_slice(slice->root(), port, out);
  }
  if (const auto endpoints = read(hub_, kEndpoints, std::string(kEndpoints) + service)) {
    any = true;
    add_endpoints(endpoints->root(), port, out);
  }
  if (!any) return refuse(Status::not_found(kServiceResource, asked.name));
  if (out.empty()) return refuse(no_endpoints(id));
  std::ranges::rotate(out, out.begin() + static_cast<std::ptrdiff_t>(turn_++ % out.size()));
  return out;
}

}  // namespace strake::api
