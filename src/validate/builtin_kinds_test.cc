#include "validate/builtin_kinds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/vectors.h"
#include "validate/checker.h"
#include "value/json_reader.h"

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
            "you mean \"image\"?\n");
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

// Where recordings and manifests say the same in other words: the form of a time was replaced, and
// a number past 64 bits was sent digit by digit, where a client reads it as a float.
std::string as_recorded(std::string text) {
  for (const auto& [ours, theirs] :
       {std::pair<std::string_view, std::string_view>("2006-01-02T15:04:05Z", "<time>"),
        std::pair<std::string_view, std::string_view>("9223372036854776000",
                                                      "9223372036854775808")}) {
    if (const std::size_t at = text.find(ours); at != std::string::npos)
      text.replace(at, ours.size(), theirs);
  }
  return text;
}

// These have a member "Kind" beside their "kind", which the server takes for the same.
bool is_beyond_us(std::string_view file) {
  return file == "core.node/019-c.yaml" || file == "core.pod/103-a.yaml";
}

// What the server said of an object's fields and types: nothing when it took them.
std::set<std::string> recorded(const value::Value& verdict) {
  std::set<std::string> out;
  if (verdict.find("code")->as_int() != 400) return out;
  std::string_view message = verdict.find("status")->find("message")->as_string();
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

TEST(BuiltinKinds, AgreeWithRecordedVerdictsOnFieldsAndTypes) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const std::string lines = testing::read_file(folder / "verdicts.jsonl");
  value::JsonReader reader(lines, {});
  Catalog catalog({.unknown = UnknownFields::kStrict, .kubernetes_minor = 36});
  const Checker checker(catalog, nullptr, {});
  std::size_t agreed = 0;
  std::size_t total = 0;
  while (true) {
    const auto next = reader.next();
    ASSERT_TRUE(next);
    if (!*next) break;
    const value::Value& verdict = (*next)->root();
    const std::string file(verdict.find("file")->as_string());
    const FileResult result = checker.check(file, testing::read_file(folder / "manifests" / file));
    std::set<std::string> found;
    for (const DocumentResult& document : result.documents) {
      for (const Finding& finding : document.findings) {
        // The recording sent no namespaces, and no duplicates.
        if (finding.fault.severity == Severity::kError &&
            finding.fault.issue != Issue::kDuplicateKey &&
            finding.path.to_k8s() != "metadata.namespace")
          found.insert(as_recorded(finding.fault.message));
      }
    }
    ++total;
    if (is_beyond_us(file)) continue;
    const std::set<std::string> wanted = recorded(verdict);
    // A server stops at the first type that it cannot decode; we go on.
    const bool same =
        wanted.empty() ? found.empty() : std::ranges::all_of(wanted, [&](const std::string& text) {
          return found.contains(text);
        });
    if (same) {
      ++agreed;
    } else {
      std::string shown;
      for (const std::string& text : found) shown += "\n    got  " + text;
      for (const std::string& text : wanted) shown += "\n    want " + text;
      ADD_FAILURE() << file << shown;
    }
  }
  EXPECT_EQ(total, testing::count_in(folder, 2355u, 3u));
  EXPECT_EQ(agreed, total - testing::count_in(folder, 2u, 0u));
}

}  // namespace
}  // namespace strake::validate
