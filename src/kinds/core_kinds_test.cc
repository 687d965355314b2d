// Namespaces, ConfigMaps, Secrets, ServiceAccounts, Events and Leases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

struct Case {
  std::string_view json;
  std::string_view want;
};

void expect_creates(const Resource& resource, std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(create(resource, one.json), one.want) << one.json;
}

TEST(Namespace, IsActiveAndHeldByAFinalizerOnceCreated) {
  expect_creates(
      builtin("", "namespaces"),
      {{R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"},"status":{"phase":"X"}})",
        R"({"apiVersion":"v1","kind":"Namespace","metadata":{"labels":{"kubernetes.io/metadata.name":"a"},"name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})"},
       {R"({"metadata":{"name":"a","labels":{"x":"y","kubernetes.io/metadata.name":"b"}},"spec":{"finalizers":["e.com/f"]}})",
        R"({"metadata":{"labels":{"kubernetes.io/metadata.name":"a","x":"y"},"name":"a"},"spec":{"finalizers":["e.com/f","kubernetes"]},"status":{"phase":"Active"}})"},
       {R"({"metadata":{"name":"a"},"spec":{"finalizers":["mine"]}})",
        R"(422: spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified)"},
       {R"({"metadata":{"name":"a.b"}})",
        R"(422: metadata.name: Invalid value: "a.b": must not contain dots)"},
       {R"({"metadata":{"name":"a"},"spec":{"finalizers":"x"}})",
        "400: json: cannot unmarshal string into Go struct field NamespaceSpec.spec.finalizers of "
        "type []v1.FinalizerName"}});
}

TEST(Namespace, KeepsItsFinalizersAndStatusOnUpdate) {
  EXPECT_EQ(
      update(
          builtin("", "namespaces"),
          R"({"metadata":{"name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}})",
          R"({"metadata":{"name":"a"},"spec":{},"status":{"phase":"Active"}})"),
      R"({"metadata":{"labels":{"kubernetes.io/metadata.name":"a"},"name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}})");
}

TEST(Namespace, ChangesItsFinalizersOnlyThroughFinalize) {
  const Resource& namespaces = builtin("", "namespaces");
  constexpr std::string_view kStored =
      R"({"metadata":{"name":"a"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}})";
  EXPECT_EQ(
      update_status(namespaces, "finalize", kStored, R"({"metadata":{"name":"a"},"spec":{}})"),
      R"({"metadata":{"labels":{"kubernetes.io/metadata.name":"a"},"name":"a"},"spec":{},"status":{"phase":"Active"}})");
  EXPECT_EQ(
      update_status(namespaces, "finalize", kStored,
                    R"({"metadata":{"name":"a"},"spec":{"finalizers":["kubernetes","b c"]}})"),
      R"(422: spec.finalizers[1]: Invalid value: "b c": name is neither a standard finalizer name nor is it fully qualified; spec.finalizers[1]: Invalid value: "b c": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'))");
}

TEST(Namespace, HasAPhaseThatFitsItsDeletion) {
  const Resource& namespaces = builtin("", "namespaces");
  EXPECT_EQ(
      update_status(namespaces, "status", R"({"metadata":{"name":"a"},"spec":{}})",
                    R"({"metadata":{"name":"a"},"status":{"phase":"Terminating"}})"),
      R"(422: status.Phase: Invalid value: "Terminating": may only be 'Active' if `deletionTimestamp` is empty)");
  EXPECT_EQ(
      update_status(
          namespaces, "status", R"({"metadata":{"name":"a"},"spec":{}})",
          R"({"metadata":{"name":"a","deletionTimestamp":"2024-01-01T00:00:00Z"},"status":{"phase":"Active"}})"),
      R"(422: status.Phase: Invalid value: "Active": may only be 'Terminating' if `deletionTimestamp` is not empty)");
}

TEST(Namespace, ShowsItsPhase) {
  const Resource& namespaces = builtin("", "namespaces");
  EXPECT_EQ(
      row(namespaces,
          R"({"metadata":{"name":"a","creationTimestamp":"2024-01-01T00:00:00Z"},"status":{"phase":"Active"}})",
          kNow),
      R"(["a","Active","24h"])");
  EXPECT_EQ(namespaces.strategy->columns()[1].name, "Status");
  EXPECT_FALSE(namespaces.has_verb(Verb::kDeleteCollection));
  EXPECT_NE(namespaces.versions[0].subresource("finalize"), nullptr);
}

TEST(ConfigMap, TakesKeysThatAreFileNames) {
  expect_creates(
      builtin("", "configmaps"),
      {{R"({"metadata":{"name":"c"},"data":{"k":"v"},"binaryData":{"b":"AA=="}})",
        R"({"binaryData":{"b":"AA=="},"data":{"k":"v"},"metadata":{"name":"c","namespace":"ns"}})"},
       {R"({"metadata":{"name":"c"},"data":{}})", R"({"metadata":{"name":"c","namespace":"ns"}})"},
       {R"({"metadata":{"name":"c"},"data":{"bad key":"v"}})",
        R"(422: data[bad key]: Invalid value: "bad key": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+'))"},
       {R"({"metadata":{"name":"c"},"data":{"..":"v","..a":"v",".":""}})",
        R"(422: data[..]: Invalid value: "..": must not be '..'; data[..a]: Invalid value: "..a": must not start with '..'; data[.]: Invalid value: ".": must not be '.')"},
       {R"({"metadata":{"name":"c"},"data":{"k":"v"},"binaryData":{"k":"AA=="}})",
        R"(422: data[k]: Invalid value: "k": duplicate of key present in binaryData)"},
       {R"({"metadata":{"name":"c"},"binaryData":{"k":"!!"}})",
        "400: illegal base64 data at input byte 0"},
       {R"({"metadata":{"name":"c"},"data":{"k":1}})",
        "400: json: cannot unmarshal number into Go struct field ConfigMap.data of type string"},
       {R"({"metadata":{"name":"c"},"immutable":"x"})",
        "400: json: cannot unmarshal string into Go struct field ConfigMap.immutable of type "
        "bool"}});
}

TEST(ConfigMap, HoldsAMebibyteAndNoMore) {
  const Resource& config_maps = builtin("", "configmaps");
  const auto with = [](std::size_t bytes) {
    return fmt::format(R"({{"metadata":{{"name":"c"}},"data":{{"k":"{}"}}}})",
                       std::string(bytes, 'x'));
  };
  EXPECT_TRUE(create(config_maps, with(1024 * 1024)).starts_with("{"));
  EXPECT_EQ(create(config_maps, with(1024 * 1024 + 1)),
            "422: : Too long: may not be more than 1048576 bytes");
}

TEST(ConfigMap, CannotBeChangedOnceImmutable) {
  const Resource& config_maps = builtin("", "configmaps");
  constexpr std::string_view kStored =
      R"({"metadata":{"name":"c"},"immutable":true,"data":{"k":"v"}})";
  EXPECT_EQ(update(config_maps, kStored,
                   R"({"metadata":{"name":"c"},"immutable":true,"data":{"k":"w"}})"),
            "422: data: Forbidden: field is immutable when `immutable` is set");
  EXPECT_EQ(update(config_maps, kStored, R"({"metadata":{"name":"c"},"data":{"k":"v"}})"),
            "422: immutable: Forbidden: field is immutable when `immutable` is set");
  EXPECT_EQ(
      update(
          config_maps, kStored,
          R"({"metadata":{"name":"c"},"immutable":true,"data":{"k":"v"},"binaryData":{"b":""}})"),
      "422: binaryData: Forbidden: field is immutable when `immutable` is set");
  EXPECT_TRUE(
      update(config_maps, kStored,
             R"({"metadata":{"name":"c","labels":{"a":"b"}},"immutable":true,"data":{"k":"v"}})")
          .starts_with("{"));
}

TEST(ConfigMap, ShowsHowManyEntriesItHas) {
  EXPECT_EQ(
      row(builtin("", "configmaps"),
          R"({"metadata":{"name":"c","creationTimestamp":"2024-01-02T00:00:00Z"},"data":{"a":"","b":""},"binaryData":{"c":""}})",
          kNow),
      R"(["c",3,"0s"])");
}

TEST(Secret, MovesPlainTextIntoData) {
  expect_creates(
      builtin("", "secrets"),
      {{R"({"metadata":{"name":"s"},"data":{"p":"AA==","r":"AA=="},"stringData":{"p":"q"}})",
        R"({"data":{"p":"cQ==","r":"AA=="},"metadata":{"name":"s","namespace":"ns"},"type":"Opaque"})"},
       {R"({"metadata":{"name":"s"}})",
        R"({"metadata":{"name":"s","namespace":"ns"},"type":"Opaque"})"}});
}

TEST(Secret, MustHoldWhatItsTypeAsksFor) {
  expect_creates(
      builtin("", "secrets"),
      {{R"({"metadata":{"name":"s"},"type":"kubernetes.io/tls"})",
        "422: data[tls.crt]: Required value; data[tls.key]: Required value"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/service-account-token"})",
        "422: metadata.annotations[kubernetes.io/service-account.name]: Required value"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/basic-auth"})",
        "422: data[password]: Required value; data[username]: Required value"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/ssh-auth","data":{"ssh-privatekey":""}})",
        "422: data[ssh-privatekey]: Required value"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/dockercfg"})",
        "422: data[.dockercfg]: Required value"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"[]"}})",
        R"(422: data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {})"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":""}})",
        R"(422: data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input)"},
       {R"({"metadata":{"name":"s"},"type":"kubernetes.io/dockerconfigjson","stringData":{".dockerconfigjson":"{}"}})",
        R"({"data":{".dockerconfigjson":"e30="},"metadata":{"name":"s","namespace":"ns"},"type":"kubernetes.io/dockerconfigjson"})"},
       {R"({"metadata":{"name":"s"},"type":7})",
        "400: json: cannot unmarshal number into Go struct field Secret.type of type "
        "v1.SecretType"}});
}

TEST(Secret, KeepsItsType) {
  const Resource& secrets = builtin("", "secrets");
  constexpr std::string_view kStored = R"({"metadata":{"name":"s"},"type":"a"})";
  EXPECT_EQ(update(secrets, kStored, R"({"metadata":{"name":"s"},"type":"b"})"),
            R"(422: type: Invalid value: "b": field is immutable)");
  // Left out it is defaulted before anyone could keep the old one.
  EXPECT_EQ(update(secrets, kStored, R"({"metadata":{"name":"s"}})"),
            R"(422: type: Invalid value: "Opaque": field is immutable)");
  EXPECT_EQ(secrets.strategy->field_labels().front(), "type");
}

TEST(Secret, WarnsOfACertificateThatIsNone) {
  const Resource& secrets = builtin("", "secrets");
  const auto warning = [&](std::string_view certificate, std::string_view key) {
    value::Document document;
    document.root() = value::Value::object({});
    value::Value data = value::Value::object({});
    data.set("tls.crt", value::Value::string(certificate), document.arena());
    data.set("tls.key", value::Value::string(key), document.arena());
    document.root().set("stringData", data, document.arena());
    document.root().set("type", value::Value::string("kubernetes.io/tls"), document.arena());
    secrets.strategy->apply_defaults(document.root(), document.arena());
    const auto all = secrets.strategy->warnings(document.root(), nullptr);
    return all.empty() ? std::string() : all[0];
  };
  constexpr std::string_view kCertificate =
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  constexpr std::string_view kKey =
      "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n";
  EXPECT_EQ(warning("x", "y"), "tls: failed to find any PEM data in certificate input");
  EXPECT_EQ(warning(kKey, kCertificate),
            "tls: failed to find certificate PEM data in certificate input, but did find a private "
            "key; PEM inputs may have been switched");
  EXPECT_EQ(warning(kCertificate, "y"), "tls: failed to find any PEM data in key input");
  EXPECT_EQ(warning(kCertificate, kCertificate),
            "tls: found a certificate rather than a key in the PEM for the private key");
  EXPECT_EQ(warning(kCertificate, kKey), "");
}

TEST(ServiceAccount, RefersToSecretsByNameAlone) {
  EXPECT_EQ(
      create(
          builtin("", "serviceaccounts"),
          R"({"metadata":{"name":"a"},"secrets":[{"name":"s","namespace":"other","kind":"Secret"}],"automountServiceAccountToken":false})"),
      R"({"automountServiceAccountToken":false,"metadata":{"name":"a","namespace":"ns"},"secrets":[{"name":"s"}]})");
  const Subresource* token = builtin("", "serviceaccounts").versions[0].subresource("token");
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->kind.to_string(), "authentication.k8s.io/v1, Kind=TokenRequest");
}

TEST(Event, OfTheCoreGroupMustLieWithItsObject) {
  expect_creates(
      builtin("", "events"),
      {{R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p","namespace":"ns"},"reason":"R"})",
        R"({"eventTime":null,"firstTimestamp":null,"involvedObject":{"kind":"Pod","name":"p","namespace":"ns"},"lastTimestamp":null,"metadata":{"name":"e","namespace":"ns"},"reason":"R","reportingComponent":"","reportingInstance":"","source":{}})"},
       {R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"other"}})",
        R"(422: involvedObject.namespace: Invalid value: "other": does not match event.namespace)"},
       {R"({"metadata":{"name":"e"},"involvedObject":{}})",
        R"(422: involvedObject.namespace: Invalid value: "": does not match event.namespace)"},
       {R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"ns"},"eventTime":"2024-01-01T00:00:00.000000Z"})",
        R"(422: action: Required value; reason: Required value; reportingComponent: Invalid value: "": name part must be non-empty; reportingComponent: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'); reportingComponent: Required value; reportingInstance: Required value)"},
       {R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"ns"},"eventTime":"2024-01-01T00:00:00Z"})",
        R"(400: parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000")"}});
}

TEST(Event, OfItsOwnGroupIsJudgedMoreStrictly) {
  const Resource& events = builtin("events.k8s.io", "events");
  expect_creates(
      events,
      {{R"({"metadata":{"name":"e"},"regarding":{"namespace":"ns"},"eventTime":"2024-01-01T00:00:00.000000Z","reportingController":"c","reportingInstance":"i","action":"A","reason":"R","type":"Normal","note":"n"})",
        R"({"action":"A","deprecatedFirstTimestamp":null,"deprecatedLastTimestamp":null,"deprecatedSource":{},"eventTime":"2024-01-01T00:00:00.000000Z","metadata":{"name":"e","namespace":"ns"},"note":"n","reason":"R","regarding":{"namespace":"ns"},"reportingController":"c","reportingInstance":"i","type":"Normal"})"},
       {R"({"metadata":{"name":"e"},"regarding":{"namespace":"ns"},"deprecatedCount":3,"type":"Odd","series":{"count":1}})",
        R"(422: count: Invalid value: "": needs to be unset; eventTime: Required value; series.count: Invalid value: "": should be at least 2; series.lastObservedTime: Required value; type: Invalid value: "": has invalid value: Odd)"}});
}

TEST(Event, OfItsOwnGroupCannotChangeWhatItTells) {
  const Resource& events = builtin("events.k8s.io", "events");
  constexpr std::string_view kStored =
      R"({"metadata":{"name":"e"},"regarding":{"namespace":"ns","name":"a"},"eventTime":"2024-01-01T00:00:00.000000Z","reportingController":"c","reportingInstance":"i","action":"A","reason":"R","type":"Normal"})";
  EXPECT_EQ(
      update(
          events, kStored,
          R"({"metadata":{"name":"e"},"regarding":{"namespace":"ns","name":"b"},"eventTime":"2024-01-01T00:00:00.000000Z","reportingController":"c","reportingInstance":"i","action":"B","reason":"R","type":"Normal"})"),
      R"(422: action: Invalid value: "B": field is immutable; involvedObject: Invalid value: {"Kind":"","Namespace":"ns","Name":"b","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable)");
}

TEST(Event, IsStoredInTheFormOfTheCoreGroup) {
  const Resource& events = builtin("events.k8s.io", "events");
  EXPECT_EQ(events.storage_prefix, builtin("", "events").storage_prefix);
  EXPECT_EQ(events.stored_as->to_string(), "/v1, Kind=Event");
  EXPECT_EQ(events.ttl, std::chrono::hours(1));
}

TEST(Event, ShowsWhenItWasSeenAndOfWhat) {
  EXPECT_EQ(
      row(builtin("", "events"),
          R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p","fieldPath":"spec"},"reason":"R","type":"Normal","message":" hi\n","lastTimestamp":"2024-01-01T23:59:00Z","source":{"component":"c","host":"h"}})",
          kNow),
      R"(["60s","Normal","R","pod/p","spec","c, h","hi","\u003cunknown\u003e",1,"e"])");
  EXPECT_EQ(
      row(builtin("events.k8s.io", "events"),
          R"({"metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"p"},"eventTime":"2024-01-01T23:50:00.000000Z","note":"n","reportingController":"c","series":{"count":4,"lastObservedTime":"2024-01-01T23:59:50.000000Z"}})",
          kNow),
      R"(["10s","","","pod/p","","c","n","10m",4,"e"])");
}

TEST(Event, CanBeSelectedByItsObject) {
  value::Document document;
  document.root() = value::Value::object({});
  value::Value involved = value::Value::object({});
  involved.set("name", value::Value::string("p"), document.arena());
  document.root().set("involvedObject", involved, document.arena());
  document.root().set("reportingComponent", value::Value::string("c"), document.arena());
  const BuiltinStrategy& strategy = *builtin("", "events").strategy;
  EXPECT_EQ(strategy.field(document.root(), "involvedObject.name"), "p");
  EXPECT_EQ(strategy.field(document.root(), "source"), "c");
  EXPECT_EQ(strategy.field(document.root(), "reason"), "");
}

TEST(Lease, LastsForSomeTime) {
  expect_creates(
      builtin("coordination.k8s.io", "leases"),
      {{R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15,"renewTime":"2024-01-01T01:00:00.000000+01:00","strategy":"X"}})",
        R"({"metadata":{"name":"l","namespace":"ns"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15,"renewTime":"2024-01-01T00:00:00.000000Z"}})"},
       {R"({"metadata":{"name":"l"}})", R"({"metadata":{"name":"l","namespace":"ns"},"spec":{}})"},
       {R"({"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":-1,"leaseTransitions":-1}})",
        "422: spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0; "
        "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"},
       {R"({"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":3000000000}})",
        "400: json: cannot unmarshal number 3000000000 into Go struct field "
        "LeaseSpec.spec.leaseDurationSeconds of type int32"}});
  EXPECT_TRUE(builtin("coordination.k8s.io", "leases").create_on_update);
  EXPECT_EQ(row(builtin("coordination.k8s.io", "leases"),
                R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"h"}})", kNow),
            R"(["l","h","\u003cunknown\u003e"])");
}

}  // namespace
}  // namespace strake::kinds
