#include "kinds/pods/pod_security.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/pods/pod_security_checks.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

constexpr SecurityLevel kBaseline = SecurityLevel::kBaseline;
constexpr SecurityLevel kRestricted = SecurityLevel::kRestricted;

Document parsed(std::string_view json) { return *value::read_json(json); }

std::string faults_of(const LevelVersion& policy, std::string_view spec,
                      std::string_view annotations = "{}") {
  const Document metadata = parsed(fmt::format(R"({{"annotations":{}}})", annotations));
  return join_faults(check_pod_security(policy, metadata.root(), parsed(spec).root()));
}

std::string baseline(std::string_view spec, std::string_view annotations = "{}") {
  return faults_of({kBaseline}, spec, annotations);
}

std::string container(std::string_view more, std::string_view name = "c") {
  return fmt::format(R"({{"name":"{}"{}}})", name, more);
}
std::string context(std::string_view members) {
  return container(fmt::format(R"(,"securityContext":{{{}}})", members));
}
std::string pod_of(std::string_view containers, std::string_view more = "") {
  return fmt::format(R"({{"containers":[{}]{}}})", containers, more);
}

// What the restricted level asks of every pod.
constexpr std::string_view kTidyContext =
    R"("allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]})";
constexpr std::string_view kTidyPod =
    R"(,"securityContext":{"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}})";

TEST(PodSecurityPolicy, IsReadOfTheLabelsOfANamespace) {
  const auto read = [](std::string_view labels) {
    const Document name_space = parsed(fmt::format(R"({{"metadata":{{"labels":{}}}}})", labels));
    value::FieldErrors errors;
    const SecurityPolicy policy = security_policy_of(name_space.root(), errors);
    return fmt::format("{} {} {} {}", policy.enforce.to_string(), policy.audit.to_string(),
                       policy.warn.to_string(), errors.empty() ? "" : value::aggregate(errors));
  };
  EXPECT_EQ(read("{}"), "privileged:latest privileged:latest privileged:latest ");
  // Warnings follow what is enforced.
  EXPECT_EQ(
      read(
          R"({"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/enforce-version":"v1.30"})"),
      "baseline:v1.30 privileged:latest baseline:v1.30 ");
  EXPECT_EQ(
      read(
          R"({"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/warn-version":"v1.9","pod-security.kubernetes.io/audit":"restricted"})"),
      "baseline:latest restricted:latest baseline:v1.9 ");
  EXPECT_EQ(
      read(
          R"({"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/warn":"privileged"})"),
      "baseline:latest privileged:latest privileged:latest ");
  EXPECT_EQ(
      read(
          R"({"pod-security.kubernetes.io/enforce":"strict","pod-security.kubernetes.io/warn":"x","pod-security.kubernetes.io/enforce-version":"v1.01"})"),
      "restricted:latest privileged:latest privileged:latest "
      R"([metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, )"
      R"(metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "v1.01": must be "latest" or "v1.x", )"
      R"(metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "x": must be one of privileged, baseline, restricted])");
}

TEST(PodSecurity, AllowsEverythingWherePodsArePrivileged) {
  EXPECT_EQ(faults_of({}, pod_of(context(R"("privileged":true)"), R"(,"hostNetwork":true)")), "");
}

TEST(PodSecurity, OfTheBaselineKeepsPodsFromTheirNode) {
  struct Case {
    std::string spec;
    std::string_view want;
  };
  const Case cases[] = {
      {pod_of(container("")), ""},
      {pod_of(context(R"("privileged":true)")),
       R"(privileged (container "c" must not set securityContext.privileged=true))"},
      {pod_of(
           container(R"(,"ports":[{"hostPort":80},{"hostPort":443},{"containerPort":1}])"),
           R"(,"hostNetwork":true,"hostPID":true,"hostIPC":true,"volumes":[{"name":"h","hostPath":{}},{"name":"e","emptyDir":{}}])"),
       R"(host namespaces (hostNetwork=true, hostPID=true, hostIPC=true), hostPath volumes (volume "h"), hostPort (container "c" uses hostPorts 443, 80))"},
      {R"({"initContainers":[)" +
           container(R"(,"securityContext":{"capabilities":{"add":["NET_RAW","CHOWN"]}})", "i") +
           R"(],"containers":[)" + context(R"("capabilities":{"add":["SYS_ADMIN"]})") + "]}",
       R"(non-default capabilities (containers "i", "c" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add))"},
      {pod_of(context(R"("appArmorProfile":{"type":"Unconfined"})"),
              R"(,"securityContext":{"appArmorProfile":{"type":"Unconfined"}})"),
       R"(forbidden AppArmor profile (pod and container "c" must not set AppArmor profile type to "Unconfined"))"},
      {pod_of(container(
           R"(,"livenessProbe":{"httpGet":{"host":"a"}},"lifecycle":{"preStop":{"tcpSocket":{"host":"b"}}})")),
       R"(probe or lifecycle host (container "c" uses probe or lifecycle hosts "a", "b"))"},
      {pod_of(context(R"("procMount":"Unmasked")")),
       R"(procMount (container "c" must not set securityContext.procMount to "Unmasked"))"},
      {pod_of(context(R"("procMount":"Unmasked")"), R"(,"hostUsers":false)"), ""},
      {pod_of(context(R"("seLinuxOptions":{"type":"x","user":"u"})"),
              R"(,"securityContext":{"seLinuxOptions":{"role":"r"}})"),
       R"(seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set))"},
      {pod_of(context(R"("seLinuxOptions":{"type":"container_engine_t"})")), ""},
      {pod_of(context(R"("seccompProfile":{"type":"Unconfined"})")),
       R"(seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined"))"},
      {pod_of(
           container(""),
           R"(,"securityContext":{"sysctls":[{"name":"net.ipv4.tcp_rmem"},{"name":"a"},{"name":"b"}]})"),
       "forbidden sysctls (a, b)"},
      {pod_of(context(R"("windowsOptions":{"hostProcess":true})"),
              R"(,"securityContext":{"windowsOptions":{"hostProcess":true}})"),
       R"(hostProcess (pod and container "c" must not set securityContext.windowsOptions.hostProcess=true))"},
  };
  for (const Case& one : cases) EXPECT_EQ(baseline(one.spec), one.want) << one.spec;
}

TEST(PodSecurity, LooksAtTheAnnotationsOfOlderVersions) {
  EXPECT_EQ(
      baseline(
          pod_of(container("")),
          R"({"container.apparmor.security.beta.kubernetes.io/c":"unconfined","container.apparmor.security.beta.kubernetes.io/d":"localhost/x","container.apparmor.security.beta.kubernetes.io/e":"","container.apparmor.security.beta.kubernetes.io/f":"runtime/default"})"),
      R"(forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined""))");
  constexpr std::string_view kSeccomp =
      R"({"seccomp.security.alpha.kubernetes.io/pod":"unconfined","container.seccomp.security.alpha.kubernetes.io/c":"x"})";
  EXPECT_EQ(
      faults_of({kBaseline, 18}, pod_of(container("")), kSeccomp),
      R"(seccompProfile (forbidden annotations container.seccomp.security.alpha.kubernetes.io/c="x", seccomp.security.alpha.kubernetes.io/pod="unconfined"))");
  EXPECT_EQ(faults_of({kBaseline, 19}, pod_of(container("")), kSeccomp), "");
}

TEST(PodSecurity, IsThatOfTheVersionThatTheNamespaceNames) {
  const std::string sysctl = pod_of(
      container(""), R"(,"securityContext":{"sysctls":[{"name":"net.ipv4.tcp_keepalive_time"}]})");
  EXPECT_EQ(faults_of({kBaseline, 28}, sysctl), "forbidden sysctls (net.ipv4.tcp_keepalive_time)");
  EXPECT_EQ(faults_of({kBaseline, 29}, sysctl), "");
  const std::string probe = pod_of(container(R"(,"startupProbe":{"tcpSocket":{"host":"a"}})"));
  EXPECT_EQ(faults_of({kBaseline, 33}, probe), "");
  EXPECT_NE(faults_of({kBaseline, 34}, probe), "");
  const std::string engine = pod_of(context(R"("seLinuxOptions":{"type":"container_engine_t"})"));
  EXPECT_NE(faults_of({kBaseline, 30}, engine), "");
  // Versions that are still to come are as the latest.
  EXPECT_EQ(faults_of({kBaseline, 99}, engine), "");
  EXPECT_EQ(
      faults_of({kRestricted, 7}, pod_of(container(""))),
      R"(runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true))");
}

TEST(PodSecurity, OfTheRestrictedLevelAsksForHardenedPods) {
  struct Case {
    std::string spec;
    std::string_view want;
  };
  const Case cases[] = {
      {pod_of(context(kTidyContext), kTidyPod), ""},
      {pod_of(container("")),
       R"(allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), )"
       R"(unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), )"
       R"(runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), )"
       R"(seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"))"},
      {pod_of(
           context(
               R"("allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"],"add":["SYS_ADMIN","NET_BIND_SERVICE"]})"),
           kTidyPod),
       R"(unrestricted capabilities (container "c" must not include "SYS_ADMIN" in securityContext.capabilities.add))"},
      {pod_of(
           context(kTidyContext),
           R"(,"securityContext":{"runAsNonRoot":false,"runAsUser":0,"seccompProfile":{"type":"Unconfined"}})"),
       "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false), "
       "runAsUser=0 (pod must not set runAsUser=0), "
       R"(seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined"))"},
      {pod_of(
           context(kTidyContext),
           R"(,"volumes":[{"name":"h","hostPath":{}},{"name":"n","nfs":{}},{"name":"s","secret":{}},{"name":"x"}])" +
               std::string(kTidyPod)),
       R"(restricted volume types (volumes "h", "n", "x" use restricted volume types "hostPath", "nfs", "unknown"))"},
      // The mount is refused although the pod has users of its own; running as root is not.
      {pod_of(context(std::string(kTidyContext) + R"(,"procMount":"Unmasked","runAsUser":0)"),
              R"(,"hostUsers":false,"securityContext":{"seccompProfile":{"type":"Localhost"}})"),
       R"(procMount (container "c" must not set securityContext.procMount to "Unmasked"))"},
      {pod_of(context(R"("runAsNonRoot":true)"), R"(,"os":{"name":"windows"})"), ""},
  };
  for (const Case& one : cases) EXPECT_EQ(faults_of({kRestricted}, one.spec), one.want) << one.spec;
  EXPECT_EQ(faults_of({kRestricted, 24},
                      pod_of(context(R"("runAsNonRoot":true)"), R"(,"os":{"name":"windows"})"))
                .find("allowPrivilegeEscalation"),
            0u);
}

// The version in which each rule came, or changed.
TEST(PodSecurity, ChangesWithVersions) {
  struct Boundary {
    SecurityLevel level;
    std::string spec;
    std::string_view reason;
    std::int64_t since;
    bool forbidden_since;
  };
  const std::string own_root =
      pod_of(context(R"("procMount":"Unmasked","runAsUser":0)"), R"(,"hostUsers":false)");
  const std::string windows = pod_of(container(""), R"(,"os":{"name":"windows"})");
  const std::string plain = pod_of(container(""));
  const std::string capable = pod_of(context(R"("capabilities":{"add":["NET_RAW"]})"));
  const Boundary cases[] = {
      {kRestricted, plain, "allowPrivilegeEscalation", 8, true},
      {kRestricted, plain, "unrestricted capabilities", 22, true},
      {kRestricted, capable, "non-default capabilities", 22, false},
      {kRestricted, plain, "seccompProfile", 19, true},
      {kRestricted, windows, "allowPrivilegeEscalation", 25, false},
      {kRestricted, windows, "unrestricted capabilities", 25, false},
      {kRestricted, windows, "seccompProfile", 25, false},
      {kRestricted, own_root, "runAsNonRoot", 35, false},
      {kBaseline, own_root, "procMount", 35, false},
      {kBaseline, pod_of(context(R"("seccompProfile":{"type":"x"})")), "seccompProfile", 19, true},
  };
  for (const Boundary& one : cases) {
    EXPECT_EQ(faults_of({one.level, one.since - 1}, one.spec).contains(one.reason),
              !one.forbidden_since)
        << one.reason << " " << one.spec;
    EXPECT_EQ(faults_of({one.level, one.since}, one.spec).contains(one.reason), one.forbidden_since)
        << one.reason << " " << one.spec;
  }
  // Root is refused in between.
  for (const std::int64_t minor : {22, 23, 34, 35}) {
    EXPECT_EQ(faults_of({kRestricted, minor}, own_root).contains("runAsUser=0"),
              minor == 23 || minor == 34);
  }
  // The mount is refused in all versions, once.
  for (const std::int64_t minor : {34, 35}) {
    const std::string all = faults_of({kRestricted, minor}, own_root);
    EXPECT_NE(all.find("procMount ("), std::string::npos);
    EXPECT_EQ(all.find("procMount ("), all.rfind("procMount ("));
  }
}

TEST(PodSecurity, ForbidsPodsAndWarnsOfWhatMakesThem) {
  const SecurityPolicy policy{
      .enforce = {kBaseline, 36}, .audit = {kRestricted, 36}, .warn = {kRestricted, 36}};
  const Document deployment = parsed(R"({"spec":{"template":{"spec":)" +
                                     pod_of(container(""), R"(,"hostIPC":true)") + "}}}");
  const auto part = find_pod_part({"apps", "deployments"}, deployment.root());
  ASSERT_TRUE(part);
  const PodSecurityAnswer warned = judge_pod_security(policy, {}, *part, false);
  EXPECT_EQ(warned.forbidden, "");
  ASSERT_EQ(warned.warnings.size(), 1u);
  EXPECT_TRUE(warned.warnings[0].starts_with(
      R"(would violate PodSecurity "restricted:v1.36": host namespaces (hostIPC=true), allow)"));
  EXPECT_EQ(warned.audit_annotations.at("audit-violations"), warned.warnings[0]);
  const PodSecurityAnswer refused = judge_pod_security(policy, {}, *part, true);
  EXPECT_EQ(refused.forbidden,
            R"(violates PodSecurity "baseline:v1.36": host namespaces (hostIPC=true))");
  EXPECT_TRUE(refused.warnings.empty());
  EXPECT_EQ(refused.audit_annotations.at("enforce-policy"), "baseline:v1.36");
}

TEST(PodSecurity, KnowsWherePodsAreMadeFrom) {
  const Document empty = parsed("{}");
  EXPECT_TRUE(find_pod_part({"", "pods"}, empty.root()));
  EXPECT_FALSE(find_pod_part({"", "services"}, empty.root()));
  EXPECT_FALSE(find_pod_part({"", "replicationcontrollers"}, empty.root()));
  EXPECT_TRUE(find_pod_part({"batch", "cronjobs"},
                            parsed(R"({"spec":{"jobTemplate":{"spec":{"template":{}}}}})").root()));
  EXPECT_TRUE(find_pod_part({"", "podtemplates"}, parsed(R"({"template":{}})").root()));
}

TEST(PodSecurity, LooksAtUpdatesOfImagesAndContainers) {
  const auto changes = [](std::string_view old, std::string_view now) {
    return is_significant_pod_update(parsed(now).root(), parsed(old).root());
  };
  constexpr std::string_view kPod =
      R"({"spec":{"containers":[{"name":"c","image":"a"}],"ephemeralContainers":[{"name":"e","image":"x"}]}})";
  EXPECT_FALSE(changes(kPod, kPod));
  EXPECT_FALSE(changes(
      kPod,
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"a"}]}})"));
  EXPECT_TRUE(changes(kPod, R"({"spec":{"containers":[{"name":"c","image":"b"}]}})"));
  EXPECT_TRUE(
      changes(kPod, R"({"spec":{"containers":[{"name":"c","image":"a"}],"initContainers":[{}]}})"));
  EXPECT_TRUE(changes(
      kPod,
      R"({"spec":{"containers":[{"name":"c","image":"a"}],"ephemeralContainers":[{"name":"f","image":"x"}]}})"));
  EXPECT_TRUE(changes(
      kPod,
      R"({"spec":{"containers":[{"name":"c","image":"a"}],"ephemeralContainers":[{"name":"e","image":"y"}]}})"));
  EXPECT_TRUE(is_ignored_pod_subresource("eviction"));
  EXPECT_FALSE(is_ignored_pod_subresource("ephemeralcontainers"));
}

TEST(NamespaceSecurity, ChecksLabelsThatChangeAndPodsWhenItGetsStricter) {
  const auto judge = [](std::string_view old, std::string_view now) {
    const auto name_space = [](std::string_view enforce) {
      return parsed(fmt::format(
          R"({{"metadata":{{"labels":{{"pod-security.kubernetes.io/enforce":"{}"}}}}}})", enforce));
    };
    const Document before = name_space(old);
    const Document after = name_space(now);
    const auto answer =
        judge_namespace_security(after.root(), old.empty() ? nullptr : &before.root());
    if (!answer.errors.empty()) return std::string("refused");
    return answer.check_pods ? answer.check_pods->to_string() : std::string();
  };
  EXPECT_EQ(judge("", "strict"), "refused");
  EXPECT_EQ(judge("", "restricted"), "");
  EXPECT_EQ(judge("strict", "strict"), "");
  EXPECT_EQ(judge("strict", "stricter"), "refused");
  EXPECT_EQ(judge("privileged", "baseline"), "baseline:latest");
  EXPECT_EQ(judge("baseline", "restricted"), "restricted:latest");
  EXPECT_EQ(judge("restricted", "baseline"), "");
  EXPECT_EQ(judge("restricted", "privileged"), "");
}

TEST(NamespaceSecurity, WarnsOfPodsThatWouldNotBeLetIn) {
  const auto pod = [](std::string_view name, std::string_view spec, std::string_view owner = "") {
    const std::string owners =
        owner.empty()
            ? ""
            : fmt::format(R"(,"ownerReferences":[{{"uid":"{}","controller":true}}])", owner);
    return parsed(fmt::format(R"({{"metadata":{{"name":"{}"{}}},"spec":{}}})", name, owners, spec));
  };
  const std::string shared = pod_of(container(""), R"(,"hostNetwork":true)");
  const std::vector<Document> documents = [&] {
    std::vector<Document> out;
    out.push_back(pod("b", shared, "u"));
    out.push_back(pod("a", shared, "u"));
    out.push_back(pod("z", pod_of(context(R"("privileged":true)"))));
    out.push_back(pod("fine", pod_of(container(""))));
    return out;
  }();
  std::vector<const Value*> pods;
  for (const Document& one : documents) pods.push_back(&one.root());
  EXPECT_EQ(
      existing_pod_warnings("ns", {kBaseline, 36}, pods),
      (std::vector<std::string>{
          R"(existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:v1.36")",
          "a (and 1 other pod): host namespaces", "z: privileged"}));
  EXPECT_TRUE(existing_pod_warnings("ns", {}, pods).empty());
  const std::vector<const Value*> many(kMostPodsToCheck + 1, &documents[3].root());
  EXPECT_EQ(
      existing_pod_warnings("ns", {kBaseline}, many),
      std::vector<std::string>{
          "new PodSecurity enforce level only checked against the first 3000 of 3001 existing "
          "pods"});
}

}  // namespace
}  // namespace strake::kinds
