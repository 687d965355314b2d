#include "kinds/test_requests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>

#include "base/lines.h"
#include "base/rfc3339.h"
#include "kinds/service_ranges.h"
#include "kinds/workloads/workload_resources.h"
#include "meta/object_meta.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

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

// What the server picks, in a server of its default ranges on which nothing is taken.
std::optional<std::string> pick(const Resource& resource, Document& document, const Value* old) {
  if (!resource.picks_addresses) return std::nullopt;
  static const ServiceRanges& ranges = *new ServiceRanges(default_service_ranges());
  DryRunPool pool(ranges, [](std::int64_t) { return false; });
  const auto picked = pick_addresses(document.root(), old, document.arena(), pool);
  if (picked) return std::nullopt;
  return picked.error().failure.empty() ? refusal(picked.error().errors)
                                        : "500: " + picked.error().failure;
}

WriteRequest request_for(const Resource& resource) {
  return {
      .resource = resource, .version = resource.versions.front(), .now = "2001-02-03T04:05:06Z"};
}

}  // namespace

const Resource& builtin(std::string_view group, std::string_view plural) {
  for (const auto* all : {&builtin_resources(), &workload_resources()}) {
    for (const ResourcePtr& one : *all) {
      if (one->group == group && one->plural == plural) return *one;
    }
  }
  std::fprintf(stderr, "no built-in resource %s\n", std::string(plural).c_str());
  std::abort();
}

std::string create(const Resource& resource, std::string_view json, const Admit& admit) {
  Document document = parsed(json);
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  if (admit) admit(document.root(), document.arena());
  if (const auto refused = pick(resource, document, nullptr)) return *refused;
  const WriteRequest request = request_for(resource);
  resource.strategy->prepare_create(document.root(), document.arena(), request);
  const FieldErrors errors = resource.strategy->check_create(document.root(), request)->errors;
  resource.strategy->after_accept(document.root(), document.arena());
  return errors.empty() ? value::to_json(document.root()) : refusal(errors);
}

std::string update(const Resource& resource, std::string_view stored_json, std::string_view json) {
  Document stored = parsed(stored_json);
  Document document = parsed(json);
  if (!decode(resource, stored)) return "the stored object is bad";
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  if (const auto refused = pick(resource, document, &stored.root())) return *refused;
  const WriteRequest request = request_for(resource);
  resource.strategy->prepare_update(document.root(), stored.root(), document.arena(), request);
  const FieldErrors errors =
      resource.strategy->validate_update(document.root(), stored.root(), request);
  resource.strategy->after_accept(document.root(), document.arena());
  return errors.empty() ? value::to_json(document.root()) : refusal(errors);
}

std::string update_status(const Resource& resource, std::string_view subresource,
                          std::string_view stored_json, std::string_view json) {
  Document stored = parsed(stored_json);
  Document document = parsed(json);
  if (!decode(resource, stored)) return "the stored object is bad";
  if (auto decoded = decode(resource, document); !decoded)
    return "400: " + decoded.error().message();
  WriteRequest request = request_for(resource);
  request.subresource = subresource;
  prepare_write(*resource.strategy, subresource, document.root(), stored.root(), document.arena(),
                request);
  const FieldErrors errors =
      subresource == "status"
          ? resource.strategy->validate_status(document.root(), stored.root(), request)
          : resource.strategy->validate_other(document.root(), stored.root(), request);
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

namespace {

// What stands for the end of a generated name.
constexpr std::string_view kSuffix = "00sfx";

// As the recorded requests got theirs.
void give_name(Value& metadata, Arena& arena) {
  if (!value::text_of(metadata, "name").empty()) return;
  const std::string_view prefix = value::text_of(metadata, "generateName");
  const std::string name = prefix.empty() ? "x" : fmt::format("{}{}", prefix, kSuffix);
  metadata.set("name", Value::string(arena.copy(name)), arena);
}

// As recordings have it: without the generation, and with all uids, times, versions and ports
// alike.
std::string as_recorded(const std::string& answer) {
  static const std::regex& uid = *new std::regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  static const std::regex& whole_uid = *new std::regex(R"("uid":"[^"]+")");
  static const std::regex& version = *new std::regex(R"("resourceVersion":"[^"]+")");
  static const std::regex& port = *new std::regex(R"(127\.0\.0\.1:[0-9]{4,})");
  static const std::regex& time =
      *new std::regex(R"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)");
  static const std::regex& suffix = *new std::regex(std::string(kSuffix));
  if (!answer.starts_with('{')) return std::regex_replace(answer, suffix, "<sfx>");
  Document object = parsed(answer);
  if (Value* metadata = object.root().find("metadata"); metadata != nullptr)
    metadata->remove("generation");
  std::string out = value::to_json(object.root());
  out = std::regex_replace(out, uid, R"(\u003cuid\u003e)");
  out = std::regex_replace(out, whole_uid, R"("uid":"\u003cuid\u003e")");
  out = std::regex_replace(out, version, R"("resourceVersion":"\u003crv\u003e")");
  out = std::regex_replace(out, suffix, R"(\u003csfx\u003e)");
  out = std::regex_replace(out, time, R"(\u003ctime\u003e)");
  return std::regex_replace(out, port, R"(127.0.0.1:\u003cport\u003e)");
}

// The Warning headers of an accepted create, sorted, as recordings have them.
std::vector<std::string> warning_headers(const Resource& resource, const std::string& accepted) {
  const Document object = parsed(accepted);
  std::vector<std::string> texts = resource.strategy->warnings(object.root(), nullptr);
  for (std::string& text :
       meta::finalizer_warnings(meta::ObjectMeta::of(object.root()), meta::ObjectMeta(nullptr))) {
    texts.push_back(std::move(text));
  }
  if (const std::string& old = resource.versions.front().deprecation_warning; !old.empty())
    texts.push_back(old);
  for (std::string& text : texts) {
    std::string escaped;
    for (const char c : text) escaped.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
    text = fmt::format("299 - \"{}\"", escaped);
  }
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

std::vector<std::string> recorded_warnings(const Value& verdict) {
  std::vector<std::string> out;
  for (const Value& one : verdict.get("warnings").items()) out.emplace_back(value::text_of(one));
  return out;
}

// "422: a; b" of a recorded Status, as create() says it.
std::string recorded_refusal(const Value& status) {
  std::vector<std::string> causes;
  for (const Value& one : status.get("details").get("causes").items())
    causes.push_back(
        fmt::format("{}: {}", value::text_of(one, "field"), value::text_of(one, "message")));
  std::ranges::sort(causes);
  causes.erase(std::unique(causes.begin(), causes.end()), causes.end());
  return fmt::format("422: {}", fmt::join(causes, "; "));
}

}  // namespace

void expect_recorded_verdicts(const std::filesystem::path& folder, std::string_view kind,
                              const Resource& resource, std::size_t least, const Admit& admit,
                              Compare compare) {
  std::size_t played = 0;
  const std::string verdicts = strake::testing::read_file(folder / "verdicts.jsonl");
  for (std::string_view rest = verdicts; !rest.empty();) {
    const auto verdict = value::read_json(take_line(rest));
    ASSERT_TRUE(verdict);
    const std::string_view file = value::text_of(verdict->root(), "file");
    const std::int64_t code = verdict->root().get("code").as_int();
    if (file.substr(0, file.find('/')) != kind || (code != 201 && code != 422)) continue;
    if (compare == Compare::kAcceptedObjects && code != 201) continue;
    auto manifest = value::read_yaml(strake::testing::read_file(folder / "manifests" / file));
    ASSERT_TRUE(manifest) << file;
    Value& metadata = manifest->root().object_at("metadata", manifest->arena());
    // What the server makes anew, and managedFields, which it drops when they make no sense.
    for (const std::string_view key :
         {"managedFields", "creationTimestamp", "uid", "resourceVersion", "selfLink",
          "deletionTimestamp", "deletionGracePeriodSeconds"})
      metadata.remove(key);
    // The path says it, for kinds that have one.
    metadata.remove("namespace");
    if (resource.namespaced) metadata.set("namespace", Value::string("default"), manifest->arena());
    give_name(metadata, manifest->arena());
    const std::string given = create(resource, value::to_json(manifest->root()), admit);
    const std::string answer = as_recorded(given);
    EXPECT_EQ(answer, code == 201 ? value::to_json(verdict->root().get("object"))
                                  : recorded_refusal(verdict->root().get("status")))
        << file;
    if (compare == Compare::kAll && code == 201 && answer.starts_with('{')) {
      EXPECT_EQ(warning_headers(resource, given), recorded_warnings(verdict->root())) << file;
    }
    ++played;
  }
  EXPECT_GE(played, strake::testing::count_in<std::size_t>(folder, least, 0));
}

}  // namespace strake::kinds::testing
