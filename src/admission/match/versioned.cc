#include "admission/match/versioned.h"

#include "api/verbs/ready.h"

namespace strake::admission {
namespace {

using value::Document;
using value::Value;

// Whether the objects of the request are those of the resource.
bool is_of_resource(const kinds::Resource& resource, const kinds::ServedVersion& version,
                    std::string_view subresource) {
  return kind_of(resource, version, subresource).kind == resource.kind;
}

}  // namespace

meta::GroupVersionKind kind_of(const kinds::Resource& resource, const kinds::ServedVersion& version,
                               std::string_view subresource) {
  if (!subresource.empty()) {
    const kinds::Subresource* found = version.subresource(subresource);
    if (found != nullptr) return found->kind;
  }
  return {resource.group, version.name, resource.kind};
}

api::AnswerTask<> convert_for_admission(api::Core& core, const api::Call& call, Document& document,
                                        const kinds::ServedVersion& from,
                                        const kinds::ServedVersion& to) {
  if (&from == &to) co_return api::Answer<>();
  const kinds::Resource& resource = call.resource();
  if (resource.definition != nullptr && !resource.converted_by_webhook) {
    const std::string version = meta::GroupVersion{resource.group, to.name}.to_string();
    document.root().set("apiVersion", Value::string(document.arena().copy(version)),
                        document.arena());
    co_return api::Answer<>();
  }
  if (!from.is_compiled()) STRAKE_CO_CHECK(co_await api::compile(core, call, from));
  if (!to.is_compiled()) STRAKE_CO_CHECK(co_await api::compile(core, call, to));
  api::Answer<> converted = co_await api::convert(core, call, document, from, to, false, false);
  if (!converted) co_return api::refuse(meta::Status::internal_error(converted.error().message));
  co_return api::Answer<>();
}

bool VersionedObjects::must_convert(const kinds::ServedVersion& version) const {
  if (!is_of_resource(call_.resource(), version, request_.subresource)) return false;
  return (request_.object != nullptr && &version != call_.version) ||
         (request_.old != nullptr && &version != &version_of_old());
}

VersionedObjects::Seen VersionedObjects::as_asked() const {
  return {.object = request_.object != nullptr ? &request_.object->root() : nullptr,
          .old = request_.old};
}

api::AnswerTask<VersionedObjects::Seen> VersionedObjects::in(const kinds::ServedVersion& version) {
  if (!must_convert(version)) co_return as_asked();
  for (const Made& one : made_) {
    if (one.version == &version) co_return one.seen;
  }
  Made made{.version = &version, .object = {}, .old = {}, .seen = as_asked()};
  if (request_.object != nullptr && &version != call_.version) {
    made.object.root() = value::deep_copy(request_.object->root(), made.object.arena());
    STRAKE_CO_CHECK(
        co_await convert_for_admission(core_, call_, made.object, *call_.version, version));
    made.seen.object = nullptr;
  }
  if (request_.old != nullptr && &version != &version_of_old()) {
    made.old.root() = value::deep_copy(*request_.old, made.old.arena());
    STRAKE_CO_CHECK(
        co_await convert_for_admission(core_, call_, made.old, version_of_old(), version));
    made.seen.old = nullptr;
  }
  Made& kept = made_.emplace_back(std::move(made));
  if (kept.seen.object == nullptr && request_.object != nullptr)
    kept.seen.object = &kept.object.root();
  if (kept.seen.old == nullptr && request_.old != nullptr) kept.seen.old = &kept.old.root();
  co_return kept.seen;
}

}  // namespace strake::admission
