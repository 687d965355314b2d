#include "ops/cases/kubeconfig_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "kube/kubeconfig.h"
#include "ops/cases/test_driver.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::ops {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::shown;

constexpr std::string_view kTwo = R"(
apiVersion: v1
kind: Config
current-context: b
preferences: {colors: true}
clusters:
- {name: ca, cluster: {server: "https://a.test"}}
- {name: cb, cluster: {server: "https://b.test", certificate-authority: ca.pem, x-more: 1}}
users:
- {name: ua, user: {token: s3cret-canary}}
- {name: ub, user: {client-certificate: crt.pem, client-key: key.pem, tokenFile: token}}
contexts:
- {name: a, context: {cluster: ca, user: ua}}
- {name: b, context: {cluster: cb, user: ub, extensions: [{name: e}]}}
)";

Result<std::string> read_test_file(const std::string& path) {
  static const std::map<std::string, std::string> files = {
      {"ca.pem", "CA"}, {"crt.pem", "CRT"}, {"key.pem", "KEY"}, {"token", "tok\n"}};
  const auto found = files.find(path);
  if (found == files.end()) return fail(Code::kNotFound, "{}: No such file or directory", path);
  return found->second;
}

std::string json_of(const Secret& text) {
  return value::to_json(value::read_yaml(text.reveal()).value().root());
}

std::string normalized(std::string_view text, NormalizeKubeconfig how = {}) {
  if (!how.read_file) how.read_file = read_test_file;
  const auto out = normalize_kubeconfig(Secret(std::string(text)), how);
  return out ? json_of(*out) : shown(out);
}

Secret one(const std::string& name, const std::string& server) {
  return normalize_kubeconfig(
             Secret(fmt::format("{{clusters: [{{name: c, cluster: {{server: '{}'}}}}], users: "
                                "[{{name: u, user: {{token: t-{}}}}}], contexts: [{{name: {}, "
                                "context: {{cluster: c, user: u}}}}]}}",
                                server, name, name)),
             {})
      .value();
}

TEST(Kubeconfig, IsNormalisedToOneContextWithItsFilesTakenIn) {
  EXPECT_EQ(
      normalized(kTwo, {.context = "mine", .namespace_name = "ns"}),
      R"({"apiVersion":"v1","clusters":[{"cluster":{"certificate-authority-data":"Q0E=",)"
      R"("server":"https://b.test","x-more":1},"name":"mine"}],"contexts":[{"context":)"
      R"({"cluster":"mine","extensions":[{"name":"e"}],"namespace":"ns","user":"mine"},)"
      R"("name":"mine"}],"current-context":"mine","kind":"Config","users":[{"name":"mine",)"
      R"("user":{"client-certificate-data":"Q1JU","client-key-data":"S0VZ","token":"tok"}}]})");
}

TEST(Kubeconfig, KeepsItsNamesAndNamespaceWhenNoneIsGiven) {
  const std::string text =
      "{clusters: [{name: c, cluster: {server: s}}], contexts: [{name: only, context: {cluster: "
      "c, namespace: kept}}]}";
  EXPECT_EQ(normalized(text),
            R"({"apiVersion":"v1","clusters":[{"cluster":{"server":"s"},"name":"only"}],)"
            R"("contexts":[{"context":{"cluster":"only","namespace":"kept","user":"only"},)"
            R"("name":"only"}],"current-context":"only","kind":"Config","users":[{"name":"only",)"
            R"("user":{}}]})");
}

TEST(Kubeconfig, PrefersTextToFilesButForTokens) {
  const std::string out = normalized(
      "{clusters: [{name: c, cluster: {server: s, certificate-authority: none.pem, "
      "certificate-authority-data: QQ==}}], users: [{name: u, user: {token: old, tokenFile: "
      "token}}], contexts: [{name: x, context: {cluster: c, user: u}}]}");
  EXPECT_THAT(out, HasSubstr(R"("certificate-authority-data":"QQ==")"));
  EXPECT_THAT(out, HasSubstr(R"("token":"tok")"));
  EXPECT_THAT(out, Not(HasSubstr("none.pem")));
}

TEST(Kubeconfig, IsRefusedWithoutShowingWhatIsInIt) {
  const std::pair<std::string_view, std::string_view> all[] = {
      {"", "validation: the kubeconfig has no context"},
      {"[]", "validation: the kubeconfig is no object"},
      {"{kind: Pod}", "validation: the kubeconfig has the kind \"Pod\""},
      {"a: [\n s3cret-canary: {", "validation: the kubeconfig cannot be read"},
      {"{contexts: [{name: a}, {name: b}]}",
       "validation: the kubeconfig has 2 contexts, and none of them is current"},
      {"{current-context: x}", "validation: context \"x\" not found"},
      {"{contexts: [{name: x, context: {cluster: c}}]}", "validation: cluster \"c\" not found"},
      {"{contexts: {x: s3cret-canary}}",
       "validation: contexts of the kubeconfig must be a list of entries with names"},
      {"{clusters: [{name: c, cluster: {certificate-authority: none}}], contexts: [{name: x, "
       "context: {cluster: c}}]}",
       "validation: certificate-authority: none: No such file or directory"},
  };
  for (const auto& [text, says] : all) {
    const std::string out = normalized(text);
    EXPECT_TRUE(out.starts_with(says)) << out;
    EXPECT_THAT(out, Not(HasSubstr("canary")));
  }
  const auto no_files = normalize_kubeconfig(Secret(std::string(kTwo)), {});
  EXPECT_EQ(shown(no_files),
            "validation: certificate-authority names the file \"ca.pem\", and files are not read "
            "here");
  EXPECT_EQ(shown(merge_kubeconfig(Secret(), Secret("{current-context: x}"), {})),
            "validation: the new kubeconfig is not normalised");
}

TEST(Kubeconfig, IsMergedUnderTheFirstFreeName) {
  Secret text;
  for (const std::string_view name : {"a", "a-1", "a-2"}) {
    const auto merged = merge_kubeconfig(text, one("a", "https://x.test"), {});
    ASSERT_TRUE(merged) << shown(merged);
    EXPECT_EQ(merged->context, name);
    EXPECT_EQ(merged->current, name == "a");
    EXPECT_TRUE(merged->changed);
    text = merged->text;
  }
  const auto read = kube::Kubeconfig::read(text.reveal(), "x").value();
  EXPECT_EQ(read.current_context, "a");
  ASSERT_EQ(read.contexts.size(), 3U);
  EXPECT_EQ(read.contexts.at("a-2").cluster, "a-2");
  EXPECT_EQ(read.contexts.at("a-2").user, "a-2");
}

TEST(Kubeconfig, ReplacesEntriesWhenForced) {
  const Secret first = merge_kubeconfig(Secret(), one("a", "https://old.test"), {}).value().text;
  const Secret both = merge_kubeconfig(first, one("b", "https://b.test"), {}).value().text;
  const auto merged =
      merge_kubeconfig(both, one("a", "https://new.test"), {.force = true, .set_current = true});
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->context, "a");
  const auto read = kube::Kubeconfig::read(merged->text.reveal(), "x").value();
  EXPECT_EQ(read.clusters.at("a").server, "https://new.test");
  EXPECT_EQ(read.clusters.at("b").server, "https://b.test");
  EXPECT_EQ(read.clusters.size(), 2U);
  const auto again = merge_kubeconfig(merged->text, one("a", "https://new.test"),
                                      {.force = true, .set_current = true});
  EXPECT_FALSE(again.value().changed);
  EXPECT_EQ(again->text.reveal(), merged->text.reveal());
}

TEST(Kubeconfig, KeepsWhatItDoesNotKnow) {
  const Secret existing(
      "{apiVersion: v1, kind: Config, x-extra: {a: 1}, preferences: {colors: true}, clusters: "
      "[{name: z, cluster: {server: s, x-mine: 2}, x-note: 3}], current-context: z}");
  const auto merged = merge_kubeconfig(existing, one("a", "https://a.test"), {});
  const std::string out = json_of(merged.value().text);
  EXPECT_THAT(out, HasSubstr(R"("x-extra":{"a":1})"));
  EXPECT_THAT(out, HasSubstr(R"({"cluster":{"server":"s","x-mine":2},"name":"z","x-note":3})"));
  EXPECT_THAT(out, HasSubstr(R"("current-context":"z")"));
  EXPECT_EQ(merged->plan(), "dry-run: will add/update 3 entry(ies); context=a current=false");
}

TEST(Kubeconfig, IsWrittenInBothFormats) {
  EXPECT_EQ(parse_kubeconfig_format("json").value(), KubeconfigFormat::kJson);
  EXPECT_EQ(parse_kubeconfig_format("yaml").value(), KubeconfigFormat::kYaml);
  EXPECT_FALSE(parse_kubeconfig_format("JSON"));
  const Secret json =
      merge_kubeconfig(Secret(), one("a", "https://a.test"), {}, KubeconfigFormat::kJson)
          .value()
          .text;
  EXPECT_TRUE(json.reveal().starts_with("{\n  \"apiVersion\": \"v1\""));
  EXPECT_TRUE(json.reveal().ends_with("}\n"));
  EXPECT_EQ(json_of(json),
            json_of(merge_kubeconfig(Secret(), one("a", "https://a.test"), {}).value().text));
}

// Of any sequence of merges: an independent model of the entries by name.
TEST(Kubeconfig, MergesAsAModelOfItsEntriesDoes) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    Secret text;
    std::map<std::string, std::string> model;  // name to server
    std::string current;
    for (int step = 0; step < 8; ++step) {
      const std::string name = std::array{"a", "b", "a-1"}.at(random() % 3);
      const std::string server = fmt::format("https://{}-{}.test", seed, step);
      const MergeKubeconfig how{.force = random() % 2 == 0, .set_current = random() % 3 == 0};
      const Secret single = one(name, server);
      // Normalising what is normalised changes nothing.
      ASSERT_EQ(normalize_kubeconfig(single, {}).value().reveal(), single.reveal());
      const auto merged = merge_kubeconfig(text, single, how);
      ASSERT_TRUE(merged) << shown(merged);
      std::string wanted = name;
      for (int i = 1; !how.force && model.contains(wanted); ++i)
        wanted = fmt::format("{}-{}", name, i);
      model[wanted] = server;
      if (current.empty() || how.set_current) current = wanted;
      ASSERT_EQ(merged->context, wanted);
      ASSERT_EQ(merged->current, current == wanted);
      text = merged->text;
      const auto read = kube::Kubeconfig::read(text.reveal(), "x").value();
      ASSERT_EQ(read.current_context, current);
      ASSERT_EQ(read.clusters.size(), model.size());
      ASSERT_EQ(read.users.size(), model.size());
      ASSERT_EQ(read.contexts.size(), model.size());
      for (const auto& [key, url] : model) {
        ASSERT_EQ(read.contexts.at(key).cluster, key);
        ASSERT_EQ(read.contexts.at(key).user, key);
        ASSERT_EQ(read.clusters.at(key).server, url);
      }
      // What was merged can be taken out again as it went in.
      if (merged->current) {
        ASSERT_EQ(
            normalize_kubeconfig(text, {.context = name, .namespace_name = {}}).value().reveal(),
            single.reveal());
      }
    }
  }
}

}  // namespace
}  // namespace strake::ops
