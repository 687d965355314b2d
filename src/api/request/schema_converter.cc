#include "api/request/schema_converter.h"

#include <fmt/format.h>

#include "resource/settle.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

// In the words of kube-apiserver 1.36 for a webhook that fails.
Status no_webhook(const Conversion& conversion) {
  const kinds::Resource& resource = conversion.resource;
  const std::string stored = meta::GroupVersion{resource.group, conversion.from.name}.to_string();
  return Status::raw_error(fmt::format(
      "conversion webhook for {}, Kind={} failed: nothing here calls conversion webhooks; "
      "use {}, or set spec.conversion.strategy of the CustomResourceDefinition {} to None if "
      "its versions have the same fields",
      stored, resource.kind, stored, resource.definition ? resource.definition->name : ""));
}

Answer<> convert_one(const Conversion& conversion, value::Document& document) {
  const std::string api_version =
      meta::GroupVersion{conversion.resource.group, conversion.to.name}.to_string();
  document.root().set("apiVersion", Value::string(document.arena().copy(api_version)),
                      document.arena());
  if (!conversion.settle) return {};
  STRAKE_TRY(const bool same, same_schema(conversion.from, conversion.to));
  if (same) return {};
  STRAKE_TRY(const resource::Kind* kind, answer(conversion.to.kind()));
  return answer(resource::settle(
      document.root(), *kind, document.arena(), nullptr,
      {.apply_defaults = conversion.fill_defaults, .drop_malformed_metadata = true}));
}

}  // namespace

Answer<bool> same_schema(const kinds::ServedVersion& a, const kinds::ServedVersion& b) {
  STRAKE_TRY(const resource::Kind* left, answer(a.kind()));
  STRAKE_TRY(const resource::Kind* right, answer(b.kind()));
  // Equal schemas are one node (schema/intern.h).
  return left->schema == right->schema;
}

Eventual<> SchemaConverter::convert(const Conversion& conversion,
                                    std::span<value::Document> documents,
                                    const CancelToken&) const {
  if (conversion.resource.converted_by_webhook) return refuse(no_webhook(conversion));
  for (value::Document& one : documents) {
    if (Answer<> outcome = convert_one(conversion, one); !outcome) return outcome;
  }
  return Answer<>();
}

}  // namespace strake::api
