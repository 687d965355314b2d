#include "extension/registration.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include "base/base64.h"
#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::extension {
namespace {

using meta::ObjectMeta;
using value::Value;

constexpr std::string_view kManager = "strake-extension";
constexpr std::string_view kDefinitions =
    "/registry/apiextensions.k8s.io/customresourcedefinitions/";
// As kube-apiserver gives those that it makes for definitions.
constexpr int kGroupPriority = 1000;
constexpr int kVersionPriority = 100;
constexpr int kServicePort = 443;
constexpr std::string_view kPortName = "https";

std::string quoted(std::string_view text) {
  std::string out;
  value::write_json_string(text, out);
  return out;
}

std::string metadata_json(const RegistrationOptions& options, std::string_view name,
                          bool in_namespace, std::string_view more_labels = {}) {
  return fmt::format(
      R"("metadata":{{"name":{}{},"labels":{{{}:{}{}}}}})", quoted(name),
      in_namespace ? fmt::format(R"(,"namespace":{})", quoted(options.service.namespace_name)) : "",
      quoted(options.label), quoted(options.server_id), more_labels);
}

KeptObjects::Options kept(const RegistrationOptions& options, std::string what,
                          std::string collection, std::string selector = {}) {
  return {.cluster = options.cluster,
          .what = std::move(what),
          .collection = std::move(collection),
          .selector = std::move(selector),
          .is_own = [label = options.label, id = options.server_id](
                        const Value& object) { return ObjectMeta::of(object).label(label) == id; },
          .manager = std::string(kManager),
          .backoff = options.backoff};
}

KeptObjects::Options kept_api_services(const RegistrationOptions& options) {
  return kept(options, "APIService", "/apis/apiregistration.k8s.io/v1/apiservices");
}

KeptObjects::Options kept_services(const RegistrationOptions& options) {
  return kept(options, "Service",
              fmt::format("/api/v1/namespaces/{}/services", options.service.namespace_name),
              fmt::format("fieldSelector=metadata.name%3D{}", options.service.name));
}

KeptObjects::Options kept_slices(const RegistrationOptions& options) {
  return kept(options, "EndpointSlice",
              fmt::format("/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices",
                          options.service.namespace_name),
              fmt::format("fieldSelector=metadata.name%3D{}", options.service.name));
}

bool is_established(const Value& definition) {
  for (const Value& one : definition.get("status").get("conditions").items()) {
    if (value::text_of(one, "type") == "Established")
      return value::text_of(one, "status") == "True";
  }
  return false;
}

}  // namespace

std::optional<ReachableAddress> reachable(std::string_view host, std::uint16_t port) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(std::string(host), error);
  if (error || address.is_unspecified() || address.is_loopback() || address.is_multicast())
    return std::nullopt;
  if (address.is_v6() && address.to_v6().is_link_local()) return std::nullopt;
  if (address.is_v4() && (address.to_v4().to_uint() >> 16U) == 0xa9feU) return std::nullopt;
  return ReachableAddress{.ip = address.to_string(), .port = port};
}

std::string api_service_json(const RegistrationOptions& options, std::string_view group,
                             std::string_view version) {
  return fmt::format(
      R"({{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",{},"spec":{{)"
      R"("group":{},"version":{},"groupPriorityMinimum":{},"versionPriority":{},"caBundle":"{}",)"
      R"("service":{{"namespace":{},"name":{},"port":{}}}}}}})",
      metadata_json(options, fmt::format("{}.{}", version, group), false), quoted(group),
      quoted(version), kGroupPriority, kVersionPriority, base64_encode(options.ca_pem),
      quoted(options.service.namespace_name), quoted(options.service.name), kServicePort);
}

std::string service_json(const RegistrationOptions& options) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Service",{},"spec":{{"ports":[{{"name":{},"port":{},)"
      R"("protocol":"TCP","targetPort":{}}}]}}}})",
      metadata_json(options, options.service.name, true), quoted(kPortName), kServicePort,
      options.address->port);
}

std::string endpoint_slice_json(const RegistrationOptions& options) {
  const bool is_v6 = options.address->ip.contains(':');
  return fmt::format(
      R"({{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",{},"addressType":"{}",)"
      R"("endpoints":[{{"addresses":[{}],"conditions":{{"ready":true}}}}],)"
      R"("ports":[{{"name":{},"port":{},"protocol":"TCP"}}]}})",
      metadata_json(
          options, options.service.name, true,
          fmt::format(R"(,"kubernetes.io/service-name":{})", quoted(options.service.name))),
      is_v6 ? "IPv6" : "IPv4", quoted(options.address->ip), quoted(kPortName),
      options.address->port);
}

Served Served::by(const Value& definition) {
  Served out;
  if (!is_established(definition) || ObjectMeta::of(definition).is_being_deleted()) return out;
  out.group = value::text_of(definition.get("spec"), "group");
  for (const Value& one : definition.get("spec").get("versions").items()) {
    if (value::flag_of(one, "served")) out.versions.emplace_back(value::text_of(one, "name"));
  }
  return out;
}

Result<Served> Registration::read(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  return Served::by(document.root());
}

Registration::Registration(RegistrationOptions options, api::Hub& hub)
    : options_(std::move(options)),
      definitions_(hub, {.prefixes = {std::string(kDefinitions)}, .read = read}),
      api_services_(std::make_unique<KeptObjects>(kept_api_services(options_))) {
  if (!options_.address) return;
  services_ = std::make_unique<KeptObjects>(kept_services(options_));
  slices_ = std::make_unique<KeptObjects>(kept_slices(options_));
}

Registration::~Registration() = default;

boost::asio::awaitable<void> Registration::start() {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  signal_ = std::make_shared<async::Signal>(loop);
  co_await api_services_->start();
  if (services_) {
    co_await services_->start();
    services_->want({{options_.service.name, service_json(options_)}});
    co_await slices_->start();
    slices_->want({{options_.service.name, endpoint_slice_json(options_)}});
  }
  boost::asio::co_spawn(loop, follow(), boost::asio::detached);
}

boost::asio::awaitable<void> Registration::follow() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  const CancelRegistration registration = stopping_.token().on_cancel(
      [signal = signal_, loop] { boost::asio::post(loop, [signal] { signal->notify(); }); });
  api::InformerBase::Follower follower(definitions_, loop, signal_);
  std::map<std::string, Served> known;
  while (!stopping_.cancelled()) {
    const api::InformerBase::Follower::Taken taken = follower.take();
    {
      const auto view = definitions_.view();
      for (const api::InformerBase::Note& note : taken.notes) {
        known.erase(note.key);
        if (const auto found = view.find(note.key)) known[note.key] = *found;
      }
    }
    // Before all are known, those that are missing would be taken for gone.
    if (taken.revision > 0) tell(known);
    if (!co_await signal_->wait(Deadline::never())) co_return;
  }
}

void Registration::tell(std::map<std::string, Served> definitions) {
  std::map<std::string, std::string> wanted;
  for (const auto& [key, one] : definitions) {
    if (one.group.empty() || !options_.shows(one.group)) continue;
    for (const std::string& version : one.versions)
      wanted.emplace(fmt::format("{}.{}", version, one.group),
                     api_service_json(options_, one.group, version));
  }
  api_services_->want(std::move(wanted));
}

async::Task<> Registration::stop(bool remove, CancelToken cancel) {
  stopping_.cancel();
  static_cast<void>(co_await running_.close());
  Result<> out;
  for (KeptObjects* one : {api_services_.get(), services_.get(), slices_.get()}) {
    if (one == nullptr) continue;
    static_cast<void>(co_await one->stop());
    // When the main server does not answer, it does not get better.
    if (remove && out) out = co_await one->remove_all(cancel);
  }
  co_return out;
}

async::Task<> remove_registration(RegistrationOptions options) {
  Result<> out;
  for (KeptObjects::Options one :
       {kept_api_services(options), kept_services(options), kept_slices(options)}) {
    KeptObjects objects(std::move(one));
    if (Result<> removed = co_await objects.remove_all(); !removed && out) out = std::move(removed);
  }
  co_return out;
}

}  // namespace strake::extension
