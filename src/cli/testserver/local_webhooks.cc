#include "cli/testserver/local_webhooks.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "value/fields.h"

namespace strake::cli {
namespace {

using value::text_of;
using value::Value;

void rewrite(Value* config, const LocalWebhooks& webhooks, Arena& arena) {
  Value* service = config != nullptr ? config->find("service") : nullptr;
  if (service == nullptr || !service->is_object()) return;
  const std::string_view path = text_of(*service, "path");
  const std::string url = fmt::format("https://{}{}{}", webhooks.address,
                                      path.empty() || path.starts_with('/') ? "" : "/", path);
  config->remove("service");
  config->set("url", Value::string(arena.copy(url)), arena);
  if (!webhooks.ca_pem.empty())
    config->set("caBundle", Value::string(arena.copy(base64_encode(webhooks.ca_pem))), arena);
}

}  // namespace

void use_local_webhooks(Value& object, const LocalWebhooks& webhooks, Arena& arena) {
  if (webhooks.address.empty()) return;
  const std::string_view kind = text_of(object, "kind");
  if (Value* items = object.find("items"); items != nullptr && kind.ends_with("List")) {
    for (Value& one : items->mutable_items()) use_local_webhooks(one, webhooks, arena);
  } else if (kind == "ValidatingWebhookConfiguration" || kind == "MutatingWebhookConfiguration") {
    Value* all = object.find("webhooks");
    if (all == nullptr) return;
    for (Value& one : all->mutable_items()) rewrite(one.find("clientConfig"), webhooks, arena);
  } else if (kind == "CustomResourceDefinition") {
    Value* at = object.find("spec");
    for (const char* key : {"conversion", "webhook", "clientConfig"})
      at = at != nullptr ? at->find(key) : nullptr;
    rewrite(at, webhooks, arena);
  }
}

}  // namespace strake::cli
