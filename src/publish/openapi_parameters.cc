#include "publish/openapi_parameters.h"

#include <fmt/format.h>

#include <array>

#include "publish/json_text.h"

namespace strake::publish {
namespace {

struct Row {
  Parameter parameter;
  std::string_view name;
  std::string_view type;
  // The last part of the name under which v2 shares it. kube-apiserver 1.36 makes it of the
  // parameter's text; clients follow the name, so it is kept. Empty when it is written out in each
  // operation.
  std::string_view shared;
  std::string_view description;
};

constexpr Row kRows[] = {
    {Parameter::kAllowWatchBookmarks, "allowWatchBookmarks", "boolean", "HC2hJt-J",
     "With watch: events of type BOOKMARK may be sent, which carry a resource version only."},
    {Parameter::kContinue, "continue", "string", "QfD61s0i",
     "Where to go on: what the metadata of the page before gave. All other parameters must be the "
     "same as for that page."},
    {Parameter::kDryRun, "dryRun", "string", "",
     "With the value All the request goes through every step but is not stored."},
    {Parameter::kFieldManager, "fieldManager", "string", "Qy4HdaTW",
     "Who makes the change: up to 128 printable characters. Without it the user agent tells."},
    {Parameter::kFieldManagerOfPatch, "fieldManager", "string", "7c6nTn1T",
     "Who makes the change: up to 128 printable characters. An apply patch must have it."},
    {Parameter::kFieldSelector, "fieldSelector", "string", "xIcQKXFG",
     "Only objects whose fields have these values: metadata.name=a,spec.b!=c."},
    {Parameter::kFieldValidation, "fieldValidation", "string", "",
     "What becomes of unknown and duplicate fields: Ignore drops them, Warn (the default) also "
     "says so in warnings, Strict refuses the request."},
    {Parameter::kForce, "force", "boolean", "tOGGb0Yi",
     "Take over fields that other managers own. For apply patches only."},
    {Parameter::kGracePeriodSeconds, "gracePeriodSeconds", "integer", "-K5HaBOS",
     "How long the object may take to end; 0 is at once."},
    {Parameter::kIgnoreStoreReadError, "ignoreStoreReadErrorWithClusterBreakingPotential",
     "boolean", "QbNkfIqj", "Delete the object even if it cannot be read from the store. Unsafe."},
    {Parameter::kLabelSelector, "labelSelector", "string", "5Zw57w4C",
     "Only objects whose labels match: a=b,c in (d,e),!f."},
    {Parameter::kLimit, "limit", "integer", "1NfNmdNH",
     "How many objects to answer at most; the metadata of the list says where to go on. All pages "
     "show the collection as it was at the first."},
    {Parameter::kNamespace, "namespace", "string", "vgWSWtn3", "The namespace of the object."},
    {Parameter::kOrphanDependents, "orphanDependents", "boolean", "uRB25kX5",
     "Not to be used any more: see propagationPolicy."},
    {Parameter::kPretty, "pretty", "string", "tJGM1-ng",
     "With the value true the answer is indented, which browsers and curl get without asking."},
    {Parameter::kPropagationPolicy, "propagationPolicy", "string", "6jk3prlO",
     "What becomes of dependents: Orphan, Background or Foreground."},
    {Parameter::kResourceVersion, "resourceVersion", "string", "5WAnf1kx",
     "Which state to answer from: any when 0, at least as new as another number, the newest when "
     "it is not given. A watch starts after it."},
    {Parameter::kResourceVersionMatch, "resourceVersionMatch", "string", "t8XhRHeC",
     "How resourceVersion is meant: NotOlderThan or Exact."},
    {Parameter::kSendInitialEvents, "sendInitialEvents", "boolean", "rLXlEK_k",
     "With watch: start with an event for each object there is, and a bookmark after the last. "
     "resourceVersionMatch must be NotOlderThan."},
    {Parameter::kShardSelector, "shardSelector", "string", "Kgyki_3_",
     "Only the objects of one shard of the collection."},
    {Parameter::kTimeoutSeconds, "timeoutSeconds", "integer", "yvYezaOC",
     "How long a list or a watch may take."},
    {Parameter::kWatch, "watch", "boolean", "XNNPZGbK",
     "Answer a stream of changes instead of a list."},
};

bool in_path(Parameter parameter) { return parameter == Parameter::kNamespace; }

std::string text_v3(const Row& row) {
  std::string out;
  JsonText json(out);
  json.open_object()
      .field("description", row.description)
      .field("in", in_path(row.parameter) ? "path" : "query")
      .field("name", row.name);
  if (in_path(row.parameter)) json.key("required").boolean(true);
  json.object("schema").field("type", row.type).key("uniqueItems").boolean(true).close_object();
  json.close_object();
  return out;
}

std::string text_v2(const Row& row) {
  std::string out;
  JsonText json(out);
  json.open_object()
      .field("description", row.description)
      .field("in", in_path(row.parameter) ? "path" : "query")
      .field("name", row.name);
  if (in_path(row.parameter)) json.key("required").boolean(true);
  json.field("type", row.type).key("uniqueItems").boolean(true).close_object();
  return out;
}

struct Texts {
  std::array<std::string, kParameterCount> v3;
  std::array<std::string, kParameterCount> v2;
  std::string shared;
};

std::string body_v2(bool required, std::string_view schema) {
  return fmt::format(R"({{"in":"body","name":"body"{},"schema":{{"$ref":"#/definitions/)"
                     R"(io.k8s.apimachinery.pkg.apis.meta.v1.{}"}}}})",
                     required ? R"(,"required":true)" : "", schema);
}

Texts make_texts() {
  Texts out;
  JsonText shared(out.shared);
  for (const Row& row : kRows) {
    // The two of deletions and patches come where their name is due.
    if (row.parameter == Parameter::kContinue) {
      shared.key("body-2Y1dVQaQ").raw(body_v2(false, "DeleteOptions"));
      shared.key("body-78PwaGsr").raw(body_v2(true, "Patch"));
    }
    const auto at = static_cast<std::size_t>(row.parameter);
    out.v3[at] = text_v3(row);
    if (row.shared.empty()) {
      out.v2[at] = text_v2(row);
      continue;
    }
    const std::string name = fmt::format("{}-{}", row.name, row.shared);
    out.v2[at] = fmt::format(R"({{"$ref":"#/parameters/{}"}})", name);
    shared.key(name).raw(text_v2(row));
  }
  return out;
}

const Texts& texts() {
  static const Texts all = make_texts();
  return all;
}

}  // namespace

std::string_view parameter_v3(Parameter parameter) {
  return texts().v3[static_cast<std::size_t>(parameter)];
}

std::string_view parameter_v2(Parameter parameter) {
  return texts().v2[static_cast<std::size_t>(parameter)];
}

std::string name_parameter_v3(std::string_view kind) {
  return fmt::format(R"({{"description":"The name of the {}.","in":"path","name":"name",)"
                     R"("required":true,"schema":{{"type":"string","uniqueItems":true}}}})",
                     kind);
}

std::string name_parameter_v2(std::string_view kind) {
  return fmt::format(R"({{"description":"The name of the {}.","in":"path","name":"name",)"
                     R"("required":true,"type":"string","uniqueItems":true}})",
                     kind);
}

const std::string& shared_parameters_v2() { return texts().shared; }

}  // namespace strake::publish
