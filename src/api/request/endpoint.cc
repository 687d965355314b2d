#include "api/request/endpoint.h"

#include <fmt/format.h>

#include "api/cache/object_scan.h"
#include "base/number_format.h"
#include "resource/settle.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

std::atomic<std::uint64_t> next_epoch{1};

value::ReadOptions trusted() {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  return options;
}

// In the words of kube-apiserver 1.36 for a webhook that fails.
Status no_webhook(const kinds::Resource& resource, const kinds::ServedVersion& from) {
  const std::string stored = meta::GroupVersion{resource.group, from.name}.to_string();
  return Status::raw_error(fmt::format(
      "conversion webhook for {}, Kind={} failed: this server does not call conversion webhooks "
      "yet; use {}, or set spec.conversion.strategy of the CustomResourceDefinition {} to None if "
      "its versions have the same fields",
      stored, resource.kind, stored, resource.definition ? resource.definition->name : ""));
}

}  // namespace

Endpoint::Endpoint(kinds::ResourcePtr resource, const kinds::Strategy& strategy,
                   ResourceCache& cache, Revision since, Revision born)
    : resource_(std::move(resource)),
      strategy_(strategy),
      cache_(cache),
      epoch_(next_epoch.fetch_add(1)),
      since_(since),
      born_(born),
      metrics_(api::metrics().of(resource_->group, resource_->plural, resource_->kind)) {}

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

Answer<Bytes> Endpoint::render(const Object& object, const kinds::ServedVersion& version) const {
  if (is_as_stored(object, version)) return object.bytes();
  if (Bytes kept = object.rendition(epoch_, version.name)) return kept;
  STRAKE_TRY(Bytes made, make(object, *object.bytes(), version));
  object.keep_rendition(epoch_, version.name, made);
  return made;
}

Answer<Bytes> Endpoint::render_deleted(const Object& object, const kinds::ServedVersion& version,
                                       Revision revision) const {
  if (Bytes kept = object.rendition(epoch_, version.name, revision)) return kept;
  Bytes made = std::make_shared<const std::string>(object.bytes_at(revision));
  if (!is_as_stored(object, version)) {
    STRAKE_TRY(made, make(object, *made, version));
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

Answer<bool> Endpoint::same_schema(const kinds::ServedVersion& a,
                                   const kinds::ServedVersion& b) const {
  STRAKE_TRY(const resource::Kind* left, answer(a.kind()));
  STRAKE_TRY(const resource::Kind* right, answer(b.kind()));
  // Equal schemas are one node (schema/intern.h).
  return left->schema == right->schema;
}

Answer<> Endpoint::convert(value::Document& document, const kinds::ServedVersion& from,
                           const kinds::ServedVersion& to, bool fill_defaults) const {
  if (&from == &to) return {};
  if (resource_->converted_by_webhook) return refuse(no_webhook(*resource_, from));
  const std::string api_version = meta::GroupVersion{resource_->group, to.name}.to_string();
  document.root().set("apiVersion", Value::string(document.arena().copy(api_version)),
                      document.arena());
  STRAKE_TRY(const bool same, same_schema(from, to));
  if (same) return {};
  STRAKE_TRY(const resource::Kind* kind, answer(to.kind()));
  return answer(
      resource::settle(document.root(), *kind, document.arena(), nullptr,
                       {.apply_defaults = fill_defaults, .drop_malformed_metadata = true}));
}

// What is stored is read by the schema it was stored under, as that is now, then turned into the
// version that is asked for.
Answer<Bytes> Endpoint::make_converted(const Object& object, std::string_view text,
                                       const kinds::ServedVersion& version) const {
  const kinds::ServedVersion* from = resource_->version(object.version());
  if (from == nullptr) {
    return refuse(Status::raw_error(fmt::format(
        "request to convert CR from an invalid group/version: {}", object.api_version())));
  }
  const bool settled = object.revision() >= since_;
  if (settled && !resource_->converted_by_webhook) {
    STRAKE_TRY(const bool same, same_schema(*from, version));
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
  STRAKE_TRY(value::Document document, answer(value::read_json_borrowed(text, trusted())));
  if (!settled) {
    STRAKE_TRY(const resource::Kind* kind, answer(from->kind()));
    STRAKE_CHECK(answer(resource::settle(document.root(), *kind, document.arena(), nullptr,
                                         {.drop_malformed_metadata = true})));
  }
  STRAKE_CHECK(convert(document, *from, version, false));
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

Answer<Bytes> Endpoint::make(const Object& object, std::string_view text,
                             const kinds::ServedVersion& version) const {
  if (strategy_.wire().many_versions) return make_converted(object, text, version);
  STRAKE_TRY(value::Document document, answer(value::read_json_borrowed(text, trusted())));
  const std::string api_version = meta::GroupVersion{resource_->group, version.name}.to_string();
  document.root().set("apiVersion", Value::string(api_version), document.arena());
  strategy_.from_stored(document.root(), document.arena());
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

bool Endpoint::is_compiled(const kinds::ServedVersion& version) const {
  if (version.definition() == nullptr) return true;
  const auto index = static_cast<std::size_t>(&version - resource_->versions.data());
  return index < 64 && (compiled_.load(std::memory_order_relaxed) >> index & 1) != 0;
}

void Endpoint::note_compiled(const kinds::ServedVersion& version) const {
  const auto index = static_cast<std::size_t>(&version - resource_->versions.data());
  if (index < 64) compiled_.fetch_or(std::uint64_t{1} << index, std::memory_order_relaxed);
}

const publish::TablePrinter& Endpoint::printer(const kinds::ServedVersion& version) const {
  const std::lock_guard lock(mu_);
  auto& slot = printers_[&version];
  if (!slot) slot = std::make_unique<publish::TablePrinter>(resource_, version, strategy_);
  return *slot;
}

}  // namespace strake::api
