#include "kube/objects/objects.h"

#include <fmt/format.h>

#include "http/message.h"
#include "kube/list.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using value::Document;

constexpr std::size_t kPage = 500;

Result<Document> read_answer(const Request& request, const std::string& body) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.bytes = std::size_t{1} << 28;
  Result<Document> out = value::read_json(body, options);
  if (!out || !out->root().is_object())
    return fail(Code::kParse, "{} {}: the answer is no object", request.method, request.path);
  return out;
}

Result<Document> ask_for_object(const Client& cluster, const Request& request) {
  STRAKE_TRY(const http::FetchResponse answer, cluster.send(request));
  return read_answer(request, answer.body);
}

std::string_view media_type(PatchRequest::Type type) {
  switch (type) {
    case PatchRequest::Type::kStrategicMerge: return "application/strategic-merge-patch+json";
    case PatchRequest::Type::kJson: return "application/json-patch+json";
    case PatchRequest::Type::kMerge: break;
  }
  return "application/merge-patch+json";
}

}  // namespace

Result<std::string> Objects::place(const ObjectRef& object) {
  STRAKE_TRY(const ResourcePath path, path_of(object.of));
  return path.object(object.namespace_name, object.name);
}

Result<Document> Objects::get(const ObjectRef& object) {
  STRAKE_TRY(std::string path, place(object));
  return ask_for_object(cluster_, {.path = std::move(path)});
}

Result<std::optional<Document>> Objects::find(const ObjectRef& object) {
  STRAKE_TRY(std::string path, place(object));
  Result<Document> out = ask_for_object(cluster_, {.path = std::move(path)});
  if (out) return std::optional<Document>(*std::move(out));
  if (out.error().code() == Code::kNotFound) return std::nullopt;
  return std::unexpected(std::move(out).error());
}

Result<std::vector<Document>> Objects::list(const ListRequest& request) {
  STRAKE_TRY(const ResourcePath path, path_of(request.of));
  std::string target = path.collection(request.namespace_name);
  char before = '?';
  for (const auto& [name, selector] : {std::pair("labelSelector", &request.label_selector),
                                       std::pair("fieldSelector", &request.field_selector)}) {
    if (selector->empty()) continue;
    target += fmt::format("{}{}={}", before, name, http::percent_encode(*selector));
    before = '&';
  }
  STRAKE_TRY(const std::vector<std::string> pages, list_pages(cluster_, target, kPage));
  std::vector<Document> out;
  for (const std::string& page : pages) {
    STRAKE_TRY(Document read, read_answer({.path = target}, page));
    out.push_back(std::move(read));
  }
  return out;
}

Result<Document> Objects::create(const ObjectRef& object, std::string json) {
  STRAKE_TRY(const ResourcePath path, path_of(object.of));
  return ask_for_object(cluster_, {.method = "POST",
                                   .path = path.collection(object.namespace_name),
                                   .content_type = "application/json",
                                   .body = std::move(json)});
}

Result<Document> Objects::patch(const PatchRequest& request) {
  STRAKE_TRY(std::string path, place(request.object));
  if (!request.subresource.empty()) path += "/" + request.subresource;
  return ask_for_object(cluster_, {.method = "PATCH",
                                   .path = std::move(path),
                                   .content_type = std::string(media_type(request.type)),
                                   .body = request.body});
}

Result<bool> Objects::remove(const ObjectRef& object) {
  STRAKE_TRY(std::string path, place(object));
  const auto answer = cluster_.send({.method = "DELETE",
                                     .path = std::move(path),
                                     .content_type = "application/json",
                                     .body = R"({"propagationPolicy":"Background"})"});
  if (answer) return true;
  if (answer.error().code() == Code::kNotFound) return false;
  return std::unexpected(answer.error());
}

}  // namespace strake::kube
