#include "kinds/pods/pod_service_account.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;

Document parsed(std::string_view json) { return *value::read_json(json); }

// The spec of a pod as it is after it was given its account.
std::string given(std::string_view spec, std::string_view account) {
  Document pod = parsed(fmt::format(R"({{"spec":{}}})", spec));
  give_service_account(pod.root(), pod.arena());
  use_service_account(pod.root(), parsed(account).root(), "kube-api-access-abcde", pod.arena());
  return value::to_json(pod.root().get("spec"));
}

std::string fault(std::string_view pod, std::string_view account, bool is_create = true) {
  return service_account_fault(parsed(pod).root(), parsed(account).root(), is_create)
      .value_or("none");
}

constexpr std::string_view kMount =
    R"({"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","name":"kube-api-access-abcde",)"
    R"("readOnly":true})";
constexpr std::string_view kVolume =
    R"({"name":"kube-api-access-abcde","projected":{"defaultMode":420,"sources":[)"
    R"({"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)"
    R"({"configMap":{"items":[{"key":"ca.crt","path":"ca.crt"}],"name":"kube-root-ca.crt"}},)"
    R"({"downwardAPI":{"items":[{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"},)"
    R"("path":"namespace"}]}}]}})";

TEST(PodServiceAccount, MountsATokenIntoEveryContainer) {
  EXPECT_EQ(given(R"({"containers":[{"name":"a"}],"initContainers":[{"name":"b"}]})", "{}"),
            fmt::format(R"({{"containers":[{{"name":"a","volumeMounts":[{0}]}}],)"
                        R"("initContainers":[{{"name":"b","volumeMounts":[{0}]}}],)"
                        R"("serviceAccount":"default","serviceAccountName":"default",)"
                        R"("volumes":[{1}]}})",
                        kMount, kVolume));
}

TEST(PodServiceAccount, KeepsMountsAndVolumesThatArePartOfThePod) {
  const std::string mounted = fmt::format(
      R"({{"containers":[{{"name":"a","volumeMounts":[{{"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","name":"own"}}]}}],)"
      R"("serviceAccount":"x","serviceAccountName":"x"}})");
  EXPECT_EQ(given(mounted, "{}"), mounted);
  EXPECT_EQ(given(R"({"containers":[{"name":"a"}],"serviceAccountName":"x",)"
                  R"("volumes":[{"name":"kube-api-access-own"}]})",
                  "{}"),
            R"({"containers":[{"name":"a","volumeMounts":[)"
            R"({"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount",)"
            R"("name":"kube-api-access-own","readOnly":true}]}],"serviceAccount":"default",)"
            R"("serviceAccountName":"x","volumes":[{"name":"kube-api-access-own"}]})");
}

TEST(PodServiceAccount, MountsNothingWhereThePodOrElseTheAccountSaysSo) {
  constexpr std::string_view kNo = R"({"automountServiceAccountToken":false})";
  constexpr std::string_view kPlain =
      R"({"containers":[{"name":"a"}],"serviceAccount":"default","serviceAccountName":"default"})";
  EXPECT_EQ(given(R"({"containers":[{"name":"a"}]})", kNo), kPlain);
  EXPECT_TRUE(given(R"({"automountServiceAccountToken":true,"containers":[{"name":"a"}]})", kNo)
                  .contains(kVolume));
  EXPECT_FALSE(given(R"({"automountServiceAccountToken":false,"containers":[{"name":"a"}]})", "{}")
                   .contains("volumes"));
}

TEST(PodServiceAccount, GivesItsSecretsForPullingImagesToPodsThatHaveNone) {
  constexpr std::string_view kAccount =
      R"({"automountServiceAccountToken":false,"imagePullSecrets":[{"name":"s"}]})";
  EXPECT_TRUE(
      given(R"({"containers":[]})", kAccount).contains(R"("imagePullSecrets":[{"name":"s"}])"));
  EXPECT_TRUE(given(R"({"imagePullSecrets":[{"name":"own"}]})", kAccount)
                  .contains(R"("imagePullSecrets":[{"name":"own"}])"));
}

TEST(PodServiceAccount, LimitsSecretsToItsOwnWhenItSaysSo) {
  const auto account = [](std::string_view enforced) {
    return fmt::format(
        R"({{"metadata":{{"name":"robot","annotations":{{"kubernetes.io/enforce-mountable-secrets":"{}"}}}},)"
        R"("secrets":[{{"name":"good"}}],"imagePullSecrets":[{{"name":"pull"}}]}})",
        enforced);
  };
  constexpr std::string_view kVolumeOf =
      R"({{"spec":{{"volumes":[{{"secret":{{"secretName":"{}"}}}}]}}}})";
  EXPECT_EQ(fault(fmt::format(kVolumeOf, "bad"), account("false")), "none");
  EXPECT_EQ(fault(fmt::format(kVolumeOf, "bad"), account("yes")), "none");
  EXPECT_EQ(fault(fmt::format(kVolumeOf, "good"), account("true")), "none");
  const struct {
    std::string_view spec;
    std::string_view want;
    bool is_create = true;
  } cases[] = {
      {R"({"volumes":[{"secret":{"secretName":"bad"}}]})",
       R"(volume with secret.secretName="bad")"},
      {R"({"initContainers":[{"name":"i","env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"bad"}}}]}]})",
       R"(init container i with envVar E referencing secret.secretName="bad")"},
      {R"({"containers":[{"name":"c","envFrom":[{"secretRef":{"name":"good"}},{"secretRef":{"name":"bad"}}]}]})",
       R"(container c with envFrom referencing secret.secretName="bad")"},
      {R"({"ephemeralContainers":[{"name":"e","envFrom":[{"secretRef":{"name":"bad"}}]}]})",
       R"(ephemeral container e with envFrom referencing secret.secretName="bad")", false},
  };
  for (const auto& [spec, want, is_create] : cases) {
    EXPECT_EQ(fault(fmt::format(R"({{"spec":{}}})", spec), account("1"), is_create),
              fmt::format("{} is not allowed because service account robot does not reference that "
                          "secret",
                          want));
    EXPECT_EQ(fault(fmt::format(R"({{"spec":{}}})", spec), account("1"), !is_create), "none");
  }
  EXPECT_EQ(
      fault(R"({"spec":{"imagePullSecrets":[{"name":"pull"},{"name":"bad"}]}})", account("t")),
      R"(imagePullSecrets[1].name="bad" is not allowed because service account robot does not )"
      "reference that imagePullSecret");
}

TEST(PodServiceAccount, IsNotForMirrorPods) {
  const auto refused = [](std::string_view spec) {
    return mirror_pod_fault(parsed(fmt::format(R"({{"spec":{}}})", spec)).root()).value_or("none");
  };
  EXPECT_EQ(refused(R"({"containers":[{"name":"a"}]})"), "none");
  EXPECT_EQ(refused(R"({"serviceAccountName":"x"})"),
            "a mirror pod may not reference service accounts");
  for (const std::string_view spec :
       {R"({"volumes":[{"secret":{}}]})", R"({"imagePullSecrets":[{"name":"s"}]})",
        R"({"containers":[{"envFrom":[{"secretRef":{}}]}]})"})
    EXPECT_EQ(refused(spec), "a mirror pod may not reference secrets");
  EXPECT_EQ(refused(R"({"volumes":[{"projected":{"sources":[{"serviceAccountToken":{}}]}}]})"),
            "a mirror pod may not use ServiceAccountToken volume projections");
}

}  // namespace
}  // namespace strake::kinds
