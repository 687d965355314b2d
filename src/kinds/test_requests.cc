#include "kinds/test_requests.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/rfc3339.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds::testing {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

Document parsed(std::string_view json) {
  auto read = value::read_json(json);
  if (!read) {
    std::fprintf(stderr, "a test has bad JSON: %s\n", read.error().message().c_str());
    std::abort();
  }
  return *std::move(read);
}

std::string refusal(const FieldErrors& errors) {
  std::vector<std::string> texts;
  for (const value::FieldError& error : errors) texts.push_back(error.to_string());
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::string out = "422: ";
  for (const std::string& text : texts) out += (out.size() > 5 ? "; " : "") + text;
  return out;
}

Result<> decode(const Resource& resource, Document& document) {
  STRAKE_CHECK(meta::read_shape(document.root(), resource.strategy->shape(), document.arena(),
                                {.from_text = true}));
  Value& metadata = *document.root().find("metadata");
  if (resource.namespaced && metadata.find("namespace") == nullptr)
    metadata.set("namespace", Value::string("ns"), document.arena());
  resource.strategy->apply_defaults(document.root(), document.arena());
  return {};
}

WriteRequest request_for(const Resource& resource) {
  return {.resource = resource, .version = resource.versions.front()};
}

}  // namespace

const Resource& builtin(std::string_view group, std::string_view plural) {
  for (const ResourcePtr& one : builtin_resources()) {
    if (one->group == group && one->plural == plural) return *one;
  }
  std::fprintf(stderr, "no built-in resource %s\n", std::string(plural).c_str());
  std::abort();
}

std::string create(const Resource& resource, std::string_view json) {
  Document document = parsed(json);
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  const WriteRequest request = request_for(resource);
  resource.strategy->prepare_create(document.root(), document.arena(), request);
  const FieldErrors errors = resource.strategy->check_create(document.root(), request)->errors;
  return errors.empty() ? value::to_json(document.root()) : refusal(errors);
}

std::string update(const Resource& resource, std::string_view stored_json, std::string_view json) {
  Document stored = parsed(stored_json);
  Document document = parsed(json);
  if (!decode(resource, stored)) return "the stored object is bad";
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  const WriteRequest request = request_for(resource);
  resource.strategy->prepare_update(document.root(), stored.root(), document.arena(), request);
  const FieldErrors errors =
      resource.strategy->validate_update(document.root(), stored.root(), request);
  return errors.empty() ? value::to_json(document.root()) : refusal(errors);
}

std::string update_status(const Resource& resource, std::string_view subresource,
                          std::string_view stored_json, std::string_view json) {
  Document stored = parsed(stored_json);
  Document document = parsed(json);
  if (!decode(resource, stored)) return "the stored object is bad";
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  const WriteRequest request = request_for(resource);
  prepare_write(*resource.strategy, subresource, document.root(), stored.root(), document.arena(),
                request);
  const FieldErrors errors =
      subresource == "finalize"
          ? resource.strategy->validate_other(document.root(), stored.root(), request)
          : resource.strategy->validate_status(document.root(), stored.root(), request);
  return errors.empty() ? value::to_json(document.root()) : refusal(errors);
}

std::string row(const Resource& resource, std::string_view json, std::string_view now) {
  Document document = parsed(json);
  if (!decode(resource, document)) return "the object is bad";
  std::vector<Value> cells;
  resource.strategy->cells(document.root(), parse_rfc3339(now)->to_wall(), cells, document.arena());
  std::string out = "[";
  for (const Value& cell : cells) out += (out.size() > 1 ? "," : "") + value::to_json(cell);
  return out + "]";
}

}  // namespace strake::kinds::testing
