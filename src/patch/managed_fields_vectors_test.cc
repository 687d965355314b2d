// Drives update_managed_fields() with the objects of recorded conversations: from what was stored
// before and what was stored after follows who owns what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "patch/json_patch.h"
#include "patch/managed_fields.h"
#include "patch/merge_patch.h"
#include "schema/compile.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kTime = "2024-01-01T00:00:00Z";

std::string_view text_at(const Value& v, std::string_view key) {
  const Value* found = v.find(key);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

const Value* entries_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  return metadata != nullptr ? metadata->find("managedFields") : nullptr;
}

// Entries without their times (but for whether they have one), in any order: which second a write
// fell into is not in a recording.
std::vector<std::string> entries_as_text(const Value& object) {
  std::vector<std::string> out;
  const Value* entries = entries_of(object);
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
    Document copy;
    copy.root() = value::deep_copy(entries->items()[i], copy.arena());
    if (Value* time = copy.root().find("time")) *time = Value::string("<time>");
    out.push_back(value::to_json(copy.root()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

struct Version {
  schema::NodePtr schema;
  bool status = false;
};

// What a conversation has told so far.
struct Conversation {
  std::map<std::string, Version> versions;  // by group/version/plural
  std::map<std::string, Document> stored;   // by path
  std::map<std::string, Document> crds;     // by name
};

void learn_crd(const Value& crd, Conversation& told) {
  const Value* spec = crd.find("spec");
  if (spec == nullptr || spec->find("versions") == nullptr || spec->find("names") == nullptr)
    return;
  for (const Value& version : spec->find("versions")->items()) {
    const Value* schema = version.find("schema");
    if (schema == nullptr || schema->find("openAPIV3Schema") == nullptr) continue;
    auto node = schema::compile(*schema->find("openAPIV3Schema"));
    if (!node) continue;
    const Value* subresources = version.find("subresources");
    told.versions[fmt::format("{}/{}/{}", text_at(*spec, "group"), text_at(version, "name"),
                              text_at(*spec->find("names"), "plural"))] = {
        *node, subresources != nullptr && subresources->find("status") != nullptr};
  }
}

// Follows CRDs that are posted, replaced or patched.
void follow_crds(const Value& step, Conversation& told) {
  const Value* body = step.find("body");
  const std::string_view path = text_at(step, "path");
  constexpr std::string_view kCollection = "/customresourcedefinitions";
  const std::size_t at = path.find(kCollection);
  if (body == nullptr || at == std::string_view::npos) return;
  if (text_at(*body, "kind") == "CustomResourceDefinition") {
    Document crd;
    crd.root() = value::deep_copy(*body, crd.arena());
    learn_crd(crd.root(), told);
    told.crds.insert_or_assign(std::string(text_at(*body->find("metadata"), "name")),
                               std::move(crd));
    return;
  }
  std::string_view name = path.substr(at + kCollection.size());
  name = name.substr(0, name.find('?'));
  if (name.starts_with('/')) name.remove_prefix(1);
  const auto crd = told.crds.find(std::string(name));
  if (crd == told.crds.end()) return;
  Document& document = crd->second;
  document.root() = body->is_array()
                        ? apply_json_patch(document.root(), *body, document.arena()).value()
                        : apply_merge_patch(document.root(), *body, document.arena());
  learn_crd(document.root(), told);
}

// /apis/group/version[/namespaces/ns]/plural[/name[/subresource]]?query
struct Target {
  std::string version_key;
  std::string api_version;
  std::string collection;
  std::string name;
  std::string subresource;
  std::string query;
};

Target target_of(std::string_view path) {
  Target out;
  const std::size_t mark = path.find('?');
  if (mark != std::string_view::npos) out.query = path.substr(mark + 1);
  path = path.substr(0, mark);
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t slash = path.find('/');
    parts.emplace_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash);
  }
  if (parts.size() < 4 || parts[0] != "apis") return out;
  const std::size_t plural = parts[3] == "namespaces" && parts.size() > 5 ? 5 : 3;
  out.api_version = parts[1] + "/" + parts[2];
  out.version_key = out.api_version + "/" + parts[plural];
  // Other versions show the same object.
  out.collection = parts[1];
  for (std::size_t i = 3; i <= plural; ++i) out.collection += "/" + parts[i];
  if (parts.size() > plural + 1) out.name = parts[plural + 1];
  if (parts.size() > plural + 2) out.subresource = parts[plural + 2];
  return out;
}

std::string manager_of(std::string_view query) {
  constexpr std::string_view kKey = "fieldManager=";
  const std::size_t at = query.find(kKey);
  if (at == std::string_view::npos) return "Python-urllib";
  const std::string_view rest = query.substr(at + kKey.size());
  return std::string(rest.substr(0, rest.find('&')));
}

bool is_apply(const Value& step) {
  const Value* headers = step.find("headers");
  return headers != nullptr && text_at(*headers, "Content-Type").starts_with("application/apply");
}

// The entries a client sent along, which may be a way to edit them.
const Value* sent_entries(const Value& step) {
  const Value* body = step.find("body");
  return body != nullptr && body->is_object() ? entries_of(*body) : nullptr;
}

bool is_write(const Value& step) {
  const std::string_view method = text_at(step, "method");
  return (method == "POST" || method == "PUT" || method == "PATCH") && !is_apply(step);
}

// Recorded times are no times.
void restore_times(Value& object) {
  Value* metadata = object.find("metadata");
  Value* entries = metadata != nullptr ? metadata->find("managedFields") : nullptr;
  if (entries == nullptr) return;
  for (Value& entry : entries->mutable_items()) {
    if (Value* time = entry.find("time")) *time = Value::string(kTime);
  }
}

Document copy_of(const Value& v) {
  Document out;
  out.root() = value::deep_copy(v, out.arena());
  restore_times(out.root());
  return out;
}

void check_write(const Value& step, const Value& after, const Target& target,
                 const Version& version, const Conversation& told, const std::string& key) {
  const auto before = told.stored.find(key);
  const Value* old = before != told.stored.end() ? &before->second.root() : nullptr;
  Document object = copy_of(after);
  Value& metadata = *object.root().find("metadata");
  metadata.remove("managedFields");
  const Value* sent = sent_entries(step);
  if (sent == nullptr && old != nullptr) sent = entries_of(*old);
  // Metadata of a custom resource in its canonical form has no empty list.
  if (sent != nullptr && sent->size() != 0) {
    metadata.set("managedFields", value::deep_copy(*sent, object.arena()), object.arena());
  } else if (old != nullptr && entries_of(*old) != nullptr) {
    metadata.set("managedFields", value::deep_copy(*entries_of(*old), object.arena()),
                 object.arena());
  }
  const std::string manager = manager_of(target.query);
  WriteContext context{.manager = manager,
                       .api_version = target.api_version,
                       .subresource = target.subresource,
                       .time = kTime};
  if (target.subresource == "status") {
    context.reset = {"metadata", "spec"};
  } else if (version.status) {
    context.reset = {"status"};
  }
  Arena arena;
  update_managed_fields(object.root(), old, version.schema.get(), context, arena);
  EXPECT_EQ(entries_as_text(object.root()), entries_as_text(after));
}

// How many writes were checked.
int play(const std::filesystem::path& file) {
  const Document recording = value::read_json(::strake::testing::read_file(file),
                                              {.duplicates = value::DuplicatePolicy::kLastWins})
                                 .value();
  const Value* steps = recording.root().find("steps");
  if (steps == nullptr) return 0;
  Conversation told;
  int checked = 0;
  for (const Value& step : steps->items()) {
    SCOPED_TRACE(file.filename().string() + " " + std::string(text_at(step, "id")));
    follow_crds(step, told);
    const Value* expect = step.find("expect");
    const Value* after = expect != nullptr ? expect->find("body") : nullptr;
    if (after == nullptr || !after->is_object()) continue;
    const Target target = target_of(text_at(step, "path"));
    // What is deleted at once is answered with a Status.
    if (text_at(step, "method") == "DELETE" && text_at(*after, "status") == "Success")
      told.stored.erase(target.collection + "/" + target.name);
    const auto version = told.versions.find(target.version_key);
    const Value* metadata = after->find("metadata");
    if (version == told.versions.end() || metadata == nullptr ||
        text_at(*after, "apiVersion") != target.api_version) {
      continue;
    }
    const std::string key = target.collection + "/" + std::string(text_at(*metadata, "name"));
    if (text_at(*metadata, "name").empty()) continue;
    if (is_write(step)) {
      check_write(step, *after, target, version->second, told, key);
      ++checked;
    }
    if (target.query.find("dryRun") == std::string::npos)
      told.stored.insert_or_assign(key, copy_of(*after));
  }
  return checked;
}

TEST(ManagedFieldsRecordings, AreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  int checked = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    // Webhooks change objects on their way, unseen by the recording.
    if (entry.path().extension() == ".json" && entry.path().stem() != "http_webhooks")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) checked += play(file);
  RecordProperty("writes", checked);
  EXPECT_GT(checked, 200);
}

}  // namespace
}  // namespace strake::patch
