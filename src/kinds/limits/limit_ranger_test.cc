#include "kinds/limits/limit_ranger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;

Document parsed(std::string_view json) { return *value::read_json(json); }

Document range(std::string_view items) {
  return parsed(fmt::format(R"({{"spec":{{"limits":{}}}}})", items));
}

std::string filled(std::string_view pod_json, std::string_view items) {
  Document pod = parsed(pod_json);
  const auto fault = set_limit_defaults(pod.root(), range(items).root(), pod.arena());
  return fault ? *fault : value::to_json(pod.root());
}

std::string pod_fault(std::string_view spec, std::string_view items) {
  return pod_limit_fault(parsed(fmt::format(R"({{"spec":{}}})", spec)).root(), range(items).root())
      .value_or("");
}

// A pod of one container with these resources.
std::string of_one(std::string_view resources) {
  return fmt::format(R"({{"containers":[{{"name":"c","resources":{}}}]}})", resources);
}

TEST(LimitRanger, GivesContainersTheirDefaults) {
  constexpr std::string_view kRange =
      R"([{"type":"Container","default":{"cpu":"500m","memory":"1Gi"},"defaultRequest":{"cpu":"500m","memory":"64Mi"}}])";
  EXPECT_EQ(
      filled(
          R"({"metadata":{"name":"lim"},"spec":{"containers":[{"name":"c","resources":{}}],"initContainers":[{"name":"i"}]}})",
          kRange),
      R"({"metadata":{"annotations":{"kubernetes.io/limit-ranger":"LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; cpu, memory request for init container i; cpu, memory limit for init container i"},"name":"lim"},)"
      R"("spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"cpu":"500m","memory":"64Mi"}}}],)"
      R"("initContainers":[{"name":"i","resources":{"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"cpu":"500m","memory":"64Mi"}}}]}})");
  // What a container has stays.
  EXPECT_EQ(
      filled(
          R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"a.b/c":"1","cpu":"2","z.z/z":"1"},"requests":{"cpu":"1","memory":"1"}}}]}})",
          kRange),
      R"({"metadata":{"annotations":{"kubernetes.io/limit-ranger":"LimitRanger plugin set: memory limit for container c"}},)"
      R"("spec":{"containers":[{"name":"c","resources":{"limits":{"a.b/c":"1","cpu":"2","memory":"1Gi","z.z/z":"1"},"requests":{"cpu":"1","memory":"1"}}}]}})");
  constexpr std::string_view kPod = R"({"spec":{"containers":[{"name":"c"}]}})";
  EXPECT_EQ(filled(kPod, R"([{"type":"Pod","max":{"cpu":"1"}}])"), kPod);
}

TEST(LimitRanger, GivesNoMoreThanAnObjectCanHold) {
  std::string amounts;
  std::string containers;
  for (int i = 0; i < 2000; ++i) {
    amounts += fmt::format(R"({}"a.b/{}":"1")", i == 0 ? "" : ",", i);
    containers += fmt::format(R"({}{{"name":"c"}})", i == 0 ? "" : ",");
  }
  EXPECT_EQ(filled(fmt::format(R"({{"spec":{{"containers":[{}]}}}})", containers),
                   fmt::format(R"([{{"type":"Container","default":{{{}}}}}])", amounts)),
            "the defaults of its containers are too many");
}

TEST(LimitRanger, RefusesContainersOutsideOfTheirLimits) {
  struct Case {
    std::string_view resources;
    std::string_view item;
    std::string_view want;
  };
  const Case cases[] = {
      {R"({"limits":{"cpu":"3"}})", R"("max":{"cpu":"2"})",
       "maximum cpu usage per Container is 2, but limit is 3"},
      {R"({})", R"("max":{"cpu":"2"})",
       "maximum cpu usage per Container is 2.  No limit is specified"},
      {R"({"limits":{"cpu":"2"},"requests":{"cpu":"2500m"}})", R"("max":{"cpu":"2"})",
       "maximum cpu usage per Container is 2, but request is 2500m"},
      {R"({"limits":{"cpu":"1"}})", R"("min":{"cpu":"500m"})",
       "minimum cpu usage per Container is 500m.  No request is specified"},
      {R"({"limits":{"cpu":"1"},"requests":{"cpu":"499m"}})", R"("min":{"cpu":"500m"})",
       "minimum cpu usage per Container is 500m, but request is 499m"},
      {R"({"limits":{"cpu":"100m"},"requests":{"cpu":"1"}})", R"("min":{"cpu":"500m"})",
       "minimum cpu usage per Container is 500m, but limit is 100m"},
      {R"({"limits":{"cpu":"2"},"requests":{"cpu":"500m"}})",
       R"("maxLimitRequestRatio":{"cpu":"3"})",
       "cpu max limit to request ratio per Container is 3, but provided ratio is 4.000000"},
      {R"({"limits":{"cpu":"2"}})", R"("maxLimitRequestRatio":{"cpu":"3"})",
       "cpu max limit to request ratio per Container is 3, but no request is specified or request "
       "is 0"},
      {R"({"requests":{"cpu":"2"}})", R"("maxLimitRequestRatio":{"cpu":"3"})",
       "cpu max limit to request ratio per Container is 3, but no limit is specified or limit is "
       "0"},
      {R"({"limits":{"cpu":"3","memory":"9Ei"},"requests":{"cpu":"1","memory":"1Gi"}})",
       R"("min":{"cpu":"1"},"max":{"cpu":"3"},"maxLimitRequestRatio":{"cpu":"3"})", ""},
      {R"({})", R"("min":{"memory":"1"},"max":{"cpu":"2"})",
       "[minimum memory usage per Container is 1.  No request is specified, maximum cpu usage per "
       "Container is 2.  No limit is specified]"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(
        pod_fault(of_one(one.resources), fmt::format(R"([{{"type":"Container",{}}}])", one.item)),
        one.want)
        << one.resources << one.item;
  }
}

TEST(LimitRanger, SaysTheSameOfManyContainersOnce) {
  EXPECT_EQ(pod_fault(R"({"containers":[{},{}],"initContainers":[{}]})",
                      R"([{"type":"Container","max":{"cpu":"2"}}])"),
            "maximum cpu usage per Container is 2.  No limit is specified");
}

TEST(LimitRanger, AddsUpThePod) {
  constexpr std::string_view kMax = R"([{"type":"Pod","max":{"cpu":"2"}}])";
  const auto limit = [](std::string_view cpu, std::string_view more = "") {
    return fmt::format(R"({{"resources":{{"limits":{{"cpu":"{}"}}}}{}}})", cpu, more);
  };
  const auto spec = [](std::string_view containers, std::string_view init,
                       std::string_view more = "") {
    return fmt::format(R"({{"containers":[{}],"initContainers":[{}]{}}})", containers, init, more);
  };
  const std::string two = limit("1") + "," + limit("1");
  EXPECT_EQ(pod_fault(spec(two, limit("2")), kMax), "");
  EXPECT_EQ(pod_fault(spec(two + "," + limit("1m"), ""), kMax),
            "maximum cpu usage per Pod is 2, but limit is 2001m");
  EXPECT_EQ(pod_fault(spec(limit("1"), limit("3")), kMax),
            "maximum cpu usage per Pod is 2, but limit is 3");
  // One that stays runs beside the containers and beside those that start after it.
  const std::string stays = limit("500m", R"(,"restartPolicy":"Always")");
  EXPECT_EQ(pod_fault(spec(two, stays), kMax),
            "maximum cpu usage per Pod is 2, but limit is 2500m");
  EXPECT_EQ(pod_fault(spec(limit("1"), limit("2") + "," + stays), kMax), "");
  EXPECT_EQ(pod_fault(spec(limit("1"), stays + "," + limit("2")), kMax),
            "maximum cpu usage per Pod is 2, but limit is 2500m");
  // What the pod says of itself as a whole counts instead.
  EXPECT_EQ(pod_fault(spec(limit("9"), "", R"(,"resources":{"limits":{"cpu":"2"}})"), kMax), "");
}

TEST(LimitRanger, LimitsTheStorageOfClaims) {
  const auto fault = [](std::string_view requests, std::string_view item) {
    return claim_limit_fault(
               parsed(fmt::format(R"({{"spec":{{"resources":{{"requests":{}}}}}}})", requests))
                   .root(),
               range(fmt::format(R"([{{"type":"PersistentVolumeClaim",{}}}])", item)).root())
        .value_or("");
  };
  EXPECT_EQ(fault(R"({"storage":"1Mi"})", R"("min":{"storage":"1Gi"})"),
            "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi");
  EXPECT_EQ(fault(R"({"storage":"2Gi"})", R"("max":{"storage":"1Gi"})"),
            "maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi");
  EXPECT_EQ(fault("{}", R"("max":{"storage":"1Gi"})"),
            "maximum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified");
  EXPECT_EQ(fault(R"({"storage":"1Gi"})", R"("min":{"storage":"1Gi"},"max":{"storage":"1Gi"})"),
            "");
}

// As many faults as there are pairs of containers and limits would take minutes to print.
TEST(LimitRanger, RefusesAnyNumberOfContainersByAnyNumberOfLimits) {
  std::string amounts;
  std::string containers;
  for (int i = 0; i < 20'000; ++i) {
    amounts += fmt::format(R"({}"a.b/{}":"1")", i == 0 ? "" : ",", i);
    containers += fmt::format(R"({}{{"name":"c{}"}})", i == 0 ? "" : ",", i);
  }
  const std::string fault =
      pod_fault(fmt::format(R"({{"containers":[{}]}})", containers),
                fmt::format(R"([{{"type":"Container","max":{{{}}}}}])", amounts));
  EXPECT_TRUE(
      fault.starts_with("[maximum a.b/0 usage per Container is 1.  No limit is specified,"));
  EXPECT_LT(fault.size(), 1u << 20);
}

}  // namespace
}  // namespace strake::kinds
