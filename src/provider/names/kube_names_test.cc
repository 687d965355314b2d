#include "provider/names/kube_names.h"

#include <gtest/gtest.h>

#include "meta/names.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

Labels labels_in(const Value& object) {
  Labels out;
  for (const auto& [key, text] : object.members()) out.emplace(key, text_of(text));
  return out;
}

TEST(KubeNames, AreThoseRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "kube-names.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const Value& input = one.get("input");
    const Value& want = one.get("expect");
    const auto names = KubeNames::of({.workspace = std::string(text_of(input, "ws")),
                                      .provider = std::string(text_of(input, "prv")),
                                      .cluster = std::string(text_of(input, "cls")),
                                      .app = std::string(text_of(input, "app"))},
                                     text_of(input, "component"));
    ASSERT_TRUE(names) << names.error().message();
    const std::pair<std::string_view, std::string> texts[] = {
        {"namespace", names->namespace_name()},
        {"resourceName", names->resource_name()},
        {"selector", names->selector()},
        {"headlessSelector", names->headless_selector()},
        {"ingressDefaultName", names->default_ingress_name()},
        {"ingressCustomName", names->custom_ingress_name()},
        {"kubectlContext", names->kubectl_context()},
        {"secretBase", names->base_secret_name("web")},
        {"secretOverride", names->override_secret_name("web")},
        {"secretPull", names->pull_secret_name()},
        {"configMap", names->config_map_name("nginx-conf")},
        {"secretFile", names->file_secret_name("api-key")}};
    for (const auto& [what, text] : texts) EXPECT_EQ(text, text_of(want, what)) << what;
    EXPECT_EQ(names->base_labels(), labels_in(want.get("baseLabels")));
    EXPECT_EQ(names->component_labels(), labels_in(want.get("componentLabels")));
    EXPECT_EQ(names->namespace_annotations("aks"), labels_in(want.get("namespaceAnnotations")));
    const auto ports = input.get("ports").items();
    const auto hosts = want.get("defaultHosts").items();
    ASSERT_EQ(ports.size(), hosts.size());
    for (std::size_t i = 0; i < ports.size(); ++i) {
      EXPECT_EQ(names->default_host(ports[i].as_int(), text_of(input, "domain")),
                text_of(hosts[i]));
    }
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 3U, 2U));
}

TEST(KubeNames, OfVolumesEndInTheHashOfTheirHandle) {
  const Hashes hashes = hashes_of("aks-e2e-gitea-20250925-060355", "aks1", "cluster1", "app1");
  const std::string handle =
      "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/"
      "k4x-50vf7y_app_app1_13o40q/providers/Microsoft.Compute/disks/"
      "k4x-50vf7y_disk_default_0t4mrd528u3s_13o40q";
  EXPECT_EQ(volume_claim_name(hashes, "default", handle), "k4x-50vf7y-default-13o40q-48ygyf");
  EXPECT_NE(volume_claim_name(hashes, "default", meta::to_lower_ascii(handle)),
            volume_claim_name(hashes, "default", handle));
}

TEST(KubeNames, FitWhateverTheAppIsNamed) {
  const OwnerNames owner = {
      .workspace = "w", .provider = "p", .cluster = "c", .app = std::string(kMaxAppName, 'a')};
  const auto names = KubeNames::of(owner);
  ASSERT_TRUE(names) << names.error().message();
  EXPECT_EQ(names->namespace_name().size(), 63U);
  EXPECT_TRUE(meta::check_dns1123_label(names->namespace_name()).empty());
  EXPECT_TRUE(meta::check_dns1123_subdomain(names->default_host(65535, "example.test")).empty());
  for (const auto& [key, value] : names->component_labels())
    EXPECT_TRUE(meta::check_label_value(value).empty()) << key;

  OwnerNames longer = owner;
  longer.app += 'a';
  const auto refused = KubeNames::of(longer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error_class(), FailureClass::kValidation);
  EXPECT_EQ(refused.error().message(),
            "app name \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" must be at most 45 "
            "characters, got 46: the name of its namespace would be too long");

  EXPECT_TRUE(KubeNames::of(owner, std::string(17, 'b')));
  const auto box = KubeNames::of(owner, std::string(18, 'b'));
  ASSERT_FALSE(box);
  EXPECT_NE(box.error().message().find("together must be at most 62 characters, got 63"),
            std::string::npos)
      << box.error().message();
}

TEST(KubeNames, AreRefusedForNamesThatAreNoLabels) {
  for (const std::string_view app : {"", "App", "-a", "a.b", "a b"}) {
    const auto checked = check_app_name(app);
    ASSERT_FALSE(checked) << app;
    EXPECT_EQ(checked.error().error_class(), FailureClass::kValidation);
  }
  EXPECT_FALSE(KubeNames::of({.workspace = {}, .provider = {}, .cluster = {}, .app = "a"}, ""));
}

TEST(KubeNames, FindWhatAnAppHasInOneClusterAlone) {
  const auto one = KubeNames::of({.workspace = "w", .provider = "p", .cluster = "c", .app = "a"});
  const auto box =
      KubeNames::of({.workspace = "w", .provider = "p", .cluster = "c", .app = "a"}, "box");
  const auto other = KubeNames::of({.workspace = "w", .provider = "p", .cluster = "d", .app = "a"});
  ASSERT_TRUE(one && box && other);
  EXPECT_EQ(one->instance_selector(), box->instance_selector());
  EXPECT_NE(one->instance_selector(), other->instance_selector());
  EXPECT_EQ(one->namespace_name(), other->namespace_name());
  EXPECT_EQ(one->access_role_name(), "a-access");
  EXPECT_EQ(one->account_name(), "a");
}

}  // namespace
}  // namespace strake::provider
