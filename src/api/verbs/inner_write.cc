#include "api/verbs/inner_write.h"

#include "api/verbs/write.h"

namespace strake::api {

AnswerTask<> write_within(Core& core, const Call& call, InnerWrite write) {
  const meta::GroupResource resource = write.endpoint.resource().group_resource();
  const std::string key = write.endpoint.key(write.namespace_name, write.name);
  while (true) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    const ObjectPtr current = write.endpoint.cache().get(key);
    if (!current) co_return refuse(meta::Status::not_found(resource, write.name));
    STRAKE_CO_TRY(value::Document document, answer(parse_stored(*current->bytes())));
    STRAKE_CO_CHECK(write.change(document, current->revision()));
    if (write.dry_run) co_return Answer<>();
    const Result<store::Written> written = co_await core.hub.store().write(
        {.key = key,
         .value = std::make_shared<const std::string>(encode_as_it_is(document)),
         .expected = current->revision(),
         .cancel = call.request.cancel});
    if (!written) co_return refuse(store_failure(written.error(), resource, "update"));
    if (written->applied) co_return Answer<>();
  }
}

}  // namespace strake::api
