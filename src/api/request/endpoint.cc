#include "api/request/endpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cache/object_scan.h"
#include "api/request/schema_converter.h"
#include "base/assert.h"
#include "base/number_format.h"
#include "resource/prepare.h"
#include "resource/settle.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

std::atomic<std::uint64_t> next_epoch{1};

}  // namespace

Endpoint::Endpoint(kinds::ResourcePtr resource, const kinds::Strategy& strategy,
                   const Converter& converter, ResourceCache& cache, Revision since, Revision born)
    : resource_(std::move(resource)),
      strategy_(strategy),
      converter_(converter),
      cache_(cache),
      epoch_(next_epoch.fetch_add(1)),
      since_(since),
      born_(born),
      metrics_(api::metrics().of(resource_->group, resource_->plural, resource_->kind)),
      renderings_(epoch_),
      rule_costs_(resource_->versions.size()) {}

std::string Endpoint::key(std::string_view namespace_name, std::string_view name) const {
  return key_prefix(namespace_name).append(name);
}

std::string Endpoint::key_prefix(std::string_view namespace_name) const {
  std::string out = resource_->storage_prefix;
  if (resource_->namespaced && !namespace_name.empty()) out.append(namespace_name).append("/");
  return out;
}

bool Endpoint::is_as_stored(const Object& object, const kinds::ServedVersion& version) const {
  if (object.revision() < since_ || object.version() != version.name) return false;
  const std::string_view stored = object.api_version();
  const std::size_t slash = stored.find('/');
  return (slash == std::string_view::npos ? std::string_view() : stored.substr(0, slash)) ==
         resource_->group;
}

bool Endpoint::is_not_ready(const Object& object, const kinds::ServedVersion& version) const {
  if (object.rendition(epoch_, version.name)) return false;
  if (object.bytes()->size() > kDoneAtOnce) return true;
  if (!strategy_.wire().many_versions) return false;
  const kinds::ServedVersion* from = resource_->version(object.version());
  // Refused at once.
  if (from == nullptr) return false;
  return !from->is_compiled() || !version.is_compiled() || !converts_at_once(*from, version);
}

Answer<Bytes> Endpoint::render(const Object& object, const kinds::ServedVersion& version) const {
  if (is_as_stored(object, version)) return object.bytes();
  if (Bytes kept = object.rendition(epoch_, version.name)) return kept;
  if (is_not_ready(object, version)) return nullptr;
  return make(object, version);
}

Answer<Bytes> Endpoint::make(const Object& object, const kinds::ServedVersion& version) const {
  if (is_as_stored(object, version)) return object.bytes();
  Bytes made;
  if (strategy_.wire().many_versions) {
    STRAKE_TRY(made, make_converted(object, version));
  } else {
    STRAKE_TRY(value::Document document, answer(parse_stored(*object.bytes())));
    const std::string api_version = meta::GroupVersion{resource_->group, version.name}.to_string();
    document.root().set("apiVersion", Value::string(api_version), document.arena());
    strategy_.from_stored(document.root(), document.arena());
    made = std::make_shared<const std::string>(value::to_json(document.root()));
  }
  object.keep_rendition(epoch_, version.name, made);
  return made;
}

Answer<Bytes> Endpoint::render_deleted(const Object& object, const kinds::ServedVersion& version,
                                       Revision revision) const {
  if (Bytes kept = object.rendition(epoch_, version.name, revision)) return kept;
  Bytes made;
  if (is_as_stored(object, version)) {
    made = std::make_shared<const std::string>(object.bytes_at(revision));
  } else {
    STRAKE_TRY(const Bytes text, render(object, version));
    if (!text) return nullptr;
    STRAKE_TRY(value::Document document, answer(parse_stored(*text)));
    const std::string number = fmt::format("{}", revision);
    resource::set_meta(document.root(), "resourceVersion", Value::string(number), document.arena());
    made = std::make_shared<const std::string>(value::to_json(document.root()));
  }
  // Every watcher is told of it.
  object.keep_rendition(epoch_, version.name, made, revision);
  return made;
}

const kinds::ServedVersion& Endpoint::stored_version(const Object& object,
                                                     const kinds::ServedVersion& otherwise) const {
  if (!strategy_.wire().many_versions) return otherwise;
  const kinds::ServedVersion* stored = resource_->version(object.version());
  return stored != nullptr ? *stored : otherwise;
}

bool Endpoint::converts_at_once(const kinds::ServedVersion& from,
                                const kinds::ServedVersion& to) const {
  return &from == &to || converter_.is_at_once({.resource = *resource_, .from = from, .to = to});
}

Answer<> Endpoint::convert_at_once(value::Document& document, const kinds::ServedVersion& from,
                                   const kinds::ServedVersion& to, bool fill_defaults) const {
  if (&from == &to) return {};
  Eventual<> outcome = converter_.convert(
      {.resource = *resource_, .from = from, .to = to, .fill_defaults = fill_defaults},
      std::span(&document, 1), CancelToken());
  STRAKE_ASSERT(!outcome.must_wait());
  return outcome.take();
}

Answer<value::Document> Endpoint::read_stored(const Object& object) const {
  STRAKE_TRY(value::Document document, answer(parse_stored(*object.bytes())));
  // What is stored is read by the schema it was stored under, as that is now.
  if (object.revision() < since_) {
    const kinds::ServedVersion* from = resource_->version(object.version());
    STRAKE_ASSERT(from != nullptr);
    STRAKE_TRY(const resource::Kind* kind, answer(from->kind()));
    STRAKE_CHECK(answer(resource::settle(document.root(), *kind, document.arena(), nullptr,
                                         {.drop_malformed_metadata = true})));
  }
  return document;
}

Answer<Bytes> Endpoint::make_converted(const Object& object,
                                       const kinds::ServedVersion& version) const {
  const kinds::ServedVersion* from = resource_->version(object.version());
  if (from == nullptr) {
    return refuse(Status::raw_error(fmt::format(
        "request to convert CR from an invalid group/version: {}", object.api_version())));
  }
  if (object.revision() >= since_ && !resource_->converted_by_webhook) {
    STRAKE_TRY(const bool same, same_schema(*from, version));
    const std::string_view text = *object.bytes();
    // Nothing but the name of the version changes.
    if (const auto places = same ? find_places(text) : std::nullopt) {
      const auto at = static_cast<std::size_t>(places->api_version.data() - text.data());
      std::string out;
      out.reserve(text.size() + version.name.size());
      out.append(text.substr(0, at + resource_->group.size() + 1));
      out.append(version.name);
      out.append(text.substr(at + places->api_version.size()));
      return std::make_shared<const std::string>(std::move(out));
    }
  }
  STRAKE_TRY(value::Document document, read_stored(object));
  STRAKE_CHECK(convert_at_once(document, *from, version, false));
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

std::atomic<Endpoint::RuleCost>& Endpoint::rule_cost(const kinds::ServedVersion& version) const {
  return rule_costs_[static_cast<std::size_t>(&version - resource_->versions.data())];
}

bool Endpoint::has_slow_rules(const kinds::ServedVersion& version, std::size_t bytes) const {
  const Result<const resource::Kind*> kind = version.kind();
  if (!kind || !(*kind)->schema || !(*kind)->schema->has_rules_below) return false;
  const RuleCost known = rule_cost(version).load(std::memory_order_relaxed);
  if (known.bytes == 0) return true;
  // Taken to grow with the object.
  const std::uint64_t times = std::max<std::uint64_t>(bytes / known.bytes, 1);
  return known.cost * times > static_cast<std::uint64_t>(kRulesAtOnce);
}

void Endpoint::note_rules(const kinds::ServedVersion& version, std::size_t bytes,
                          std::int64_t cost) const {
  std::atomic<RuleCost>& place = rule_cost(version);
  RuleCost now{.bytes = static_cast<std::uint32_t>(std::max<std::size_t>(bytes, 1)),
               .cost = static_cast<std::uint32_t>(cost)};
  // What was expensive is forgotten slowly: objects of one kind differ.
  const RuleCost before = place.load(std::memory_order_relaxed);
  if (const std::uint32_t faded = before.cost - before.cost / 4; faded > now.cost)
    now = {.bytes = before.bytes, .cost = faded};
  place.store(now, std::memory_order_relaxed);
}

const publish::TablePrinter& Endpoint::printer(const kinds::ServedVersion& version) const {
  const std::lock_guard lock(mu_);
  auto& slot = printers_[&version];
  if (!slot) slot = std::make_unique<publish::TablePrinter>(resource_, version, strategy_);
  return *slot;
}

}  // namespace strake::api
