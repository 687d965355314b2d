// What the webhook answers to reviews, the configuration it prints, and its certificates.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "cli/fake_io.h"
#include "cli/webhook/admission_review.h"
#include "cli/webhook/webhook_certificates.h"
#include "cli/webhook/webhook_command.h"
#include "cli/webhook/webhook_config.h"
#include "http/pki.h"
#include "validate/test_crd.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using value::text_of;

constexpr std::string_view kCubeCrd = R"y(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cubes.example.dev}
spec:
  group: example.dev
  names: {kind: Cube, listKind: CubeList, plural: cubes, singular: cube}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              edge: {type: integer, maximum: 9, x-kubernetes-validations: [{rule: self >= oldSelf, message: cubes grow}]}
)y";
constexpr std::string_view kPolicies = R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: who}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ["", example.dev], apiVersions: [v1], operations: [CREATE, DELETE], resources: [gardens, configmaps]}
  validations:
  - expression: request.userInfo.username != 'mallory'
    messageExpression: "'not in ' + request.namespace"
)y";

class Webhook : public ::testing::Test {
 protected:
  Webhook() {
    folder_.write("crds/gardens.yaml", validate::kGardenCrd);
    folder_.write("crds/cubes.yaml", kCubeCrd);
    folder_.write("policies/who.yaml", kPolicies);
  }

  WebhookOptions options(std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"--schemas",          folder_ / "crds", "--policies",
                                     folder_ / "policies", "--cert-dir",     folder_ / "keys"};
    args.insert(args.end(), more.begin(), more.end());
    const auto parsed = parse_arguments(kWebhookCommand.flags, kWebhookCommand.operands, args);
    EXPECT_TRUE(parsed);
    auto out = read_webhook_options(*parsed, world_.io);
    EXPECT_TRUE(out);
    return *std::move(out);
  }
  Result<std::shared_ptr<const WebhookJudge>> load() {
    return WebhookJudge::load(options().validate, files_, world_.io);
  }

  static std::string review(std::string_view operation, std::string_view object,
                            std::string_view old = "null", std::string_view user = "jane") {
    const auto read = value::read_json(object);
    const std::string kind(read ? text_of(read->root(), "kind") : "");
    return fmt::format(
        R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"u-1",)"
        R"("kind":{{"group":"example.dev","version":"v1","kind":"{}"}},"namespace":"ns",)"
        R"("operation":"{}","userInfo":{{"username":"{}"}},"object":{},"oldObject":{}}}}})",
        kind, operation, user, object, old);
  }
  static std::string garden(std::string_view spec) {
    return fmt::format(
        R"({{"apiVersion":"example.dev/v1","kind":"Garden","metadata":{{"name":"g","namespace":"ns"}},"spec":{}}})",
        spec);
  }
  static std::string cube(std::string_view spec) {
    return fmt::format(
        R"({{"apiVersion":"example.dev/v1","kind":"Cube","metadata":{{"name":"c"}},"spec":{}}})",
        spec);
  }
  // "allowed", or the message; with the warnings behind.
  static std::string ask(const WebhookJudge& judge, std::string_view text) {
    const auto answer = answer_review(text, judge);
    if (!answer) return fmt::format("failed: {}", answer.error().message());
    const auto read = value::read_json(answer->json);
    const value::Value& response = read->root().get("response");
    EXPECT_EQ(text_of(response, "uid"), "u-1");
    EXPECT_EQ(value::flag_of(response, "allowed"), answer->allowed);
    std::string out(answer->allowed ? "allowed" : text_of(response.get("status"), "message"));
    for (const value::Value& one : response.get("warnings").items())
      out += fmt::format(" / {}", text_of(one));
    return out;
  }

  TemporaryFolder folder_;
  FakeWorld world_;
  DiskFiles files_{world_.io};
};

TEST_F(Webhook, AnswersAsTheServerOfTheSchemaWould) {
  const auto loaded = load();
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  const WebhookJudge& judge = **loaded;
  EXPECT_EQ(ask(judge, review("CREATE", garden(R"({"beds":7})"))), "allowed");
  EXPECT_EQ(
      ask(judge, review("CREATE", garden(R"({"beds":700})"))),
      R"(Garden.example.dev "g" is invalid: spec.beds: Invalid value: 700: spec.beds in body )"
      "should be less than or equal to 100");
  EXPECT_EQ(
      ask(judge, review("CREATE", garden(R"({"beds":-1,"owner":"somebody else"})"))),
      R"(Garden.example.dev "g" is invalid: [spec.beds: Invalid value: -1: spec.beds in body )"
      R"(should be greater than or equal to 0, spec.owner: Too long: may not be more than 8 bytes])");
  EXPECT_THAT(ask(judge, review("CREATE", garden(R"({"beds":7,"colour":"red"})"))),
              HasSubstr("allowed / unknown field \"spec.colour\""));
}

TEST_F(Webhook, SaysWhichFieldsAreWrong) {
  const auto judge = load();
  ASSERT_TRUE(judge);
  const auto answer = answer_review(review("CREATE", garden(R"({"beds":700})")), **judge);
  ASSERT_TRUE(answer);
  const auto read = value::read_json(answer->json);
  const value::Value& status = read->root().get("response").get("status");
  EXPECT_EQ(status.get("code").as_int(), 422);
  EXPECT_EQ(text_of(status, "reason"), "Invalid");
  EXPECT_EQ(
      value::to_json(status.get("details")),
      R"({"causes":[{"field":"spec.beds","message":"Invalid value: 700: spec.beds in body should be less than or equal to 100","reason":"FieldValueInvalid"}],"group":"example.dev","kind":"Garden","name":"g"})");
}

TEST_F(Webhook, ComparesWithTheObjectThatIsReplaced) {
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  const WebhookJudge& judge = **loaded;
  EXPECT_EQ(ask(judge, review("UPDATE", cube(R"({"edge":3})"), cube(R"({"edge":4})"))),
            R"(Cube.example.dev "c" is invalid: spec.edge: Invalid value: 3: cubes grow)");
  EXPECT_EQ(ask(judge, review("UPDATE", cube(R"({"edge":4})"), cube(R"({"edge":3})"))), "allowed");
  // What was wrong before and has not changed may stay.
  EXPECT_EQ(ask(judge, review("UPDATE", cube(R"({"edge":12})"), cube(R"({"edge":12})"))),
            "allowed");
  EXPECT_THAT(ask(judge, review("UPDATE", cube(R"({"edge":13})"), cube(R"({"edge":12})"))),
              HasSubstr("should be less than or equal to 9"));
}

TEST_F(Webhook, AsksPoliciesAboutTheRequestItself) {
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  const WebhookJudge& judge = **loaded;
  EXPECT_EQ(ask(judge, review("CREATE", garden(R"({"beds":1})"), "null", "mallory")),
            "ValidatingAdmissionPolicy 'who' denied request: not in ns");
  EXPECT_EQ(
      ask(judge, review("UPDATE", garden(R"({"beds":1})"), garden(R"({"beds":1})"), "mallory")),
      "allowed");
  // Also about kinds that there is no schema for.
  constexpr std::string_view kMap =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"ns"}})";
  EXPECT_EQ(ask(judge, review("CREATE", kMap, "null", "mallory")),
            "ValidatingAdmissionPolicy 'who' denied request: not in ns");
  EXPECT_EQ(ask(judge, review("CREATE", kMap)), "allowed");
}

TEST_F(Webhook, AllowsWhatItKnowsNothingAbout) {
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  const WebhookJudge& judge = **loaded;
  EXPECT_EQ(ask(judge, review("DELETE", "null", garden(R"({"beds":700})"))), "allowed");
  EXPECT_EQ(ask(judge,
                review("CREATE", R"({"apiVersion":"x.io/v1","kind":"Y","metadata":{"name":"y"}})")),
            "allowed");
}

TEST_F(Webhook, RefusesWhatIsNoReview) {
  const auto loaded = load();
  ASSERT_TRUE(loaded);
  for (const auto& [text, want] : std::initializer_list<std::pair<std::string, std::string_view>>{
           {"", "failed: "},
           {"[]", "failed: wants an AdmissionReview of admission.k8s.io/v1"},
           {R"({"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"})",
            "failed: wants an AdmissionReview of admission.k8s.io/v1"},
           {R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"})",
            "failed: the AdmissionReview has no request"},
           {R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}})",
            "failed: the request has no uid"},
           {std::string(2000, '['), "failed: "}}) {
    EXPECT_THAT(ask(**loaded, text), HasSubstr(want));
  }
}

TEST_F(Webhook, DoesNotLoadWhatAServerWouldRefuse) {
  folder_.write("crds/bad.yaml", R"y(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bad.example.dev}
spec:
  group: example.dev
  names: {kind: Bad, listKind: BadList, plural: bad, singular: bad}
  scope: Sideways
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)y");
  const auto loaded = load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().to_string(), HasSubstr("bad.yaml"));
  EXPECT_THAT(loaded.error().to_string(), HasSubstr("spec.scope"));
}

TEST_F(Webhook, PrintsRulesForExactlyTheKindsOfTheSchemas) {
  const auto judge = load();
  ASSERT_TRUE(judge);
  const auto text =
      webhook_configuration(options({"--service", "tools/strake:8443"}), **judge, "PEM");
  ASSERT_TRUE(text) << text.error().to_string();
  const auto read = value::read_yaml(*text);
  ASSERT_TRUE(read);
  EXPECT_EQ(text_of(read->root(), "kind"), "ValidatingWebhookConfiguration");
  const value::Value& hook = read->root().get("webhooks").items().front();
  EXPECT_EQ(
      value::to_json(hook.get("clientConfig")),
      fmt::format(
          R"({{"caBundle":"{}","service":{{"name":"strake","namespace":"tools","path":"/validate","port":8443}}}})",
          base64_encode("PEM")));
  EXPECT_EQ(
      value::to_json(hook.get("rules")),
      R"([{"apiGroups":["example.dev"],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],"resources":["cubes"],"scope":"Cluster"},)"
      R"({"apiGroups":["example.dev"],"apiVersions":["v1","v1beta1"],"operations":["CREATE","UPDATE"],"resources":["gardens"],"scope":"Namespaced"},)"
      R"({"apiGroups":["","example.dev"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["gardens","configmaps"],"scope":"*"}])");
  const auto by_url =
      webhook_configuration(options({"--url", "https://h.example:9"}), **judge, "x");
  ASSERT_TRUE(by_url);
  EXPECT_THAT(*by_url, HasSubstr("url: https://h.example:9/validate\n"));
  EXPECT_FALSE(webhook_configuration(options(), **judge, "x"));
}

TEST_F(Webhook, MakesItsCertificateOnceAndAnewBeforeItRunsOut) {
  FakeClock clock;
  const WebhookOptions used = options({"--service", "tools/strake"});
  const auto first = load_certificates(used, clock);
  ASSERT_TRUE(first) << first.error().to_string();
  const auto info = http::read_certificate(first->tls.certificate_pem);
  ASSERT_TRUE(info);
  EXPECT_THAT(info->dns_names, ::testing::Contains("strake.tools.svc"));
  const auto again = load_certificates(used, clock);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tls.certificate_pem, first->tls.certificate_pem);
  clock.advance(std::chrono::hours(24 * 340));
  const auto renewed = load_certificates(used, clock);
  ASSERT_TRUE(renewed);
  EXPECT_NE(renewed->tls.certificate_pem, first->tls.certificate_pem);
  EXPECT_EQ(renewed->ca_pem, first->ca_pem);
  EXPECT_GT(renewed->good_until, first->good_until);
  // Another name, another certificate of the same authority.
  const auto renamed = load_certificates(options({"--service", "other/strake"}), clock);
  ASSERT_TRUE(renamed);
  EXPECT_NE(renamed->tls.certificate_pem, renewed->tls.certificate_pem);
  EXPECT_EQ(renamed->ca_pem, first->ca_pem);
}

TEST_F(Webhook, SaysWhatIsWrongWithItsFlags) {
  const auto said = [&](std::vector<std::string> args) {
    FakeWorld world;
    args.insert(args.begin(), "webhook");
    EXPECT_EQ(world.run(args), ExitCode::kInput);
    return world.err.text();
  };
  EXPECT_THAT(said({}), HasSubstr("nothing to judge by"));
  EXPECT_THAT(said({"-s", folder_ / "crds", "--service", "strake"}), HasSubstr("NAMESPACE/NAME"));
  EXPECT_THAT(said({"-s", folder_ / "crds", "--url", "http://x"}), HasSubstr("https"));
  EXPECT_THAT(said({"-s", folder_ / "crds", "--tls-cert", "x"}), HasSubstr("together"));
  EXPECT_THAT(said({"-s", folder_ / "none"}), HasSubstr("none"));
}

}  // namespace
}  // namespace strake::cli
