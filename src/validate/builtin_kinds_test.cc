#include "validate/builtin_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include "support/vectors.h"
#include "validate/checker.h"
#include "validate/old_objects.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using ::testing::HasSubstr;

std::string check(std::string_view text, int minor = 36,
                  UnknownFields unknown = UnknownFields::kStrict) {
  Catalog catalog({.unknown = unknown, .kubernetes_minor = minor});
  const FileResult result = Checker(catalog, nullptr, {}).check("a.yaml", text);
  std::string out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& f : document.findings) {
      out += fmt::format("{}:{} {} {} {}{}{}\n", f.position ? f.position->line : 0,
                         f.position ? f.position->column : 0, to_string(f.fault.severity),
                         to_string(f.fault.issue), f.fault.message,
                         f.fault.hint.empty() ? "" : " = ", f.fault.hint);
    }
  }
  return out;
}

constexpr std::string_view kDeployment = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx
        resources:
          limits: {cpu: 500m, memory: 1Gi}
          requests: {cpu: 0.5}
        ports:
        - containerPort: 80
        livenessProbe:
          httpGet: {port: http}
)";

// The text with one line in place of another.
std::string with(std::string_view old, std::string_view line) {
  std::string out(kDeployment);
  const std::size_t at = out.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return out.replace(at, old.size(), line);
}

TEST(BuiltinKinds, TakeWhatAServerTakes) { EXPECT_EQ(check(kDeployment), ""); }

TEST(BuiltinKinds, FindUnknownFieldsWhereTheyStand) {
  EXPECT_EQ(check(with("  replicas: 2", "  replica: 2")),
            "6:3 error unknown_key unknown field \"spec.replica\" = did you mean \"replicas\"?\n");
  EXPECT_EQ(check(with("        image: nginx", "        imag: nginx")),
            "15:9 error unknown_key unknown field \"spec.template.spec.containers[0].imag\" = did "
            "you mean \"image\"?\n14:9 error required Required value\n");
  EXPECT_THAT(check(with("  name: web\nspec", "  nam: web\nspec")),
              HasSubstr("4:3 error unknown_key unknown field \"metadata.nam\""));
  EXPECT_THAT(check(with("  replicas: 2", "  replica: 2"), 36, UnknownFields::kWarn),
              HasSubstr("6:3 warning unknown_key"));
  EXPECT_EQ(check(with("  replicas: 2", "  replica: 2"), 36, UnknownFields::kPrune), "");
}

TEST(BuiltinKinds, FindWrongTypesInTheWordsOfTheServer) {
  const std::string head =
      "Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal ";
  EXPECT_EQ(check(with("  replicas: 2", "  replicas: two")),
            fmt::format("6:13 error invalid_type {}string into Go struct field "
                        "DeploymentSpec.spec.replicas of type int32 = a number is wanted here, "
                        "without quotes\n",
                        head));
  EXPECT_THAT(check(with("labels: {app: web}", "labels: {app: 1}")),
              HasSubstr("11:21 error invalid_type"));
  EXPECT_THAT(check(with("labels: {app: web}", "labels: {app: 1}")),
              HasSubstr("put it in quotes to make it a string"));
  EXPECT_THAT(check(with("- containerPort: 80", "- containerPort: \"80\"")),
              HasSubstr("Go struct field ContainerPort.spec.template.spec.containers.ports."
                        "containerPort of type int32"));
  EXPECT_THAT(check(with("cpu: 500m", "cpu: lots")),
              HasSubstr("17:25 error invalid_format Deployment in version \"v1\" cannot be handled "
                        "as a Deployment: quantities must match the regular expression"));
  EXPECT_THAT(check(with("port: http", "port: [1]")), HasSubstr("of type int32"));
}

TEST(BuiltinKinds, TellEveryFaultAtOnce) {
  const std::string text =
      with("  replicas: 2", "  replicas: two\n  paused: \"yes\"\n  minReadySecond: 1");
  EXPECT_EQ(std::ranges::count(check(text), '\n'), 3);
}

TEST(BuiltinKinds, AreThoseOfTheVersionThatIsAskedFor) {
  const std::string text =
      with("        image: nginx", "        image: nginx\n        restartPolicyRules: []");
  EXPECT_EQ(check(text, 34), "");
  EXPECT_EQ(
      check(text, 33),
      "16:9 error unknown_key unknown field "
      "\"spec.template.spec.containers[0].restartPolicyRules\" = Kubernetes has it since 1.34\n");
  EXPECT_EQ(check("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n", 33),
            "2:7 error schema_missing no schema for kind \"DeviceClass\" in version "
            "\"resource.k8s.io/v1\" = Kubernetes has it since 1.34\n");
}

// From Kubernetes' deprecation guide, and the tags of its API.
TEST(BuiltinKinds, ComeAndGoWithVersions) {
  struct Case {
    std::string_view api_version;
    std::string_view kind;
    int minor;
    std::string_view hint;  // empty when the version has it
  };
  constexpr Case kCases[] = {
      {"extensions/v1beta1", "Ingress", 36, "no more since 1.22: use networking.k8s.io/v1 Ingress"},
      {"apps/v1beta2", "Deployment", 36, "no more since 1.16: use apps/v1 Deployment"},
      {"policy/v1beta1", "PodDisruptionBudget", 36,
       "no more since 1.25: use policy/v1 PodDisruptionBudget"},
      {"policy/v1beta1", "PodSecurityPolicy", 36, "no more since 1.25\n"},
      {"batch/v1beta1", "CronJob", 36, "no more since 1.25: use batch/v1 CronJob"},
      {"discovery.k8s.io/v1beta1", "EndpointSlice", 36,
       "no more since 1.25: use discovery.k8s.io/v1 EndpointSlice"},
      {"events.k8s.io/v1beta1", "Event", 36, "no more since 1.25: use events.k8s.io/v1 Event"},
      {"node.k8s.io/v1beta1", "RuntimeClass", 36,
       "no more since 1.25: use node.k8s.io/v1 RuntimeClass"},
      {"autoscaling/v2beta1", "HorizontalPodAutoscaler", 36,
       "no more since 1.25: use autoscaling/v2 HorizontalPodAutoscaler"},
      {"autoscaling/v2beta2", "HorizontalPodAutoscaler", 26,
       "no more since 1.26: use autoscaling/v2 HorizontalPodAutoscaler"},
      {"storage.k8s.io/v1beta1", "CSIStorageCapacity", 27,
       "no more since 1.27: use storage.k8s.io/v1 CSIStorageCapacity"},
      {"flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", 32,
       "no more since 1.32: use flowcontrol.apiserver.k8s.io/v1 FlowSchema"},
      {"flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", 31, ""},
      {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", 28, "Kubernetes has it since 1.29"},
      {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", 29, ""},
      {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", 29,
       "Kubernetes has it since 1.30"},
      {"networking.k8s.io/v1", "ServiceCIDR", 32, "Kubernetes has it since 1.33"},
      {"networking.k8s.io/v1", "ServiceCIDR", 33, ""},
      {"resource.k8s.io/v1", "ResourceClaim", 33, "Kubernetes has it since 1.34"},
  };
  for (const Case& one : kCases) {
    const std::string found = check(
        fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{name: a}}\n", one.api_version, one.kind),
        one.minor);
    SCOPED_TRACE(fmt::format("{} {} in 1.{}", one.api_version, one.kind, one.minor));
    EXPECT_EQ(found.contains("schema_missing"), !one.hint.empty()) << found;
    EXPECT_THAT(found, HasSubstr(std::string(one.hint)));
  }
}

TEST(BuiltinKinds, HaveFieldsSinceTheVersionThatBroughtThem) {
  const auto deployment = [](std::string_view line) {
    const std::string_view next =
        line.starts_with("        ") ? "        image: nginx" : "      containers:";
    return with(next, fmt::format("{}\n{}", line, next));
  };
  struct Case {
    std::string text;
    int since;
  };
  const Case cases[] = {
      {deployment("        resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}]"), 27},
      {deployment("      initContainers: [{name: s, image: s, restartPolicy: Always}]"), 28},
      {deployment("        lifecycle: {preStop: {sleep: {seconds: 1}}}"), 29},
      {deployment("      securityContext: {appArmorProfile: {type: RuntimeDefault}}"), 30},
      {deployment("      securityContext: {supplementalGroupsPolicy: Merge}"), 31},
      {deployment("      resources: {limits: {cpu: 1}}"), 32},
      {deployment("      hostnameOverride: h"), 34},
      {"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports: [{port: 80}]\n"
       "  trafficDistribution: PreferSameZone\n",
       30},
      {"apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  completions: 1\n"
       "  completionMode: Indexed\n  backoffLimitPerIndex: 1\n  template:\n    spec:\n"
       "      restartPolicy: Never\n      containers: [{name: c, image: i}]\n",
       28},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(check(one.text, one.since), "") << one.text;
    const std::string before = check(one.text, one.since - 1);
    EXPECT_THAT(before, HasSubstr("unknown_key unknown field"));
    EXPECT_THAT(before, HasSubstr(fmt::format("= Kubernetes has it since 1.{}\n", one.since)));
  }
}

TEST(BuiltinKinds, AreShownToTheRulesOfTheirKind) {
  EXPECT_EQ(check(with("  name: web\nspec", "  name: Web\nspec")).substr(0, 62),
            "4:9 error invalid_format Invalid value: \"Web\": a lowercase RFC");
  EXPECT_THAT(check(with("labels: {app: web}", "labels: {app: www}")),
              HasSubstr("11:15 error invalid_format Invalid value: {\"app\":\"www\"}: `selector` "
                        "does not match template `labels`"));
  // What defaults fill in is no finding, and is not what errors are about.
  EXPECT_EQ(check("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
                  "spec: {ports: [{port: 80}]}\n"),
            "");
  EXPECT_THAT(check("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
                    "spec: {type: NodePort, ports: [{port: 80, nodePort: 80}]}\n"),
              HasSubstr("4:53 warning too_small Invalid value: 80: provided port is not in the "
                        "valid range. The range of valid ports is 30000-32767 = a server that was "
                        "started with another --service-node-port-range takes other ports"));
  // Only a cluster knows its addresses.
  EXPECT_EQ(check("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
                  "spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}\n"),
            "");
}

TEST(BuiltinKinds, WarnAsTheServerDoes) {
  EXPECT_EQ(check("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
                  "spec:\n  externalIPs: [192.0.2.1]\n  ports: [{port: 80}]\n"),
            "5:16 warning custom spec.externalIPs is deprecated and may no longer be implemented "
            "in some clusters\n");
  EXPECT_THAT(check("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n"
                    "  annotations:\n    kubernetes.io/ingress.class: x\n"
                    "spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}\n"),
              HasSubstr("6:34 warning custom annotation \"kubernetes.io/ingress.class\""));
}

// An object that is replaced, from another file.
TEST(BuiltinKinds, AreJudgedAsUpdatesBesideAnOldObject) {
  OldObjects old;
  ASSERT_TRUE(old.add(kDeployment, {}));
  Catalog catalog({.unknown = UnknownFields::kStrict, .kubernetes_minor = 36});
  const auto messages = [&](std::string_view text) {
    std::string out;
    for (const DocumentResult& document :
         Checker(catalog, &old, {}).check("a.yaml", text).documents)
      for (const Finding& f : document.findings) out += f.fault.message + "\n";
    return out;
  };
  EXPECT_EQ(messages(kDeployment), "");
  EXPECT_EQ(messages(with("  replicas: 2", "  replicas: 3")), "");
  std::string other = with("matchLabels: {app: web}", "matchLabels: {app: www}");
  other.replace(other.find("labels: {app: web}"), 18, "labels: {app: www}");
  EXPECT_THAT(messages(other), HasSubstr("field is immutable"));
}

TEST(BuiltinKinds, AreWrittenWithDefaultsWhenTheyPass) {
  Catalog catalog({.kubernetes_minor = 36});
  CheckOptions options;
  options.output = Output::kStored;
  const FileResult result =
      Checker(catalog, nullptr, options)
          .check(
              "a.yaml",
              "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80}]}\n");
  ASSERT_TRUE(result.documents[0].output);
  EXPECT_EQ(
      value::to_json(result.documents[0].output->root()),
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"internalTrafficPolicy":"Cluster","ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None","type":"ClusterIP"}})");
}

TEST(BuiltinKinds, WarnOfWhatIsDeprecated) {
  EXPECT_EQ(check("apiVersion: v1\nkind: Endpoints\nmetadata: {name: a}\n"),
            "1:13 warning custom v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 "
            "EndpointSlice\n");
  EXPECT_EQ(check("apiVersion: v1\nkind: Endpoints\nmetadata: {name: a}\n", 32), "");
}

TEST(BuiltinKinds, SayWhatBecameOfThoseThatAreGone) {
  EXPECT_EQ(
      check("apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\n"),
      "2:7 error schema_missing no schema for kind \"Ingress\" in version "
      "\"extensions/v1beta1\" = Kubernetes has it no more since 1.22: use networking.k8s.io/v1 "
      "Ingress\n");
  EXPECT_THAT(check("apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\n"
                    "metadata: {name: a}\n",
                    30),
              HasSubstr("warning custom its fields were not checked"));
}

TEST(BuiltinKinds, SayWhereAKindIs) {
  EXPECT_THAT(check("apiVersion: v1\nkind: Deployment\nmetadata: {name: a}\n"),
              HasSubstr("= Deployment is in apps/v1\n"));
  EXPECT_THAT(check("apiVersion: apps/v1\nkind: Deploymnet\nmetadata: {name: a}\n"),
              HasSubstr("= did you mean \"Deployment\"?"));
}

TEST(KubernetesVersion, IsReadInTheFormsPeopleWrite) {
  EXPECT_EQ(kubernetes_minor("1.36").value_or(0), 36);
  EXPECT_EQ(kubernetes_minor("v1.30.4").value_or(0), 30);
  for (const std::string_view wrong : {"", "1", "2.1", "1.x", "1.30rc1", "1.9", "1.99"})
    EXPECT_FALSE(kubernetes_minor(wrong)) << wrong;
}

// --- what kube-apiserver 1.36 said of published manifests

// Where recordings and manifests say the same in other words: times and identities were replaced,
// and a number past 64 bits was sent digit by digit, where a client reads it as a float.
std::string as_recorded(std::string text) {
  static const std::regex& uid = *new std::regex(R"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})");
  text = std::regex_replace(text, uid, "<uid>");
  for (const auto& [ours, theirs] :
       {std::pair<std::string_view, std::string_view>("2006-01-02T15:04:05Z", "<time>"),
        std::pair<std::string_view, std::string_view>("_xxxxx", "_<sfx>"),
        std::pair<std::string_view, std::string_view>("9223372036854776000",
                                                      "9223372036854775808")}) {
    for (std::size_t at = text.find(ours); at != std::string::npos; at = text.find(ours))
      text.replace(at, ours.size(), theirs);
  }
  return text;
}

// The server said something that a file alone cannot tell, and why.
struct BeyondUs {
  std::string_view file;
  std::string_view why;
};
constexpr std::string_view kPriorities = "asks which priority classes there are";
constexpr std::string_view kRuntimes = "asks which runtime classes there are";
constexpr std::string_view kAddresses = "asks which addresses the cluster has for services";
constexpr std::string_view kFamilies = "asks which families of addresses the cluster has";
constexpr std::string_view kKinds = "Kind beside kind: a server takes them for the same";
constexpr BeyondUs kBeyondUs[] = {
    {"core.node/019-c.yaml", kKinds},       {"core.pod/020-b.yaml", kPriorities},
    {"core.pod/037-b.yaml", kPriorities},   {"core.pod/040.yaml", kPriorities},
    {"core.pod/041.yaml", kPriorities},     {"core.pod/042.yaml", kRuntimes},
    {"core.pod/043.yaml", kRuntimes},       {"core.pod/053-b.yaml", kRuntimes},
    {"core.pod/070.yaml", kPriorities},     {"core.pod/083-b.yaml", kPriorities},
    {"core.pod/096.yaml", kRuntimes},       {"core.pod/103-a.yaml", kKinds},
    {"core.service/008.yaml", kAddresses},  {"core.service/009.yaml", kAddresses},
    {"core.service/020.yaml", kAddresses},  {"core.service/021.yaml", kAddresses},
    {"core.service/024.yaml", kFamilies},   {"core.service/025.yaml", kFamilies},
    {"core.service/035-a.yaml", kFamilies}, {"core.service/047-a.yaml", kAddresses},
    {"core.service/065.yaml", kAddresses},  {"core.service/076.yaml", kAddresses},
    {"core.service/092.yaml", kAddresses},
};

// Objects without a name were sent as "x".
constexpr std::string_view kNameless =
    "FieldValueRequired metadata.name: Required value: name or generateName is required";

using Lines = std::set<std::string>;

// "<uid>" stands for whatever a server gave.
std::string cause(std::string_view reason, std::string_view field, std::string_view message) {
  return as_recorded(fmt::format("{} {}: {}", reason, field, message));
}

// Of "299 - \"text\"", the text.
std::string warning_text(std::string_view header) {
  header.remove_prefix(header.find('"') + 1);
  header.remove_suffix(1);
  std::string out;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    out += header[i];
  }
  return as_recorded(out);
}

// What the server said: causes, unknown fields, or the words of its decoder.
Lines recorded_errors(const value::Value& verdict) {
  Lines out;
  const value::Value* status = verdict.find("status");
  if (status == nullptr) return out;
  if (verdict.find("code")->as_int() == 422) {
    for (const value::Value& one : status->get("details").get("causes").items()) {
      out.insert(cause(value::text_of(one, "reason"), value::text_of(one, "field"),
                       value::text_of(one, "message")));
    }
    return out;
  }
  std::string_view message = status->find("message")->as_string();
  constexpr std::string_view kForbidden = " is forbidden: ";
  if (const std::size_t at = message.find(kForbidden); at != std::string_view::npos)
    message.remove_prefix(at + kForbidden.size());
  constexpr std::string_view kStrict = "strict decoding error: ";
  const std::size_t strict = message.find(kStrict);
  if (strict == std::string_view::npos) {
    out.insert(as_recorded(std::string(message)));
    return out;
  }
  message.remove_prefix(strict + kStrict.size());
  while (!message.empty()) {
    const std::size_t end = std::min(message.find("\", "), message.size() - 1) + 1;
    out.emplace(message.substr(0, end));
    message.remove_prefix(std::min(end + 2, message.size()));
  }
  return out;
}

Lines recorded_warnings(const value::Value& verdict) {
  Lines out;
  for (const value::Value& one : verdict.get("warnings").items())
    out.insert(warning_text(one.as_string()));
  return out;
}

struct Found {
  Lines errors;
  Lines warnings;
  std::string nowhere;  // a finding without a place in the file
};

Found found_in(const FileResult& result, bool decoded) {
  Found out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& finding : document.findings) {
      const Fault& fault = finding.fault;
      // The recording sent no namespaces, and no duplicates.
      if (fault.issue == Issue::kDuplicateKey || finding.path.to_k8s() == "metadata.namespace")
        continue;
      // It was a dry run, in which a server does not look at ranges of ports.
      if (fault.message.contains("provided port is not in the valid range")) continue;
      if (!finding.position) out.nowhere = fault.message;
      const bool of_rules = fault.reason.starts_with("FieldValue");
      if (fault.severity == Severity::kWarning) {
        out.warnings.insert(
            as_recorded(fault.field.empty() ? fault.message : fault.field + ": " + fault.message));
      } else if (of_rules) {
        // We go on behind what a server refuses to decode.
        if (decoded) out.errors.insert(cause(fault.reason, fault.field, fault.message));
      } else {
        out.errors.insert(as_recorded(fault.message));
      }
    }
  }
  return out;
}

std::string difference(std::string_view what, const Lines& got, const Lines& want) {
  std::string out;
  for (const std::string& text : got) {
    if (!want.contains(text)) out += fmt::format("\n    {} too many: {}", what, text);
  }
  for (const std::string& text : want) {
    if (!got.contains(text)) out += fmt::format("\n    {} missing:  {}", what, text);
  }
  return out;
}

TEST(BuiltinKinds, GiveTheRecordedVerdicts) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const std::string lines = testing::read_file(folder / "verdicts.jsonl");
  value::JsonReader reader(lines, {});
  Catalog catalog({.unknown = UnknownFields::kStrict, .kubernetes_minor = 36});
  const Checker checker(catalog, nullptr, {});
  std::map<std::int64_t, std::size_t> agreed;
  std::size_t total = 0;
  std::size_t beyond = 0;
  while (true) {
    const auto next = reader.next();
    ASSERT_TRUE(next);
    if (!*next) break;
    ++total;
    const value::Value& verdict = (*next)->root();
    const std::string file(verdict.find("file")->as_string());
    const std::int64_t code = verdict.find("code")->as_int();
    const FileResult result = checker.check(file, testing::read_file(folder / "manifests" / file));
    const Found found = found_in(result, code != 400);
    EXPECT_EQ(found.nowhere, "") << file;
    Lines wanted = recorded_errors(verdict);
    Lines errors = found.errors;
    if (!wanted.contains(std::string(kNameless))) errors.erase(std::string(kNameless));
    // A server stops at the first type that it cannot decode; we go on.
    const bool stopped = code == 400 && !wanted.begin()->starts_with("unknown field");
    if (stopped)
      std::erase_if(errors, [&](const std::string& one) { return !wanted.contains(one); });
    std::string differs = difference("error", errors, wanted);
    if (code == 201 || code == 422)
      differs += difference("warning", found.warnings, recorded_warnings(verdict));
    const auto* known = std::ranges::find(kBeyondUs, file, &BeyondUs::file);
    if (known != std::end(kBeyondUs)) {
      ++beyond;
      EXPECT_NE(differs, "") << file << " agrees by now";
      std::cout << "beyond us: " << file << ": " << known->why << "\n";
    } else if (differs.empty()) {
      ++agreed[code];
    } else {
      ADD_FAILURE() << file << " " << code << differs;
    }
  }
  std::size_t sum = 0;
  for (const auto& [code, count] : agreed) sum += count;
  std::cout << fmt::format("{} of {} verdicts agree, by code {}\n", sum, total, agreed);
  EXPECT_EQ(total, testing::count_in(folder, 2355u, 3u));
  EXPECT_EQ(sum, total - beyond);
}

}  // namespace
}  // namespace strake::validate
