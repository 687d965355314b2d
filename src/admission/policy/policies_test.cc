#include "admission/policy/policies.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "api/request/request_selectors.h"
#include "api/test_server.h"
#include "support/metrics.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::config_map_json;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestPart;
using api::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGroup = "/apis/admissionregistration.k8s.io/v1/";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// Members of other groups may do what begins with "may". About what begins with "asked" somebody
// else is asked, who allows what is narrowed by selectors.
class TestAuthorizer final : public api::Authorizer {
 public:
  Decision authorize(const api::User& user, const api::RequestInfo& request) const override {
    if (request.resource.starts_with("asked")) return {.open = true};
    return {.allowed = user.in_group("system:masters") || request.resource == "maymaps",
            .reason = {}};
  }
  boost::asio::awaitable<Decision> ask(api::User, api::RequestInfo request,
                                       CancelToken) const override {
    const async::Executor executor = co_await boost::asio::this_coro::executor;
    co_await boost::asio::post(executor, boost::asio::use_awaitable);
    const auto& selectors = request.selectors;
    co_return Decision{
        .allowed = selectors != nullptr && selectors->fields.size() + selectors->labels.size() == 2,
        .reason = fmt::format("about {}", request.name),
        .error = request.resource == "askedwrong" ? "nobody there" : ""};
  }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
};

class PolicyPart final : public TestPart {
 public:
  explicit PolicyPart(api::Hub& hub) : policies_(hub, authorizer_) {}
  std::vector<const api::Admission*> admission() const override {
    return {&policies_.mutating(), &policies_.param_rights(), &policies_.validating()};
  }
  async::Task<> start(api::Core& core) override { co_return co_await policies_.start(core); }
  async::Task<> stop() override { co_return co_await policies_.stop(); }

 private:
  TestAuthorizer authorizer_;
  Policies policies_;
};

class PolicyServer {
 public:
  TestServer server{{.part = [](api::Hub& hub) { return std::make_unique<PolicyPart>(hub); }}};

  // Rules for ConfigMaps, unless the spec brings its own.
  void validating(std::string_view name, std::string_view spec, std::string_view binding = "",
                  std::string_view match = R"j("operations":["CREATE","UPDATE","DELETE"])j") {
    policy("validatingadmissionpolicies", "ValidatingAdmissionPolicy", name, spec, match);
    bind("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", name,
         binding.empty() ? R"j("validationActions":["Deny"])j" : binding);
  }
  void mutating(std::string_view name, std::string_view spec, std::string_view binding = "") {
    policy("mutatingadmissionpolicies", "MutatingAdmissionPolicy", name, spec,
           R"j("operations":["CREATE","UPDATE"])j");
    bind("mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding", name, binding);
  }
  void policy(std::string_view plural, std::string_view kind, std::string_view name,
              std::string_view spec, std::string_view match) {
    expect_ok(
        server.post(fmt::format("{}{}", kGroup, plural),
                    fmt::format(R"j({{"apiVersion":"admissionregistration.k8s.io/v1","kind":"{}",
        "metadata":{{"name":"{}"}},"spec":{{"matchConstraints":{{"resourceRules":[{{"apiGroups":[""],
        "apiVersions":["v1"],{},"resources":["configmaps"]}}]}},{}}}}})j",
                                kind, name, match, spec)),
        201);
  }
  void bind(std::string_view plural, std::string_view kind, std::string_view name,
            std::string_view binding) {
    expect_ok(
        server.post(fmt::format("{}{}", kGroup, plural),
                    fmt::format(R"j({{"apiVersion":"admissionregistration.k8s.io/v1","kind":"{}",
        "metadata":{{"name":"{}"}},"spec":{{"policyName":"{}"{}{}}}}})j",
                                kind, name, name, binding.empty() ? "" : ",", binding)),
        201);
  }
  Answered make(std::string_view name, std::string_view data = "{}",
                std::string_view metadata = "") {
    return server.post(kMaps, config_map_json(name, data, metadata));
  }
};

TEST(ValidatingPolicies, RefuseFromTheNextRequestOn) {
  PolicyServer policies;
  expect_ok(policies.make("before"), 201);
  policies.validating("no-bad",
                      R"j("validations":[{"expression":"object.metadata.name != 'bad'"}])j");
  const Answered refused = policies.make("bad");
  expect_status(refused, 422, "Invalid",
                "configmaps \"bad\" is forbidden: ValidatingAdmissionPolicy 'no-bad' with binding "
                "'no-bad' denied request: failed expression: object.metadata.name != 'bad'");
  EXPECT_EQ(refused.text("details.causes.0.message"),
            "ValidatingAdmissionPolicy 'no-bad' with binding 'no-bad' denied request: failed "
            "expression: object.metadata.name != 'bad'");
  expect_ok(policies.make("good"), 201);
  expect_ok(
      policies.server.remove(fmt::format("{}validatingadmissionpolicybindings/no-bad", kGroup)));
  expect_ok(policies.make("bad"), 201);
}

// Every question is answered, although no expression waits.
TEST(ValidatingPolicies, AskThoseWhoMustBeWaitedFor) {
  PolicyServer policies;
  policies.validating("asking", R"j("variables":[{"name":"check",
      "expression":"authorizer.group('').resource('askedmaps')"}],
    "matchConditions":[{"name":"a","expression":
      "!authorizer.group('').resource('askedmaps').name('c').check('get').allowed()"}],
    "validations":[
      {"expression":"variables.check.fieldSelector('a=b').labelSelector('c').check('list').allowed()",
       "message":"narrow"},
      {"expression":"variables.check.fieldSelector('a=b').labelSelector('c d').check('list').allowed() || variables.check.name('x').check('get').reason() == 'about x'","message":"reason"},
      {"expression":"authorizer.group('').resource('askedwrong').check('get').error() == 'nobody there'",
       "message":"error"},
      {"expression":"variables.check.name(object.metadata.name).check('get').allowed() || object.metadata.name != 'bad'","message":"bad"}])j");
  expect_ok(policies.make("good"), 201);
  EXPECT_THAT(policies.make("bad").text("message"), HasSubstr("denied request: bad"));
}

TEST(MutatingPolicies, AskThoseWhoMustBeWaitedForOnceForEachMutation) {
  PolicyServer policies;
  policies.mutating("asking", R"j("failurePolicy":"Fail","reinvocationPolicy":"Never","mutations":[
    {"patchType":"ApplyConfiguration","applyConfiguration":{"expression":
      "Object{metadata: Object.metadata{labels: {'first': authorizer.group('').resource('askedmaps').name('one').check('get').reason().replace(' ', '-')}}}"}},
    {"patchType":"JSONPatch","jsonPatch":{"expression":
      "[JSONPatch{op: 'add', path: '/metadata/labels/second', value: authorizer.group('').resource('askedmaps').name(object.metadata.labels.first).check('get').reason().replace(' ', '-')}]"}}])j");
  const Answered made = policies.make("a");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("metadata.labels"), R"({"first":"about-one","second":"about-about-one"})");
}

TEST(ValidatingPolicies, WarnInsteadWhereTheBindingSaysSo) {
  PolicyServer policies;
  policies.validating("soft", R"j("validations":[{"expression":"false","message":"hm"}])j",
                      R"j("validationActions":["Warn","Audit"])j");
  const Answered made = policies.make("a");
  expect_ok(made, 201);
  EXPECT_THAT(made.warnings,
              ElementsAre("299 - \"Validation failed for ValidatingAdmissionPolicy 'soft' with "
                          "binding 'soft': hm\""));
}

TEST(ValidatingPolicies, SeeDeletedObjectsAndNameThemAsTheRequestDoes) {
  PolicyServer policies;
  expect_ok(policies.make("keep", "{}", R"j("labels":{"keep":"y"})j"), 201);
  policies.validating(
      "keep",
      R"j("validations":[{"expression":"object != null || !has(oldObject.metadata.labels.keep)",
                      "messageExpression":"request.operation + ' of ' + oldObject.metadata.name"
}])j");
  const std::string target = fmt::format("{}/keep", kMaps);
  EXPECT_THAT(policies.server.remove(target).text("message"),
              HasSubstr("configmaps \"keep\" is forbidden: ValidatingAdmissionPolicy 'keep' with "
                        "binding 'keep' denied request: DELETE of keep"));
  EXPECT_THAT(
      policies.server.remove(fmt::format("{}?labelSelector=keep%3Dy", kMaps)).text("message"),
      HasSubstr("configmaps \"Unknown\" is forbidden"));
}

TEST(ValidatingPolicies, AskForParametersWhereTheBindingPoints) {
  PolicyServer policies;
  expect_ok(policies.make("limit", R"j({"max":"3"})j"), 201);
  policies.server.create_namespace("other");
  policies.validating(
      "limited",
      R"j("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},"validations":[{"expression":
      "!has(object.data) || int(object.data.size) <= int(params.data.max)","messageExpression":
      "'at most ' + params.data.max"
}])j",
      R"j("validationActions":["Deny"],"paramRef":{"name":"limit","parameterNotFoundAction":"Deny"})j");
  expect_ok(policies.make("a", R"j({"size":"3"})j"), 201);
  EXPECT_THAT(policies.make("b", R"j({"size":"4"})j").text("message"), HasSubstr("at most 3"));
  // A change of the parameters is in force at once.
  expect_ok(policies.server.merge(fmt::format("{}/limit", kMaps),
                                  R"j({"data":{"size":"1","max":"9"}})j"));
  expect_ok(policies.make("b", R"j({"size":"4"})j"), 201);
  EXPECT_THAT(policies.server.post("/api/v1/namespaces/other/configmaps", config_map_json("c"))
                  .text("message"),
              HasSubstr("denied request: failed to configure binding: no params found for policy "
                        "binding with `Deny` parameterNotFoundAction"));
}

TEST(ValidatingPolicies, AreBoundToSomeRequestsOnly) {
  PolicyServer policies;
  policies.validating(
      "some", R"j("validations":[{"expression":"false"}])j",
      R"j("validationActions":["Deny"],"matchResources":{"objectSelector":{"matchLabels":{"in":"y"}},
      "excludeResourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],
      "resources":["configmaps"],"resourceNames":["free"]}]})j");
  expect_ok(policies.make("a"), 201);
  expect_ok(policies.make("free", "{}", R"j("labels":{"in":"y"})j"), 201);
  EXPECT_EQ(policies.make("b", "{}", R"j("labels":{"in":"y"})j").code, 422);
}

TEST(ValidatingPolicies, JudgeForEachOfManyParameters) {
  PolicyServer policies;
  for (const std::string_view name : {"p1", "p2"})
    expect_ok(policies.make(name, fmt::format(R"j({{"max":"{}"}})j", name.back()),
                            R"j("labels":{"limits":"y"})j"),
              201);
  policies.validating(
      "each",
      R"j("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},"validations":[{"expression":
      "int(object.data.size) <= int(params.data.max)","messageExpression":"'' + params.metadata.name"}])j",
      R"j("validationActions":["Deny"],"paramRef":{"selector":{"matchLabels":{"limits":"y"}},
      "namespace":"default","parameterNotFoundAction":"Deny"})j");
  expect_ok(policies.make("a", R"j({"size":"1"})j"), 201);
  EXPECT_THAT(policies.make("b", R"j({"size":"2"})j").text("message"), HasSubstr("request: p1"));
}

TEST(ValidatingPolicies, SayWhenTheKindOfParametersIsUnknown) {
  PolicyServer policies;
  policies.validating("odd",
                      R"j("paramKind":{"apiVersion":"a.example/v1","kind":"Nothing"},
                      "validations":[{"expression":"true"}])j");
  expect_status(policies.make("a"), 422, "Invalid",
                "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy 'odd' denied request: "
                "failed to configure policy: failed to find resource referenced by paramKind: "
                "'a.example/v1, Kind=Nothing'");
}

TEST(ValidatingPolicies, SeeTheNamespaceAndWhoMayDoWhat) {
  PolicyServer policies;
  policies.validating(
      "who",
      R"j("validations":[{"expression":"namespaceObject.metadata.name == request.namespace"},
      {"expression":"authorizer.group('').resource('maymaps').namespace('default').check('create').allowed()","message":"first"
},
      {"expression":"authorizer.serviceAccount('default', 'x').group('').resource('maymaps').check('get').allowed()","message":"second"},
      {"expression":"authorizer.serviceAccount('default', 'x').group('').resource('pods').check('get').allowed()","message":"third"},
      {"expression":"authorizer.requestResource.check('create').allowed()","message":"fourth"}])j");
  EXPECT_THAT(policies.make("a").text("message"), HasSubstr("denied request: third"));
}

TEST(ValidatingPolicies, AreNotAskedAboutThemselves) {
  PolicyServer policies;
  expect_ok(
      policies.server.post(
          fmt::format("{}validatingadmissionpolicies", kGroup),
          R"j({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy",
      "metadata":{"name":"never"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":["*"],
      "apiVersions":["*"],"operations":["*"],"resources":["*"]}]},"validations":[{"expression":"false"}]}})j"),
      201);
  policies.bind("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", "never",
                R"j("validationActions":["Deny"])j");
  EXPECT_EQ(policies.make("a").code, 422);
  expect_ok(policies.server.remove(fmt::format("{}validatingadmissionpolicies/never", kGroup)));
  expect_ok(policies.make("a"), 201);
}

TEST(ValidatingPolicies, SeeObjectsInTheVersionTheyMatched) {
  PolicyServer policies;
  expect_ok(policies.server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                 api::testing::things({{"v1", R"j("n":{"type":"string"})j"},
                                                       {"v2", R"j("n":{"type":"string"})j"}})),
            201);
  const std::string spec =
      R"j({"matchConstraints":{"resourceRules":[{"apiGroups":["a.example"],"apiVersions":["v1"],
      "operations":["CREATE"],"resources":["things"]}]},"matchConditions":[{"name":"asked","expression":
      "request.resource.version == request.requestResource.version"}],)j";
  expect_ok(
      policies.server.post(
          fmt::format("{}validatingadmissionpolicies", kGroup),
          R"j({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy",
      "metadata":{"name":"seen"},"spec":)j" +
              spec + R"j("validations":[{"expression":"object.spec.n != 'x'","messageExpression":
      "object.apiVersion + ' ' + request.requestKind.version + ' ' + request.resource.version"}]}})j"),
      201);
  policies.bind("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", "seen",
                R"j("validationActions":["Deny"])j");
  expect_ok(
      policies.server.post(
          fmt::format("{}mutatingadmissionpolicies", kGroup),
          R"j({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy",
      "metadata":{"name":"seen"},"spec":)j" +
              spec +
              R"j("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",
      "applyConfiguration":{"expression":"Object{metadata: Object.metadata{labels: {'saw': request.kind.version}}}"}}]}})j"),
      201);
  policies.bind("mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding", "seen", "");
  const auto make = [&](std::string_view n) {
    return policies.server.post(
        "/apis/a.example/v2/namespaces/default/things",
        fmt::format(
            R"j({{"apiVersion":"a.example/v2","kind":"Thing","metadata":{{"name":"t"}},"spec":{{"n":"{}"}}}})j",
            n));
  };
  EXPECT_THAT(make("x").text("message"), HasSubstr("denied request: a.example/v1 v2 v1"));
  const Answered made = make("y");
  expect_ok(made, 201);
  EXPECT_EQ(made.text("apiVersion"), "a.example/v2");
  EXPECT_EQ(made.text("metadata.labels.saw"), "v1");
}

TEST(PolicyList, IsMadeAnewOnlyWhenSomethingChanged) {
  PolicyServer policies;
  policies.mutating("a",
                    R"j("reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch",
                    "jsonPatch":{"expression":"[JSONPatch{op: 'test', path: '/kind', value: 'x'}]"}}])j");
  const PolicyList<policy::MutatingPolicy> list(policies.server.core().hub,
                                                "/registry/mutatingadmissionpolicies/",
                                                "/registry/mutatingadmissionpolicybindings/");
  const auto before = list.current();
  ASSERT_EQ(before->policies.size(), 1U);
  EXPECT_EQ(before->policies[0].bindings.size(), 1U);
  expect_ok(policies.make("other"), 201);
  EXPECT_EQ(list.current(), before);

  // What it says is the same, so it is not compiled again.
  const std::string target = fmt::format("{}mutatingadmissionpolicies/a", kGroup);
  expect_ok(policies.server.merge(target, R"j({"metadata":{"labels":{"a":"b"}}})j"));
  EXPECT_NE(list.current(), before);
  EXPECT_EQ(list.current()->policies[0].policy, before->policies[0].policy);
  expect_ok(policies.server.merge(target, R"j({"spec":{"reinvocationPolicy":"IfNeeded"}})j"));
  EXPECT_NE(list.current()->policies[0].policy, before->policies[0].policy);

  expect_ok(policies.server.remove(fmt::format("{}mutatingadmissionpolicybindings/a", kGroup)));
  EXPECT_TRUE(list.current()->policies.empty());
}

TEST(ParamRights, AreNeededToNameParameters) {
  PolicyServer policies;
  const auto ask = [&](std::string_view plural, std::string_view kind, std::string_view spec) {
    const std::string target = fmt::format("{}{}", kGroup, plural);
    const std::string body = fmt::format(
        R"j({{"apiVersion":"admissionregistration.k8s.io/v1","kind":"{}","metadata":{{"name":"p"}},"spec":{}}})j",
        kind, spec);
    return policies.server.ask({.method = "POST", .target = target, .body = body, .user = "eve"});
  };
  const auto policy = [&](std::string_view kind) {
    return ask("validatingadmissionpolicies", "ValidatingAdmissionPolicy",
               fmt::format(R"j({{"paramKind":{{"apiVersion":"v1","kind":"{}"}},"matchConstraints":
               {{"resourceRules":[{{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],
               "resources":["configmaps"]}}]}},"validations":[{{"expression":"true"}}]}})j",
                           kind));
  };
  const Answered refused = policy("ConfigMap");
  EXPECT_EQ(refused.code, 422);
  EXPECT_THAT(refused.text("message"),
              HasSubstr("ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: "
                        "spec.paramKind: Forbidden: user &{eve "));
  EXPECT_THAT(refused.text("message"),
              HasSubstr("must have \"get\" permission on all objects of the referenced paramKind "
                        "(kind=ConfigMap, apiVersion=v1)"));
  EXPECT_THAT(ask("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding",
                  R"j({"policyName":"none","validationActions":["Deny"],"paramRef":{"name":"a",
                  "parameterNotFoundAction":"Deny"}})j")
                  .text("message"),
              HasSubstr("spec.paramRef: Forbidden: unable to get policy none to determine minimum "
                        "required permissions and user &{eve "));
}

TEST(ValidatingPolicies, HaveTheirTypesChecked) {
  PolicyServer policies;
  policies.validating("typed", R"j("validations":[{"expression":"object.data.size > 3"}])j");
  Answered seen;
  for (int i = 0; i < 200; ++i) {
    seen = policies.server.get(fmt::format("{}validatingadmissionpolicies/typed", kGroup));
    if (!seen.at("status.observedGeneration").empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(seen.at("status.observedGeneration"), "1");
  EXPECT_EQ(seen.text("status.typeChecking.expressionWarnings.0.fieldRef"),
            "spec.validations[0].expression");
  EXPECT_EQ(seen.text("status.typeChecking.expressionWarnings.0.warning"),
            "/v1, Kind=ConfigMap: ERROR: <input>:1:18: found no matching overload for '_>_' "
            "applied to '(string, int)'\n | object.data.size > 3\n | .................^\n");
}

TEST(MutatingPolicies, ChangeWhatIsStored) {
  PolicyServer policies;
  policies.mutating("label",
                    R"j("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",
      "applyConfiguration":{"expression":"Object{metadata: Object.metadata{labels: {'by': 'policy'}}}"}},
      {"patchType":"JSONPatch","jsonPatch":{"expression":
      "[JSONPatch{op: 'add', path: '/data', value: {'a': object.metadata.labels.by}}]"}}])j");
  const Answered made = policies.make("a");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("metadata.labels"), R"j({"by":"policy"})j");
  EXPECT_EQ(policies.server.get(fmt::format("{}/a", kMaps)).at("data"), R"j({"a":"policy"})j");
}

TEST(MutatingPolicies, AreAskedAgainWhenTheyWantItAndSomethingChanged) {
  PolicyServer policies;
  constexpr std::string_view kAppend =
      R"j("reinvocationPolicy":"{}","mutations":[{{"patchType":"ApplyConfiguration","applyConfiguration":
      {{"expression":"Object{{data: {{'n': object.?data.?n.orValue('') + '{}'}}}}"}}}}])j";
  policies.mutating("a", fmt::format(fmt::runtime(kAppend), "IfNeeded", "a"));
  policies.mutating("b", fmt::format(fmt::runtime(kAppend), "Never", "b"));
  EXPECT_EQ(policies.make("x").at("data"), R"j({"n":"aba"})j");
}

TEST(MutatingPolicies, RefuseWhatTheyCannotChange) {
  PolicyServer policies;
  policies.mutating("broken",
                    R"j("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",
      "applyConfiguration":{"expression":"Object{data: {'n': object.data.nothing}}"}}])j");
  const Answered refused = policies.make("x");
  expect_status(refused, 403, "Invalid",
                "policy 'broken' with binding 'broken' denied request: expression 'Object{data: "
                "{'n': object.data.nothing}}' resulted in error: no such key: data");
  EXPECT_EQ(refused.text("details.name"), "x");
  EXPECT_EQ(refused.text("details.kind"), "configmaps");
}

TEST(ValidatingPolicies, CountWhatTheyFound) {
  PolicyServer policies;
  policies.validating("counted", R"j("validations":[{"expression":"object.metadata.name != 'bad'"},
      {"expression":"object.metadata.name != 'odd' || int(object.metadata.name) > 0"}])j",
                      R"j("validationActions":["Deny","Audit"])j");
  const auto found = [](std::string_view action, std::string_view error) {
    return strake::testing::metric(fmt::format(
        R"(apiserver_validating_admission_policy_check_total{{enforcement_action="{}",error_type="{}",)"
        R"(policy="counted",policy_binding="counted"}})",
        action, error));
  };
  expect_ok(policies.make("good"), 201);
  EXPECT_EQ(found("deny", "no_error"), 0) << "what is as it should be is not counted";
  EXPECT_EQ(policies.make("bad").code, 422);
  EXPECT_EQ(found("deny", "no_error"), 1);
  EXPECT_EQ(found("audit", "no_error"), 1);
  EXPECT_EQ(policies.make("odd").code, 422);
  EXPECT_EQ(found("deny", "invalid_error"), 1);
}

TEST(MutatingPolicies, CountTheirMutations) {
  PolicyServer policies;
  policies.mutating("counts",
                    R"j("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",
      "applyConfiguration":{"expression":"Object{data: {'n': 'x'}}"}},
      {"patchType":"ApplyConfiguration","applyConfiguration":{"expression":
      "Object{data: {'m': object.metadata.labels.none}}"}}])j");
  EXPECT_EQ(policies.make("a").code, 403);
  const Answered b = policies.make("b", "{}", R"j("labels":{"none":"y"})j");
  EXPECT_EQ(b.code, 201) << b.body;
  const auto made = [](std::string_view family, std::string_view error) {
    return strake::testing::metric(
        fmt::format(R"(apiserver_mutating_admission_policy_check_{}{{error_type="{}",)"
                    R"(policy="counts",policy_binding="counts"}})",
                    family, error));
  };
  EXPECT_EQ(made("total", "no_error"), 3);
  EXPECT_EQ(made("total", "invalid_error"), 1);
  EXPECT_EQ(made("duration_seconds_count", "no_error"), 3);
}

}  // namespace
}  // namespace strake::admission
