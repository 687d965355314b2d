#include "cli/testserver/initial_objects.h"

#include <map>

#include "cli/io/documents.h"
#include "cli/io/files.h"
#include "http/message.h"
#include "kube/applier.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::cli {
namespace {

// Of one file.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

using value::text_of;

// Fails with what the server says of a definition that it does not serve.
Result<> check_established(const value::Value& definition, const kube::Client& cluster) {
  if (text_of(definition, "kind") != "CustomResourceDefinition") return {};
  const std::string_view name = text_of(definition.get("metadata"), "name");
  STRAKE_TRY(const std::string text,
             cluster.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" +
                         http::percent_encode(name)));
  STRAKE_TRY(const value::Document now, value::read_json(text));
  std::string why;
  for (const value::Value& one : now.root().get("status").get("conditions").items()) {
    const bool is_true = text_of(one, "status") == "True";
    const std::string_view type = text_of(one, "type");
    if (type == "Established" && is_true) return {};
    if (!is_true && (type == "NamesAccepted" || type == "Established"))
      why += fmt::format(": {}", text_of(one, "message"));
  }
  return fail(Code::kConflict, "is not served{}", why);
}

}  // namespace

Result<> apply_files(const std::vector<std::string>& operands, const LocalWebhooks& webhooks,
                     const kube::Client& cluster, Io& io) {
  STRAKE_TRY(const std::vector<std::string> names, find_inputs(operands, io));
  std::vector<Documents> files;
  files.reserve(names.size());
  for (const std::string& name : names) {
    STRAKE_TRY(const std::string text, read_input(name, kMostBytes, io));
    STRAKE_TRY(Documents documents, read_documents(text, name, {}));
    files.push_back(std::move(documents));
  }
  std::vector<const value::Value*> objects;
  std::map<const value::Value*, const std::string*> file_of;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (value::Document& one : files[i].items) {
      use_local_webhooks(one.root(), webhooks, one.arena());
      for (const value::Value* object : kube::in_apply_order({&one.root()})) {
        objects.push_back(object);
        file_of.emplace(object, &names[i]);
      }
    }
  }
  kube::Applier applier(cluster, {.force = true});
  for (const value::Value* object : kube::in_apply_order(objects)) {
    Result<> done;
    if (const auto applied = applier.apply(*object); !applied)
      done = std::unexpected(applied.error());
    if (done) done = check_established(*object, cluster);
    if (!done)
      return fail(done.error().code(), "{}: {}: {}", *file_of.at(object),
                  kube::object_title(*object), done.error().message());
  }
  return {};
}

}  // namespace strake::cli
