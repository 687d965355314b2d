#include "validate/recognise.h"

#include <gtest/gtest.h>

namespace strake::validate {
namespace {

TEST(KnownFile, IsToldByItsName) {
  EXPECT_EQ(known_file("apps/web/kustomization.yaml"), NotManifest::kKustomization);
  EXPECT_EQ(known_file("package.json"), NotManifest::kNode);
  EXPECT_EQ(known_file("a/pnpm-lock.yaml"), NotManifest::kLock);
  EXPECT_EQ(known_file("docker-compose.yml"), NotManifest::kCompose);
  EXPECT_EQ(known_file("chart/Chart.yaml"), NotManifest::kHelmChart);
  EXPECT_EQ(known_file("deployment.yaml"), NotManifest::kNo);
  EXPECT_EQ(known_file("my-package.json"), NotManifest::kNo);
}

TEST(KnownKind, IsReadByAToolAndTakenByNoServer) {
  EXPECT_EQ(known_kind({"kustomize.config.k8s.io", "v1alpha1", "Component"}),
            NotManifest::kKustomization);
  EXPECT_EQ(known_kind({"kind.x-k8s.io", "v1alpha4", "Cluster"}), NotManifest::kToolConfig);
  EXPECT_EQ(known_kind({"", "v1", "Config"}), NotManifest::kToolConfig);
  EXPECT_EQ(known_kind({"", "v1", "ConfigMap"}), NotManifest::kNo);
  EXPECT_EQ(known_kind({"audit.k8s.io", "v1", "Event"}), NotManifest::kNo);
}

TEST(ChartValues, HaveTheNamesThatChartsGiveThem) {
  EXPECT_TRUE(is_chart_values("values-prod.yaml"));
  EXPECT_TRUE(is_chart_values("ci-values.yaml"));
  EXPECT_FALSE(is_chart_values("service.yaml"));
}

TEST(Template, IsToldByBracesWhereAValueOrALineBegins) {
  EXPECT_TRUE(looks_like_template("a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n"));
  EXPECT_TRUE(looks_like_template("replicas: {{ .Values.replicas }}\n"));
  EXPECT_TRUE(looks_like_template("- {{ item }}\n"));
  EXPECT_TRUE(looks_like_template("{% for x in y %}\n"));
  EXPECT_FALSE(looks_like_template("summary: \"{{ $labels.pod }} is down\"\n"));
  EXPECT_FALSE(looks_like_template("a: {b: {c: 1}}\n"));
  EXPECT_FALSE(looks_like_template("a: {{\n"));
  EXPECT_FALSE(looks_like_template(""));
}

TEST(NotManifest, IsCountedInWords) {
  EXPECT_EQ(counted(NotManifest::kKustomization, 1), "1 kustomization");
  EXPECT_EQ(counted(NotManifest::kHelmTemplate, 2), "2 Helm templates");
  EXPECT_EQ(counted(NotManifest::kHelmTemplate, 2, Locale::kJapanese), "Helm テンプレート 2 件");
}

TEST(Recognise, FindsThePatchesOfAKustomization) {
  EXPECT_EQ(patches_of("patches:\n- path: a.yaml\n- patch: |-\n    x: y\n- path: ../b.yaml\n"
                       "patchesStrategicMerge:\n- c.yaml\n- |\n  kind: X\n"
                       "patchesJson6902:\n- path: d.json\n"),
            (std::vector<std::string>{"a.yaml", "../b.yaml", "d.json", "c.yaml"}));
  EXPECT_TRUE(patches_of("patches: [").empty());
  EXPECT_TRUE(patches_of("patches: text\nresources: [a.yaml]\n").empty());
}

}  // namespace
}  // namespace strake::validate
