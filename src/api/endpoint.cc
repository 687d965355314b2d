#include "api/endpoint.h"

#include <fmt/format.h>

#include "base/number_format.h"
#include "resource/settle.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using value::Value;

std::atomic<std::uint64_t> next_epoch{1};

value::ReadOptions trusted() {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  return options;
}

// ".spec.color" as it is written in the CRD, or "spec.color" as a selector names it.
const Value* follow(const Value& root, std::string_view path) {
  const Value* at = &root;
  if (path.starts_with('.')) path.remove_prefix(1);
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

std::string text_of(const Value* v) {
  if (v == nullptr || v->is_null()) return {};
  if (v->is_string()) return std::string(v->as_string());
  return value::to_json(*v);
}

}  // namespace

Endpoint::Endpoint(kinds::ResourcePtr resource, const kinds::Hooks* hooks, ResourceCache& cache,
                   Revision since, Revision born)
    : resource_(std::move(resource)),
      hooks_(hooks),
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
  STRAKE_TRY(Bytes made, convert(*object.bytes(), version));
  object.keep_rendition(epoch_, version.name, made);
  return made;
}

Answer<Bytes> Endpoint::render_deleted(const Object& object, const kinds::ServedVersion& version,
                                       Revision revision) const {
  std::string text = object.bytes_at(revision);
  if (is_as_stored(object, version)) {
    return std::make_shared<const std::string>(std::move(text));
  }
  return convert(text, version);
}

Answer<Bytes> Endpoint::convert(std::string_view text, const kinds::ServedVersion& version) const {
  STRAKE_TRY(value::Document document, answer(value::read_json_borrowed(text, trusted())));
  const std::string api_version = meta::GroupVersion{resource_->group, version.name}.to_string();
  document.root().set("apiVersion", Value::string(api_version), document.arena());
  if (hooks_ == nullptr) {
    STRAKE_TRY(const resource::Kind* kind, answer(version.kind()));
    STRAKE_CHECK(answer(resource::settle(document.root(), *kind, document.arena(), nullptr,
                                         {.drop_malformed_metadata = true})));
  } else {
    hooks_->from_stored(document.root(), document.arena());
  }
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

const publish::TablePrinter& Endpoint::printer(const kinds::ServedVersion& version) const {
  const std::lock_guard lock(mu_);
  auto& slot = printers_[&version];
  if (!slot) slot = std::make_unique<publish::TablePrinter>(resource_, version);
  return *slot;
}

std::string Endpoint::field_text(const Value& object, std::string_view label) const {
  if (hooks_ != nullptr) return hooks_->field(object, label);
  return text_of(follow(object, label));
}

}  // namespace strake::api
