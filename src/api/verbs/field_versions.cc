#include "api/verbs/field_versions.h"

#include "api/verbs/ready.h"
#include "meta/gvk.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using value::Document;
using value::Value;

std::string key_of(const Value& object, std::string_view api_version) {
  std::string out(api_version);
  out += '\n';
  value::write_json(object, out);
  return out;
}

}  // namespace

std::shared_ptr<FieldVersions> FieldVersions::of(const Registry& registry, const Call& call) {
  const kinds::Resource& resource = call.resource();
  if (resource.versions.size() < 2 && !resource.many_forms) return nullptr;
  return std::make_shared<FieldVersions>(registry, call);
}

EndpointPtr FieldVersions::other_form(std::string_view api_version) const {
  if (!call_.resource().many_forms || api_version == call_.api_version()) return nullptr;
  const auto wanted = meta::parse_group_version(api_version);
  if (!wanted) return nullptr;
  EndpointPtr out = registry_.find(wanted->group, call_.resource().plural, wanted->version);
  const bool same = out && out->resource().storage_prefix == call_.resource().storage_prefix &&
                    out->resource().served_version(wanted->version) != nullptr;
  return same ? out : nullptr;
}

const kinds::ServedVersion* FieldVersions::version_of(std::string_view api_version) const {
  const std::string& group = call_.resource().group;
  if (api_version.size() <= group.size() + 1 || !api_version.starts_with(group) ||
      api_version[group.size()] != '/')
    return nullptr;
  return call_.resource().version(api_version.substr(group.size() + 1));
}

AnswerTask<> FieldVersions::prepare(Core& core, const Value& object) const {
  for (const Value& entry : object.get("metadata").get("managedFields").items()) {
    const kinds::ServedVersion* version = version_of(value::text_of(entry, "apiVersion"));
    if (version != nullptr && !version->is_compiled())
      STRAKE_CO_CHECK(co_await compile(core, call_, *version));
  }
  co_return Answer<>();
}

std::optional<const schema::Node*> FieldVersions::schema(std::string_view api_version) const {
  const EndpointPtr form = other_form(api_version);
  const kinds::ServedVersion* version =
      form ? &form->resource().versions.front() : version_of(api_version);
  if (version == nullptr) return std::nullopt;
  const auto kind = version->kind();
  return kind ? (*kind)->schema.get() : nullptr;
}

Result<Value> FieldVersions::convert(const Value& object, std::string_view api_version,
                                     Arena& arena) const {
  if (call_.resource().many_forms) {
    const EndpointPtr from = other_form(value::text_of(object, "apiVersion"));
    const EndpointPtr to = other_form(api_version);
    Value out = value::deep_copy(object, arena);
    (from ? from->strategy() : call_.strategy()).to_stored(out, arena);
    (to ? to->strategy() : call_.strategy()).from_stored(out, arena);
    out.set("apiVersion", Value::string(arena.copy(api_version)), arena);
    return out;
  }
  const kinds::ServedVersion* to = version_of(api_version);
  if (to == nullptr) return fail(Code::kNotFound, "there is no version {}", api_version);
  if (!call_.resource().converted_by_webhook) {
    Value out = value::deep_copy(object, arena);
    out.set("apiVersion", Value::string(arena.copy(api_version)), arena);
    return out;
  }
  std::string key = key_of(object, api_version);
  if (const auto found = known_.find(key); found != known_.end()) {
    if (!found->second) return std::unexpected(found->second.error());
    return value::deep_copy(found->second->root(), arena);
  }
  Missing missing{.key = std::move(key), .object = {}, .to = to};
  missing.object.root() = value::deep_copy(object, missing.object.arena());
  missing_.push_back(std::move(missing));
  return fail(Code::kServiceUnavailable, "the object is not converted yet");
}

AnswerTask<> FieldVersions::convert_one(Document& document, const kinds::ServedVersion& to) const {
  const kinds::ServedVersion* from = version_of(value::text_of(document.root(), "apiVersion"));
  if (from == nullptr) from = call_.version;
  const WaitCancel cancel(call_);
  for (const kinds::ServedVersion* next : {&call_.resource().storage_version(), &to}) {
    if (next == from) continue;
    Eventual<> converted = call_.endpoint->converter().convert(
        {.resource = call_.resource(), .from = *from, .to = *next, .settle = false},
        std::span(&document, 1), cancel.token());
    STRAKE_CO_CHECK(converted.must_wait() ? co_await converted.wait() : converted.take());
    from = next;
  }
  co_return Answer<>();
}

AnswerTask<> FieldVersions::fetch() {
  for (Missing& one : std::exchange(missing_, {})) {
    if (call_.is_cancelled()) co_return refuse(Call::cancelled());
    const Answer<> converted = co_await convert_one(one.object, *one.to);
    known_.emplace(std::move(one.key),
                   converted
                       ? Result<Document>(std::move(one.object))
                       : Result<Document>(fail(Code::kInvalid, "{}", converted.error().message)));
  }
  co_return Answer<>();
}

}  // namespace strake::api
