#include "api/verbs/settle_meta.h"

#include <fmt/format.h>

#include "api/verbs/write.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;

}  // namespace

Answer<> check_namespace(const Call& call, Document& document) {
  if (resource::settle_namespace(document.root(), call.resource().namespaced,
                                 call.info.namespace_name, document.arena())) {
    return {};
  }
  return refuse(Status::bad_request(
      "the namespace of the provided object does not match the namespace sent on the request"));
}

Answer<> check_name_on_update(const Call& call, const Document& document) {
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  if (metadata.name().empty()) {
    return refuse(Status::bad_request(fmt::format(
        "the name of the object ({} based on URL) was undeterminable: name must be provided",
        call.info.name)));
  }
  if (metadata.name() != call.info.name) {
    return refuse(Status::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    metadata.name(), call.info.name)));
  }
  if (call.resource().namespaced && !metadata.namespace_name().empty() &&
      metadata.namespace_name() != call.info.namespace_name) {
    return refuse(Status::bad_request(
        fmt::format("the namespace of the object ({}) does not match the namespace on the URL ({})",
                    metadata.namespace_name(), call.info.namespace_name)));
  }
  return {};
}

void drop_repeated_owners(Call& call, Document& document, bool after_admission) {
  value::Value* metadata = document.root().find("metadata");
  if (metadata == nullptr) return;
  if (auto warning = meta::dedupe_owner_references(*metadata, after_admission))
    call.warnings.push_back(*std::move(warning));
}

void fill_new(const Call& call, Document& document) {
  resource::fill_new(document.root(),
                     {.uid = new_uid(),
                      .time = call.now_text(),
                      .keeps_generation = call.resource().keeps_generation},
                     document.arena());
}

}  // namespace strake::api
