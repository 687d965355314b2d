#include "kube/objects/objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "kube/objects/applied.h"
#include "kube/objects/apply_stream.h"
#include "kube/objects/follow.h"
#include "kube/objects/ingresses.h"
#include "kube/objects/namespaces.h"
#include "kube/objects/selection.h"
#include "kube/objects/waiting.h"
#include "kube/test_cluster.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kube {
namespace {

using ::testing::ElementsAre;
using testing::expect_cancelled_at_every_call;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TestCluster;
using value::Document;
using value::Value;

const ObjectKind kConfigMap{.api_version = "v1", .kind = "ConfigMap"};

ObjectRef config_map(std::string name, std::string namespace_name = "default") {
  return {.of = kConfigMap, .namespace_name = std::move(namespace_name), .name = std::move(name)};
}

void expect_error(const Error& error, Code code, std::string_view says) {
  EXPECT_EQ(error.code(), code) << error.to_string();
  EXPECT_THAT(error.message(), HasSubstr(std::string(says)));
}

TEST(Objects, AreCreatedReadPatchedListedAndRemoved) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  EXPECT_FALSE(objects.find(config_map("a")).value());
  expect_error(objects.get(config_map("a")).error(), Code::kNotFound, "configmaps \"a\" not found");
  ASSERT_TRUE(objects.create(config_map("a"),
                             R"({"metadata":{"name":"a","labels":{"x":"1"}},"data":{"k":"v"}})"));
  ASSERT_TRUE(objects.create(config_map("b"), R"({"metadata":{"name":"b"}})"));
  expect_error(objects.create(config_map("b"), R"({"metadata":{"name":"b"}})").error(),
               Code::kAlreadyExists, "already exists");
  ASSERT_TRUE(objects.patch({.object = config_map("a"),
                             .type = PatchRequest::Type::kJson,
                             .body = R"([{"op":"add","path":"/data/more","value":"w"}])"}));
  const Document after = objects.get(config_map("a")).value();
  EXPECT_EQ(value::to_json(after.root().get("data")), R"({"k":"v","more":"w"})");
  const auto names = [&](std::string labels, std::string fields) {
    std::string out;
    for (const Document& page : objects
                                    .list({.of = kConfigMap,
                                           .namespace_name = "default",
                                           .label_selector = std::move(labels),
                                           .field_selector = std::move(fields)})
                                    .value()) {
      for (const Value& item : page.root().get("items").items())
        out += std::string(value::text_of(item.get("metadata"), "name")) + " ";
    }
    return out;
  };
  EXPECT_EQ(names("x in (1,2)", ""), "a ");
  EXPECT_EQ(names("", "metadata.name=b"), "b ");
  EXPECT_TRUE(objects.remove(config_map("a")).value());
  EXPECT_FALSE(objects.remove(config_map("a")).value());
  expect_error(objects.get({.of = {.api_version = "none/v1", .kind = "X"}, .name = "a"}).error(),
               Code::kNotFound, "no kind \"X\"");
}

TEST(Namespaces, AreMadeOnceAndLabelled) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  EXPECT_EQ(ensure_namespace(objects, {.name = "apps"}), Ensured::kCreated);
  EXPECT_EQ(ensure_namespace(objects, {.name = "apps", .labels = {{"kompox.dev/x", "1"}}}),
            Ensured::kUpdated);
  cluster.forget_requests();
  EXPECT_EQ(ensure_namespace(objects, {.name = "apps", .labels = {{"kompox.dev/x", "1"}}}),
            Ensured::kUnchanged);
  EXPECT_EQ(cluster.writes(), 0U);
  EXPECT_EQ(
      ensure_namespace(objects, {.name = "apps", .labels = {{"x", "2"}}, .keep_labels = true}),
      Ensured::kUnchanged);
  EXPECT_EQ(ensure_namespace(objects, {.name = "apps", .labels = {{"x", "2"}}, .dry_run = true}),
            Ensured::kUpdated);
  EXPECT_EQ(ensure_namespace(objects, {.name = "more", .dry_run = true}), Ensured::kCreated);
  EXPECT_EQ(cluster.writes(), 0U);
  EXPECT_EQ(cluster.server().get("/api/v1/namespaces/more").code, 404);
  EXPECT_EQ(delete_namespace(objects, "none"), false);
}

TEST(Namespaces, GoAndMayComeBack) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  Objects objects(client);
  ASSERT_EQ(ensure_namespace(objects, {.name = "apps"}), Ensured::kCreated);
  const std::string first = cluster.server().get("/api/v1/namespaces/apps").uid();
  cluster.server().create("/api/v1/namespaces/apps/configmaps", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(delete_namespace(objects, "apps"), true);
  // Whether it is still going or gone already: there is a new one in the end.
  const auto again = ensure_namespace(objects, {.name = "apps"});
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(*again, Ensured::kCreated);
  EXPECT_NE(cluster.server().get("/api/v1/namespaces/apps").uid(), first);
  EXPECT_EQ(delete_namespace(objects, "apps"), true);
  const auto gone = wait_until_namespace_gone(objects, "apps");
  EXPECT_TRUE(gone) << gone.error().to_string();
  EXPECT_EQ(cluster.server().get("/api/v1/namespaces/apps").code, 404);
}

TEST(ServiceAccounts, GetAnnotationsAndNoTokens) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  const ServiceAccountSpec spec{
      .namespace_name = "default", .name = "ingress", .annotations = {{"id", "7"}}};
  EXPECT_EQ(ensure_service_account(objects, spec), Ensured::kCreated);
  const std::string path = "/api/v1/namespaces/default/serviceaccounts/ingress";
  EXPECT_EQ(cluster.server().get(path).at("automountServiceAccountToken"), "false");
  EXPECT_EQ(cluster.server().get(path).at("metadata.annotations"), R"({"id":"7"})");
  cluster.forget_requests();
  EXPECT_EQ(ensure_service_account(objects, spec), Ensured::kUnchanged);
  EXPECT_EQ(cluster.writes(), 0U);
  cluster.server().merge(
      path, R"({"automountServiceAccountToken":true,"metadata":{"annotations":{"mine":"x"}}})");
  EXPECT_EQ(ensure_service_account(objects, spec), Ensured::kUpdated);
  EXPECT_EQ(cluster.server().get(path).at("automountServiceAccountToken"), "false");
  EXPECT_EQ(cluster.server().get(path).at("metadata.annotations"), R"({"id":"7","mine":"x"})");
}

void add_labelled(TestCluster& cluster, std::string_view resource, std::string_view name) {
  cluster.server().create(
      fmt::format("/api/v1/namespaces/default/{}", resource),
      fmt::format(R"({{"metadata":{{"name":"{}","labels":{{"app":"web"}}}}}})", name));
}

DeleteSelected web() {
  return {.kinds = {{.api_version = "v1", .kind = "Secret"},
                    {.api_version = "none/v1", .kind = "Widget"},
                    kConfigMap},
          .namespace_name = "default",
          .label_selector = "app=web"};
}

std::vector<std::string> names_of(const DeletedObjects& deleted) {
  std::vector<std::string> out;
  for (const ObjectRef& one : deleted.objects) out.push_back(one.of.kind + " " + one.name);
  return out;
}

TEST(Selection, DeletesKindAfterKindAndNothingElse) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  add_labelled(cluster, "configmaps", "a");
  add_labelled(cluster, "configmaps", "b");
  add_labelled(cluster, "secrets", "s");
  cluster.server().create("/api/v1/namespaces/default/configmaps",
                          R"({"metadata":{"name":"other"}})");
  const auto deleted = delete_selected(objects, web());
  ASSERT_TRUE(deleted) << deleted.error().to_string();
  EXPECT_THAT(names_of(*deleted), ElementsAre("Secret s", "ConfigMap a", "ConfigMap b"));
  EXPECT_THAT(deleted->errors, IsEmpty());
  EXPECT_EQ(cluster.server().get("/api/v1/namespaces/default/configmaps/other").code, 200);
  EXPECT_THAT(names_of(delete_selected(objects, web()).value()), IsEmpty());
  DeleteSelected everything = web();
  everything.label_selector.clear();
  EXPECT_EQ(delete_selected(objects, everything).error().code(), Code::kUsage);
}

TEST(Selection, CollectsErrorsOrStops) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  add_labelled(cluster, "configmaps", "a");
  add_labelled(cluster, "configmaps", "b");
  cluster.answer_instead([](const http::Request& request) -> std::optional<http::Response> {
    if (request.method == "DELETE" && request.path.ends_with("/a"))
      return http::testing::text_response("broken", 500);
    return std::nullopt;
  });
  DeleteSelected request = web();
  request.stop_at_error = true;
  expect_error(delete_selected(objects, request).error(), Code::kInternal, "answered 500: broken");
  EXPECT_EQ(cluster.server().get("/api/v1/namespaces/default/configmaps/b").code, 200);
  request.stop_at_error = false;
  const auto deleted = delete_selected(objects, request);
  ASSERT_TRUE(deleted);
  EXPECT_THAT(names_of(*deleted), ElementsAre("ConfigMap b"));
  ASSERT_EQ(deleted->errors.size(), 1U);
}

TEST(Waiting, SeesWhatComesAndGoes) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  Objects objects(client);
  // Once it watches, the object comes.
  cluster.answer_instead([&](const http::Request& request) -> std::optional<http::Response> {
    if (request.query.contains("watch=true")) {
      std::thread([&] {
        cluster.server().ask("POST", "/api/v1/namespaces/default/configmaps",
                             R"({"metadata":{"name":"late"}})");
      }).detach();
    }
    return std::nullopt;
  });
  EXPECT_TRUE(wait_until_exists(objects, config_map("late")));
  cluster.answer_instead({});
  EXPECT_TRUE(wait_until_exists(objects, config_map("late"))) << "it is there already";
  EXPECT_TRUE(wait_until_gone(objects, config_map("never")));
  EXPECT_TRUE(objects.remove(config_map("late")).value());
  EXPECT_TRUE(wait_until_gone(objects, config_map("late")));
}

TEST(Waiting, SaysWhatIsMissingWhenItsTimeIsOver) {
  TestCluster cluster;
  const Client all = cluster.client();
  cluster.server().create(
      "/apis/apps/v1/namespaces/default/deployments",
      R"({"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":)"
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const auto wait = [&] {
    const Client client = all.within({}, Deadline::after(std::chrono::milliseconds(300)));
    Objects objects(client);
    return wait_until_ready(objects, "default", "web");
  };
  expect_error(wait().error(), Code::kTimeout,
               "Deployment default/web: has not been looked at by its controller");
  const std::string status = "/apis/apps/v1/namespaces/default/deployments/web/status";
  cluster.server().merge(
      status,
      R"({"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":1}})");
  expect_error(wait().error(), Code::kTimeout, "1 of 2 replicas are available");
  cluster.server().merge(status, R"({"status":{"availableReplicas":2}})");
  EXPECT_TRUE(wait());
  cluster.server().merge(
      status,
      R"({"status":{"availableReplicas":0,"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]}})");
  expect_error(wait().error(), Code::kServiceUnavailable, "exceeded its progress deadline");
}

TEST(Readiness, IsJudgedAsRolloutStatusDoes) {
  struct Case {
    std::string_view deployment;
    std::string_view missing;
  };
  const Case cases[] = {
      {R"({"metadata":{"generation":2},"status":{"observedGeneration":1}})",
       "has not been looked at by its controller"},
      {R"({"metadata":{"generation":1},"spec":{"replicas":3},"status":{"observedGeneration":1,"updatedReplicas":1}})",
       "1 of 3 replicas are updated"},
      {R"({"metadata":{"generation":1},"status":{"observedGeneration":1,"updatedReplicas":1,"replicas":2}})",
       "1 old replicas are still there"},
      {R"({"metadata":{"generation":1},"status":{"observedGeneration":1,"updatedReplicas":1,"replicas":1}})",
       "0 of 1 replicas are available"},
      {R"({"metadata":{"generation":1},"status":{"observedGeneration":1,"updatedReplicas":1,"replicas":1,"availableReplicas":1}})",
       ""},
      {R"({"metadata":{"generation":1},"spec":{"replicas":0},"status":{"observedGeneration":1}})",
       ""},
  };
  for (const Case& one : cases)
    EXPECT_EQ(missing_for_readiness(value::read_json(one.deployment)->root()), one.missing)
        << one.deployment;
}

// Counts, and has enough at some time.
class Counting final : public ObjectFollower {
 public:
  Result<bool> on_list(const std::vector<const Value*>& objects) override {
    told.push_back(fmt::format("list {}", objects.size()));
    if (on_first) std::exchange(on_first, {})();
    return true;
  }
  Result<bool> on_set(const Value& object) override { return note("set", object); }
  Result<bool> on_deleted(const Value& object) override { return note("deleted", object); }
  std::vector<std::string> told;
  std::function<void()> on_first;

 private:
  Result<bool> note(std::string_view what, const Value& object) {
    const std::string name(value::text_of(object.get("metadata"), "name"));
    told.push_back(fmt::format("{} {}", what, name));
    if (name == "bad") return fail(Code::kInvalid, "not this one");
    return name != "enough";
  }
};

TEST(Following, ReadsAllAgainWhenTheServerHasForgottenItsPlace) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  std::atomic<int> watches = 0;
  cluster.answer_instead([&](const http::Request& request) -> std::optional<http::Response> {
    if (!request.query.contains("watch=true")) return std::nullopt;
    switch (++watches) {
      case 1:
        return http::testing::text_response(
            R"({"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"5"}}})"
            "\n"
            R"({"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old"}})"
            "\n");
      case 2: return http::testing::text_response("{\"type\":\"BOOK");  // breaks off
      default:
        return http::testing::text_response(
            R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}})"
            "\n"
            R"({"type":"DELETED","object":{"metadata":{"name":"x"}}})"
            "\n"
            R"({"type":"MODIFIED","object":{"metadata":{"name":"enough"}}})"
            "\n"
            R"({"type":"MODIFIED","object":{"metadata":{"name":"more"}}})"
            "\n");
    }
  });
  Counting follower;
  const Result<> followed = follow(client, "/api/v1/namespaces/default/configmaps", follower);
  ASSERT_TRUE(followed) << followed.error().to_string();
  EXPECT_THAT(follower.told, ElementsAre("list 0", "set x", "list 0", "deleted x", "set enough"));
}

TEST(Following, EndsWithWhatDoesNotPassByItself) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  Counting follower;
  EXPECT_EQ(follow(client, "/api/v1/none", follower).error().code(), Code::kNotFound);
  follower.on_first = [&] {
    cluster.server().ask("POST", "/api/v1/namespaces/default/configmaps",
                         R"({"metadata":{"name":"bad"}})");
  };
  EXPECT_EQ(follow(client, "/api/v1/namespaces/default/configmaps", follower).error().message(),
            "not this one");
}

TEST(Ingresses, TellWhereAClusterIsEntered) {
  TestCluster cluster;
  const Client client = cluster.client();
  Objects objects(client);
  EXPECT_EQ(ingress_endpoint(objects, "default", "traefik").error().code(), Code::kNotFound);
  cluster.server().create(
      "/api/v1/namespaces/default/services",
      R"({"metadata":{"name":"traefik"},"spec":{"type":"LoadBalancer","ports":[{"port":80}]}})");
  EXPECT_EQ(ingress_endpoint(objects, "default", "traefik")->ip, "") << "none yet is no error";
  cluster.server().merge(
      "/api/v1/namespaces/default/services/traefik/status",
      R"({"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.7"},{"ip":"192.0.2.8"}]}}})");
  EXPECT_EQ(ingress_endpoint(objects, "default", "traefik")->ip, "192.0.2.7");
  const auto add = [&](std::string_view name, std::string_view hosts, std::string_view ip) {
    std::string rules;
    for (const std::string_view host :
         {hosts.substr(0, hosts.find(' ')), hosts.substr(hosts.find(' ') + 1)})
      rules += fmt::format(R"({}{{"host":"{}"}})", rules.empty() ? "" : ",", host);
    const std::string path = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
    cluster.server().create(
        path,
        fmt::format(
            R"({{"metadata":{{"name":"{}","labels":{{"app":"web"}}}},"spec":{{"rules":[{}],"defaultBackend":{{"service":{{"name":"s","port":{{"number":80}}}}}}}}}})",
            name, rules));
    if (!ip.empty())
      cluster.server().merge(
          fmt::format("{}/{}/status", path, name),
          fmt::format(R"({{"status":{{"loadBalancer":{{"ingress":[{{"ip":"{}"}}]}}}}}})", ip));
  };
  add("a", "www.example.test api.example.test", "192.0.2.1");
  add("b", "www.example.test bare.example.test", "");
  const auto hosts = ingress_hosts(objects, "default", "app=web");
  ASSERT_TRUE(hosts) << hosts.error().to_string();
  EXPECT_THAT(*hosts, ElementsAre(IngressHost{"api.example.test", "192.0.2.1"},
                                  IngressHost{"bare.example.test", ""},
                                  IngressHost{"www.example.test", ""}));
}

constexpr std::string_view kStream = R"(
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
# nothing but a comment
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: shop}
spec: {size: 3}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}
- {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {a: b}, ports: [{name: http, port: 80}, {name: https, port: 443, targetPort: 8443}]}}
)";

struct Applied {
  Result<> outcome;
  std::vector<std::string> told;
};
Applied apply_stream(const Client& client, std::string_view stream, StreamOptions options = {}) {
  options.apply.field_manager = "kompoxops";
  options.apply.force = true;
  Applied out;
  const auto manifests = read_manifests(stream);
  if (!manifests) return {.outcome = std::unexpected(manifests.error()), .told = {}};
  out.outcome = apply_manifests(client, *manifests, options, [&](const AppliedObject& one) {
    out.told.push_back(fmt::format("{} {}", one.title, to_string(one.how)));
  });
  return out;
}

TEST(Manifests, AreAppliedInTheirOrderAndDefinitionsAreWaitedFor) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  const Applied first = apply_stream(client, kStream);
  ASSERT_TRUE(first.outcome) << first.outcome.error().to_string();
  EXPECT_THAT(
      first.told,
      ElementsAre("Namespace shop created", "CustomResourceDefinition widgets.example.com created",
                  "Widget shop/w created", "ConfigMap a created", "Service s created"));
  const auto answered = cluster.server().get("/api/v1/namespaces/default/configmaps/a");
  EXPECT_EQ(answered.text("metadata.managedFields.0.manager"), "kompoxops");
}

TEST(Manifests, ThatAreAppliedAlreadyWriteNothing) {
  TestCluster cluster;
  const Client all = cluster.client();
  const Client client = all.within({}, Deadline::after(std::chrono::minutes(1)));
  ASSERT_TRUE(apply_stream(client, kStream).outcome);
  cluster.forget_requests();
  const Applied again = apply_stream(client, kStream);
  ASSERT_TRUE(again.outcome);
  EXPECT_EQ(cluster.writes(), 0U) << fmt::format("{}", fmt::join(again.told, ", "));
  for (const std::string& one : again.told) EXPECT_THAT(one, HasSubstr("unchanged"));
}

TEST(Manifests, AreAppliedAgainWhenTheyOrTheirObjectsHaveChanged) {
  TestCluster cluster;
  const Client client = cluster.client();
  const std::string map =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: one}}\ndata: {k: v, l: "
      "w}\n";
  ASSERT_TRUE(apply_stream(client, map).outcome);
  const std::string path = "/api/v1/namespaces/default/configmaps/a";
  // Somebody else has changed a field.
  cluster.server().merge(path, R"({"data":{"k":"theirs"}})");
  EXPECT_THAT(apply_stream(client, map).told, ElementsAre("ConfigMap a updated"));
  EXPECT_EQ(cluster.server().get(path).at("data"), R"({"k":"v","l":"w"})");
  // Somebody else has added one, which is theirs.
  cluster.server().merge(path, R"({"data":{"m":"theirs"}})");
  EXPECT_THAT(apply_stream(client, map).told, ElementsAre("ConfigMap a unchanged"));
  // A field is not wanted any more.
  const std::string less =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: one}}\ndata: {k: v}\n";
  EXPECT_THAT(apply_stream(client, less).told, ElementsAre("ConfigMap a updated"));
  EXPECT_EQ(cluster.server().get(path).at("data"), R"({"k":"v","m":"theirs"})");
  EXPECT_THAT(apply_stream(client, less).told, ElementsAre("ConfigMap a unchanged"));
}

TEST(Manifests, OfADryRunAreOnlyPlanned) {
  TestCluster cluster;
  const Client client = cluster.client();
  const Applied planned = apply_stream(client, kStream, {.apply = {}, .dry_run = true});
  ASSERT_TRUE(planned.outcome) << planned.outcome.error().to_string();
  EXPECT_EQ(planned.told.size(), 5U);
  EXPECT_EQ(cluster.writes(), 0U);
}

TEST(Manifests, ThatAreWrongAreNamed) {
  TestCluster cluster;
  const Client client = cluster.client();
  expect_error(apply_stream(client, "apiVersion: v1\nkind: ConfigMap\n").outcome.error(),
               Code::kInvalid, "object v1, Kind=ConfigMap missing metadata.name");
  expect_error(apply_stream(client, "just text").outcome.error(), Code::kInvalid,
               "needs an apiVersion");
  expect_error(apply_stream(client, "a: [").outcome.error(), Code::kParse, "");
  expect_error(
      apply_stream(client, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: 7\n")
          .outcome.error(),
      Code::kInternal, "ConfigMap a: PATCH ");
  EXPECT_TRUE(apply_stream(client, "apiVersion: v1\nkind: List\nitems: []\n").outcome);
}

// What was applied last can be applied again, and changes nothing then.
TEST(AppliedFields, AreTheConfigurationThatMadeThem) {
  TestCluster cluster;
  const Client client = cluster.client();
  const std::string_view manifests[] = {
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: one}}, data: {k: v}}",
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: bare}}",
      "{apiVersion: v1, kind: Service, metadata: {name: s, finalizers: [a.example/b]}, spec: "
      "{type: "
      "LoadBalancer, selector: {a: b}, ports: [{name: http, port: 80}, {name: dns, port: 53, "
      "protocol: UDP}]}}",
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: "
      "{a: b}}, "
      "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, args: [one, "
      "two], ports: "
      "[{containerPort: 80}], env: [{name: E, value: f}], volumeMounts: [{name: t, mountPath: "
      "/t}]}], volumes: "
      "[{name: t, emptyDir: {}}]}}}}",
  };
  for (const std::string_view manifest : manifests) {
    SCOPED_TRACE(manifest);
    ASSERT_TRUE(apply_stream(client, manifest).outcome);
    const auto wanted = read_manifests(manifest).value();
    Objects objects(client);
    const Value& root = wanted.front().root();
    const ObjectRef ref{.of = {.api_version = std::string(value::text_of(root, "apiVersion")),
                               .kind = std::string(value::text_of(root, "kind"))},
                        .namespace_name = "default",
                        .name = std::string(value::text_of(root.get("metadata"), "name"))};
    const Document live = objects.get(ref).value();
    EXPECT_TRUE(is_applied(live.root(), root, "kompoxops"));
    if (ref.name == "bare") {
      EXPECT_TRUE(applied_by(live.root(), "kompoxops").root().is_null()) << "it has no fields";
      continue;
    }
    EXPECT_FALSE(is_applied(live.root(), root, "another"));
    const Document extracted = applied_by(live.root(), "kompoxops");
    EXPECT_TRUE(is_applied(live.root(), extracted.root(), "kompoxops"))
        << value::to_json(extracted.root());
    EXPECT_THAT(apply_stream(client, value::to_json(extracted.root())).told,
                ElementsAre(HasSubstr("unchanged")));
    EXPECT_TRUE(applied_by(live.root(), "another").root().is_null());
  }
}

TEST(Operations, HearCancellationAtEveryCall) {
  const auto set_up = [](TestCluster& cluster) {
    add_labelled(cluster, "configmaps", "a");
    add_labelled(cluster, "secrets", "s");
  };
  expect_cancelled_at_every_call(set_up, [](TestCluster&, const Client& client) -> Result<> {
    Objects objects(client);
    STRAKE_TRY(const Ensured made, ensure_namespace(objects, {.name = "apps"}));
    EXPECT_EQ(made, Ensured::kCreated);
    STRAKE_TRY(const Ensured account,
               ensure_service_account(objects,
                                      {.namespace_name = "apps", .name = "x", .annotations = {}}));
    EXPECT_EQ(account, Ensured::kCreated);
    STRAKE_CHECK(apply_stream(client, kStream).outcome);
    STRAKE_TRY(const DeletedObjects deleted, delete_selected(objects, web()));
    EXPECT_EQ(deleted.objects.size(), 2U);
    STRAKE_TRY(const bool existed, delete_namespace(objects, "apps"));
    EXPECT_TRUE(existed);
    STRAKE_CHECK(wait_until_namespace_gone(objects, "apps"));
    STRAKE_TRY(const auto hosts, ingress_hosts(objects, "default", ""));
    EXPECT_THAT(hosts, IsEmpty());
    return {};
  });
}

}  // namespace
}  // namespace strake::kube
