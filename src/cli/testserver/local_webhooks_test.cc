#include "cli/testserver/local_webhooks.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

std::string rewritten(std::string_view json, const LocalWebhooks& webhooks) {
  value::Document document = value::read_json(json).value();
  use_local_webhooks(document.root(), webhooks, document.arena());
  return value::to_json(document.root());
}

const LocalWebhooks kLocal{.address = "127.0.0.1:9443", .ca_pem = "CA"};

TEST(LocalWebhooks, TakeThePlaceOfServicesInConfigurations) {
  EXPECT_EQ(
      rewritten(R"({"kind":"ValidatingWebhookConfiguration","webhooks":[)"
                R"({"clientConfig":{"caBundle":"eA==","service":{"name":"s","path":"/judge"}}},)"
                R"({"clientConfig":{"service":{"name":"s"}}}]})",
                kLocal),
      R"({"kind":"ValidatingWebhookConfiguration","webhooks":[)"
      R"({"clientConfig":{"caBundle":"Q0E=","url":"https://127.0.0.1:9443/judge"}},)"
      R"({"clientConfig":{"caBundle":"Q0E=","url":"https://127.0.0.1:9443"}}]})");
}

TEST(LocalWebhooks, TakeThePlaceOfServicesThatConvertAndOfThoseInLists) {
  EXPECT_EQ(rewritten(R"({"kind":"List","items":[{"kind":"CustomResourceDefinition","spec":)"
                      R"({"conversion":{"webhook":{"clientConfig":{"service":{"path":"c"}}}}}}]})",
                      kLocal),
            R"({"items":[{"kind":"CustomResourceDefinition","spec":{"conversion":{"webhook":)"
            R"({"clientConfig":{"caBundle":"Q0E=","url":"https://127.0.0.1:9443/c"}}}}}],)"
            R"("kind":"List"})");
}

TEST(LocalWebhooks, LeaveUrlsAndAllElseAsTheyAre) {
  for (
      const char* json :
      {R"({"kind":"MutatingWebhookConfiguration","webhooks":[{"clientConfig":{"url":"https://x"}}]})",
       R"({"clientConfig":{"service":{}},"kind":"ConfigMap"})",
       R"({"kind":"CustomResourceDefinition","spec":{}})",
       R"({"kind":"ValidatingWebhookConfiguration"})"})
    EXPECT_EQ(rewritten(json, kLocal), json);
  const char* service =
      R"({"kind":"MutatingWebhookConfiguration","webhooks":[{"clientConfig":{"service":{}}}]})";
  EXPECT_EQ(rewritten(service, {}), service);
}

}  // namespace
}  // namespace strake::cli
