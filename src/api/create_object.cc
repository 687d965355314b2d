// Creating: names are settled, metadata filled, fields owned, the object judged and stored.
#include <fmt/format.h>

#include "api/judge.h"
#include "api/settle_meta.h"
#include "api/write.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

constexpr int kNameAttempts = 8;

void generate_name(Document& document) {
  const std::string name =
      resource::generated_name(ObjectMeta::of(document.root()).generate_name(), name_suffix());
  set_meta(document, "name", Value::string(document.arena().copy(name)));
}

}  // namespace

AnswerTask<WriteOutcome> create_object(Core& core, Call& call, Document document,
                                       WriteOptions options) {
  Value& root = document.root();
  if (Value* metadata = root.find("metadata")) {
    if (auto warning = meta::dedupe_owner_references(*metadata))
      call.warnings.push_back(*std::move(warning));
  }
  if (!options.fields_settled) own_fields(call, document, nullptr, "", manager_of(call, options));
  STRAKE_CO_CHECK(check_place(core, call, ObjectMeta::of(root).name()));

  const bool generated = resource::needs_generated_name(root);
  if (generated) generate_name(document);
  const bool names_version = resource::names_resource_version(root);
  fill_new(call, document);
  const std::string now = call.now_text();
  call.strategy().prepare_create(root, document.arena(), call.write_request(now));

  for (int attempt = 1;; ++attempt) {
    STRAKE_CO_CHECK(co_await judge_by_size(core, call.request.body.size(),
                                           [&] { return judge(call, document, nullptr, ""); }));
    call.strategy().after_accept(root, document.arena());
    const std::string name(ObjectMeta::of(root).name());
    if (names_version && !options.dry_run) {
      co_return refuse(
          Status::raw_error("resourceVersion should not be set on objects to be created"));
    }
    const std::string key = call.endpoint->key(call.info.namespace_name, name);
    ObjectPtr existing = call.endpoint->cache().get(key);
    if (!existing) {
      STRAKE_CO_TRY(std::string text, encode_for_store(call, document, nullptr));
      if (options.dry_run)
        co_return WriteOutcome{.bytes = encode_with_version(document, 0), .created = true};
      const Bytes stored = std::make_shared<const std::string>(std::move(text));
      const Result<store::Written> written = co_await core.hub.store().write(
          {.key = key, .value = stored, .expected = 0, .ttl = call.resource().ttl});
      if (!written)
        co_return refuse(store_failure(written.error(), call.group_resource(), "create"));
      if (written->applied) {
        co_return WriteOutcome{
            .bytes = written_object(call, document, key, stored, written->revision),
            .created = true};
      }
      existing = call.endpoint->cache().get(key);
    }
    if (generated && attempt < kNameAttempts) {
      generate_name(document);
      continue;
    }
    if (generated) co_return refuse(Status::generate_name_conflict(call.group_resource(), name));
    bool deleting = false;
    if (existing) {
      // Cheap enough on a path that fails anyway.
      deleting = existing->bytes()->contains("\"deletionTimestamp\":\"");
    }
    co_return refuse(Status::already_exists(call.group_resource(), name, deleting));
  }
}

}  // namespace strake::api
