#include "recorded_writes.h"

#include <algorithm>

#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "schema/compile.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {

using value::Document;
using value::Value;

const Value* entries_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  return metadata != nullptr ? metadata->find("managedFields") : nullptr;
}

std::vector<std::string> entries_as_text(const Value& object) {
  std::vector<std::string> out;
  const Value* entries = entries_of(object);
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
    Document copy;
    copy.root() = value::deep_copy(entries->items()[i], copy.arena());
    if (Value* time = copy.root().find("time")) *time = Value::string("<time>");
    out.push_back(value::to_json(copy.root()));
  }
  return out;
}

namespace {

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
    told.versions[fmt::format("{}/{}/{}", text_of(*spec, "group"), text_of(version, "name"),
                              text_of(*spec->find("names"), "plural"))] = {
        *node, subresources != nullptr && subresources->find("status") != nullptr};
  }
}

void restore_times(Value& object) {
  Value* metadata = object.find("metadata");
  Value* entries = metadata != nullptr ? metadata->find("managedFields") : nullptr;
  if (entries == nullptr) return;
  for (Value& entry : entries->mutable_items()) {
    if (Value* time = entry.find("time")) *time = Value::string(kRecordedTime);
  }
}

}  // namespace

Document copy_of(const Value& v) {
  Document out;
  out.root() = value::deep_copy(v, out.arena());
  restore_times(out.root());
  return out;
}

void follow_crds(const Value& step, Conversation& told) {
  const Value* body = step.find("body");
  const std::string_view path = text_of(step, "path");
  constexpr std::string_view kCollection = "/customresourcedefinitions";
  const std::size_t at = path.find(kCollection);
  if (body == nullptr || at == std::string_view::npos) return;
  const Value* expect = step.find("expect");
  if (expect != nullptr && expect->find("code")->as_int() >= 300) return;  // it was refused
  if (text_of(*body, "kind") == "CustomResourceDefinition") {
    Document crd;
    crd.root() = value::deep_copy(*body, crd.arena());
    learn_crd(crd.root(), told);
    told.crds.insert_or_assign(std::string(text_of(*body->find("metadata"), "name")),
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

RecordedTarget target_of(const Value& step) {
  RecordedTarget out;
  std::string_view path = text_of(step, "path");
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
  out.collection = parts[1];
  for (std::size_t i = 3; i <= plural; ++i) out.collection += "/" + parts[i];
  if (parts.size() > plural + 1) out.name = parts[plural + 1];
  if (parts.size() > plural + 2) out.subresource = parts[plural + 2];
  return out;
}

std::string manager_of(const RecordedTarget& target) {
  const std::string_view query = target.query;
  constexpr std::string_view kKey = "fieldManager=";
  const std::size_t at = query.find(kKey);
  if (at == std::string_view::npos) return "Python-urllib";
  const std::string_view rest = query.substr(at + kKey.size());
  return std::string(rest.substr(0, rest.find('&')));
}

bool is_apply(const Value& step) {
  const Value* headers = step.find("headers");
  return headers != nullptr && text_of(*headers, "Content-Type").starts_with("application/apply");
}

Document read_recording(const std::filesystem::path& file) {
  return value::read_json(testing::read_file(file),
                          {.duplicates = value::DuplicatePolicy::kLastWins})
      .value();
}

std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out = testing::files_in(folder, ".json");
  // Webhooks change objects on their way, unseen by the recording.
  std::erase_if(out, [](const std::filesystem::path& file) {
    return testing::read_file(file).find("${caBundle}") != std::string::npos;
  });
  return out;
}

}  // namespace strake::patch
