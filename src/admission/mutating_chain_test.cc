// Policies and webhooks that change the same objects.
#include "admission/mutating_chain.h"

#include <gtest/gtest.h>

#include "admission/policy/policies.h"
#include "admission/webhook/test_hooks.h"
#include "base/base64.h"

namespace strake::admission::testing {
namespace {

class Everything final : public api::Authorizer {
 public:
  Decision authorize(const api::User&, const api::RequestInfo&) const override {
    return {.allowed = true, .reason = {}};
  }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
};

class ChainPart final : public api::testing::TestPart {
 public:
  explicit ChainPart(api::Hub& hub) : webhooks_(hub, system_clock()), policies_(hub, everything_) {}
  std::vector<const api::Admission*> admission() const override {
    return {&chain_, &policies_.validating(), &webhooks_.validating()};
  }
  async::Task<> start(api::Core& core) override {
    webhooks_.use(core);
    co_return co_await policies_.start(core);
  }
  async::Task<> stop() override {
    webhooks_.close();
    co_return co_await policies_.stop();
  }

 private:
  Everything everything_;
  Webhooks webhooks_;
  Policies policies_;
  MutatingChain chain_{policies_.mutating(), webhooks_};
};

class Chained : public Hooked {
 protected:
  Chained() : Hooked([](api::Hub& hub) { return std::make_unique<ChainPart>(hub); }) {
    hooks.say = [](const Asked& asked) {
      const std::string trail(asked.object().get("data").get("trail").as_string());
      return fmt::format(R"("allowed":true,"patchType":"JSONPatch","patch":"{}")",
                         base64_encode(fmt::format(
                             R"([{{"op":"add","path":"/data/trail","value":"{}h"}}])", trail)));
    };
  }
  void policy(std::string_view reinvocation) {
    constexpr std::string_view kGroup = "/apis/admissionregistration.k8s.io/v1/";
    server.create(
        fmt::format("{}mutatingadmissionpolicies", kGroup),
        fmt::format(
            R"j({{"metadata":{{"name":"p"}},"spec":{{"reinvocationPolicy":"{}","matchConstraints":{{)j"
            R"j("resourceRules":[{{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],)j"
            R"j("resources":["configmaps"]}}]}},"mutations":[{{"patchType":"ApplyConfiguration",)j"
            R"j("applyConfiguration":{{"expression":)j"
            R"j("Object{{data: {{'trail': object.data.trail + 'p'}}}}"}}}}]}}}})j",
            reinvocation));
    server.create(fmt::format("{}mutatingadmissionpolicybindings", kGroup),
                  R"j({"metadata":{"name":"p"},"spec":{"policyName":"p"}})j");
  }
  std::string trail() { return make("m", R"({"trail":""})", "", "?dryRun=All").text("data.trail"); }
};

constexpr std::string_view kIfNeeded = R"(,"reinvocationPolicy":"IfNeeded")";

TEST_F(Chained, AsksPoliciesFirst) {
  policy("Never");
  EXPECT_EQ(trail(), "p");
  configure(Phase::kMutating, "w", {{}});
  EXPECT_EQ(trail(), "ph");
}

TEST_F(Chained, AsksPoliciesAgainWhenAWebhookHasChangedTheObject) {
  policy("IfNeeded");
  configure(Phase::kMutating, "w", {{}});
  EXPECT_EQ(trail(), "php");
}

TEST_F(Chained, AsksWebhooksAgainWhenAPolicyHasChangedTheObjectAgain) {
  policy("IfNeeded");
  configure(Phase::kMutating, "w", {{.more = std::string(kIfNeeded)}});
  EXPECT_EQ(trail(), "phph");
}

TEST_F(Chained, ValidatesOnceEverythingHasChanged) {
  policy("Never");
  configure(Phase::kValidating, "v", {{.path = "/v"}});
  hooks.say = [](const Asked&) { return R"("allowed":true)"; };
  EXPECT_EQ(trail(), "p");
  EXPECT_EQ(hooks.last().object().get("data").get("trail").as_string(), "p");
  EXPECT_EQ(hooks.take_asked(), std::vector<std::string>{"/v"});
}

}  // namespace
}  // namespace strake::admission::testing
