#include "kube/applier.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "http/message.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::kube {
namespace {

using value::text_of;
using value::Value;

// What comes first: lower numbers before higher ones.
constexpr int kLastRank = 2;
int rank_of(const Value& object) {
  const std::string_view kind = text_of(object, "kind");
  const std::string_view version = text_of(object, "apiVersion");
  if (kind == "CustomResourceDefinition" && version.starts_with("apiextensions.k8s.io/")) return 0;
  if (kind == "Namespace" && version == "v1") return 1;
  return kLastRank;
}

}  // namespace

void take_apart(const Value& document, std::vector<const Value*>& out) {
  const Value& items = document.get("items");
  if (text_of(document, "kind").ends_with("List") && items.is_array()) {
    for (const Value& item : items.items()) out.push_back(&item);
  } else if (document.is_object()) {
    out.push_back(&document);
  }
}

std::vector<const Value*> in_apply_order(const std::vector<const Value*>& documents) {
  std::vector<const Value*> all;
  for (const Value* one : documents) take_apart(*one, all);
  std::vector<const Value*> out;
  for (int rank = 0; rank <= kLastRank; ++rank)
    std::ranges::copy_if(all, std::back_inserter(out),
                         [rank](const Value* one) { return rank_of(*one) == rank; });
  return out;
}

std::string object_title(const Value& object) {
  const Value& metadata = object.get("metadata");
  const std::string_view in = text_of(metadata, "namespace");
  return fmt::format("{} {}{}{}", text_of(object, "kind"), in, in.empty() ? "" : "/",
                     text_of(metadata, "name"));
}

Result<std::string> Applier::path_of(const Value& object) {
  const std::string_view api_version = text_of(object, "apiVersion");
  const std::string_view kind = text_of(object, "kind");
  const Value& metadata = object.get("metadata");
  const std::string_view name = text_of(metadata, "name");
  if (api_version.empty() || kind.empty())
    return fail(Code::kInvalid, "an object needs an apiVersion and a kind");
  if (name.empty())
    return fail(Code::kInvalid, "object {}, Kind={} missing metadata.name", api_version, kind);
  STRAKE_TRY(const ResourcePath path, paths_.find(api_version, kind));
  std::string_view namespace_name = text_of(metadata, "namespace");
  if (namespace_name.empty()) namespace_name = options_.namespace_name;
  return path.object(namespace_name, name);
}

Result<std::string> Applier::apply(const Value& object) {
  STRAKE_TRY(const std::string path, path_of(object));
  STRAKE_TRY(http::FetchResponse answer,
             cluster_.send(
                 {.method = "PATCH",
                  .path = fmt::format("{}?fieldManager={}&force={}", path,
                                      http::percent_encode(options_.field_manager), options_.force),
                  .content_type = "application/apply-patch+yaml",
                  .body = value::to_json(object)}));
  return std::move(answer.body);
}

}  // namespace strake::kube
