// What admission does about nodes and classes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/nodes/default_priority_class.h"
#include "kinds/nodes/not_ready_taint.h"
#include "kinds/nodes/runtime_class_admission.h"
#include "kinds/nodes/taints.h"
#include "kinds/nodes/topology_labels.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

Document parsed(std::string_view json) { return *value::read_json(json); }

std::string tainted(std::string_view json) {
  Document node = parsed(json);
  add_not_ready_taint(node.root(), node.arena());
  return value::to_json(node.root());
}

TEST(NotReadyTaint, IsAddedOnce) {
  constexpr std::string_view kTaint =
      R"({"effect":"NoSchedule","key":"node.kubernetes.io/not-ready"})";
  EXPECT_EQ(tainted("{}"), fmt::format(R"({{"spec":{{"taints":[{}]}}}})", kTaint));
  const std::string both =
      fmt::format(R"({{"spec":{{"taints":[{{"effect":"NoSchedule","key":"t"}},{}]}}}})", kTaint);
  EXPECT_EQ(tainted(R"({"spec":{"taints":[{"effect":"NoSchedule","key":"t"}]}})"), both);
  EXPECT_EQ(tainted(both), both);
  // Of another effect it is another taint.
  EXPECT_EQ(
      tainted(
          R"({"spec":{"taints":[{"effect":"NoExecute","key":"node.kubernetes.io/not-ready"}]}})"),
      fmt::format(
          R"({{"spec":{{"taints":[{{"effect":"NoExecute","key":"node.kubernetes.io/not-ready"}},{}]}}}})",
          kTaint));
}

std::string merged(std::string_view first, std::string_view second) {
  const Document a = parsed(first);
  const Document b = parsed(second);
  std::string out;
  for (const Value& one : merge_tolerations(a.root().items(), b.root().items()))
    out += (out.empty() ? "" : ",") + value::to_json(one);
  return "[" + out + "]";
}

TEST(Tolerations, AreMergedWithoutThoseThatOthersCover) {
  struct Case {
    std::string_view first;
    std::string_view second;
    std::string_view want;
  };
  const Case cases[] = {
      {R"([{"key":"a","operator":"Exists"}])", R"([{"key":"a","operator":"Exists"}])",
       R"([{"key":"a","operator":"Exists"}])"},
      {R"([{"key":"a","operator":"Equal","value":"1"},{"key":"b","operator":"Equal","value":"1"}])",
       R"([{"key":"a","operator":"Exists"}])",
       R"([{"key":"b","operator":"Equal","value":"1"},{"key":"a","operator":"Exists"}])"},
      {R"([{"key":"a","operator":"Exists","effect":"NoSchedule"}])", R"([{"operator":"Exists"}])",
       R"([{"operator":"Exists"}])"},
      // An operator that is not given means Equal, but is not covered as Equal is.
      {R"([{"key":"a","value":"1"}])", R"([{"key":"a","operator":"Equal","value":"1"}])",
       R"([{"key":"a","value":"1"}])"},
      {R"([{"key":"a","value":"1"},{"key":"a","effect":"NoSchedule","value":"1"}])", "[]",
       R"([{"key":"a","value":"1"},{"effect":"NoSchedule","key":"a","value":"1"}])"},
      // The longer one covers the shorter, and one without an end all others.
      {R"([{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}])",
       R"([{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":9}])",
       R"([{"effect":"NoExecute","key":"a","operator":"Exists","tolerationSeconds":9}])"},
      {R"([{"key":"a","operator":"Exists","effect":"NoExecute"}])",
       R"([{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":9}])",
       R"([{"effect":"NoExecute","key":"a","operator":"Exists"}])"},
      {R"([{"key":"a","operator":"Equal","value":"1","effect":"NoExecute","tolerationSeconds":5}])",
       R"([{"key":"a","value":"1","effect":"NoExecute","tolerationSeconds":5}])",
       R"([{"effect":"NoExecute","key":"a","tolerationSeconds":5,"value":"1"}])"},
      // What would be refused is left to be refused.
      {R"([{"key":"a","operator":"Exists","value":"1"}])", R"([{"key":"a","operator":"Exists"}])",
       R"([{"key":"a","operator":"Exists","value":"1"},{"key":"a","operator":"Exists"}])"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(merged(one.first, one.second), one.want) << one.first << one.second;
}

// Each with each, so many would take minutes.
TEST(Tolerations, AreMergedInAnyNumber) {
  std::string list;
  for (int i = 0; i < 100'000; ++i) {
    list += fmt::format(
        R"({}{{"key":"k{}","operator":"Equal","effect":"NoExecute","tolerationSeconds":{}}})",
        i == 0 ? "" : ",", i % 50'000, i);
  }
  const Document document = parsed("[" + list + "]");
  EXPECT_EQ(merge_tolerations(document.root().items(), {}).size(), 50'000u);
}

// The pod as it becomes, or the fault.
std::string applied(std::string_view pod_json, std::string_view class_json) {
  Document pod = parsed(pod_json);
  const Document runtime_class = parsed(class_json);
  const auto fault = apply_runtime_class(pod.root(), &runtime_class.root(), pod.arena());
  return fault ? *fault : value::to_json(pod.root());
}

constexpr std::string_view kClass =
    R"({"handler":"runsc","overhead":{"podFixed":{"cpu":"300m"}},)"
    R"("scheduling":{"nodeSelector":{"rt":"x"},"tolerations":[{"key":"rt","operator":"Exists"}]}})";

TEST(RuntimeClassAdmission, GivesThePodWhatItsClassNeeds) {
  EXPECT_EQ(
      applied(
          R"({"spec":{"nodeSelector":{"q":"r"},"tolerations":[{"key":"t","operator":"Exists"}]}})",
          kClass),
      R"({"spec":{"nodeSelector":{"q":"r","rt":"x"},"overhead":{"cpu":"300m"},"tolerations":[{"key":"t","operator":"Exists"},{"key":"rt","operator":"Exists"}]}})");
  EXPECT_EQ(applied(R"({"spec":{"overhead":{"cpu":"0.3"}}})",
                    R"({"overhead":{"podFixed":{"cpu":"300m"}}})"),
            R"({"spec":{"overhead":{"cpu":"300m"}}})");
  EXPECT_EQ(applied(R"({"spec":{}})", R"({"handler":"x"})"), R"({"spec":{}})");
}

TEST(RuntimeClassAdmission, RefusesThePodThatWantsSomethingElse) {
  EXPECT_EQ(
      applied(R"({"spec":{"nodeSelector":{"rt":"y"}}})", kClass),
      "conflict: runtimeClass.scheduling.nodeSelector[rt] = x; pod.spec.nodeSelector[rt] = y");
  EXPECT_EQ(applied(R"({"spec":{"overhead":{"cpu":"1"}}})", kClass),
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  EXPECT_EQ(no_runtime_class("bi-nope"), R"(pod rejected: RuntimeClass "bi-nope" not found)");
}

TEST(RuntimeClassAdmission, JudgesTheOverheadOfEveryPod) {
  const auto fault = [](std::string_view pod, const Value* runtime_class) {
    return runtime_class_fault(parsed(pod).root(), runtime_class).value_or("");
  };
  const Document runtime_class = parsed(kClass);
  EXPECT_EQ(fault(R"({"spec":{"overhead":{"cpu":"0.3"}}})", &runtime_class.root()), "");
  EXPECT_EQ(fault(R"({"spec":{}})", &runtime_class.root()),
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  EXPECT_EQ(fault(R"({"spec":{}})", nullptr), "");
  EXPECT_EQ(fault(R"({"spec":{"overhead":{"cpu":"1"}}})", nullptr),
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  const Document pod = parsed(R"({"spec":{"runtimeClassName":"gvisor"}})");
  EXPECT_EQ(runtime_class_of(pod.root()), "gvisor");
  EXPECT_EQ(runtime_class_of(parsed(R"({"spec":{}})").root()), std::nullopt);
}

TEST(DefaultPriorityClass, IsTheOnlyOne) {
  const Document plain = parsed(R"({"metadata":{"name":"a"}})");
  const Document wanted = parsed(R"({"metadata":{"name":"a"},"globalDefault":true})");
  const auto fault = [](const Document& made, const Document* old, std::string_view current) {
    return second_default_fault(made.root(), old != nullptr ? &old->root() : nullptr, current)
        .value_or("");
  };
  constexpr std::string_view kRefused =
      "PriorityClass b is already marked as default. Only one default can exist";
  EXPECT_EQ(fault(wanted, nullptr, ""), "");
  EXPECT_EQ(fault(wanted, nullptr, "b"), kRefused);
  EXPECT_EQ(fault(wanted, &plain, "b"), kRefused);
  EXPECT_EQ(fault(wanted, &wanted, "a"), "");
  EXPECT_EQ(fault(plain, nullptr, "b"), "");
}

TEST(TopologyLabels, AreThoseOfTheNode) {
  const Document node = parsed(
      R"({"metadata":{"labels":{"topology.kubernetes.io/zone":"z1","topology.kubernetes.io/region":"r1","other":"x"}}})");
  Document binding = parsed(
      R"({"metadata":{"labels":{"topology.kubernetes.io/zone":"mine"}},"target":{"kind":"Node","name":"n"}})");
  EXPECT_EQ(node_of_binding(binding.root()), "n");
  copy_topology_labels(binding.root(), node.root(), binding.arena());
  EXPECT_EQ(
      value::to_json(binding.root()),
      R"({"metadata":{"labels":{"topology.kubernetes.io/region":"r1","topology.kubernetes.io/zone":"z1"}},"target":{"kind":"Node","name":"n"}})");
  Document pod = parsed(R"({"metadata":{"name":"p"},"spec":{"nodeName":"n"}})");
  EXPECT_EQ(node_of_pod(pod.root()), "n");
  copy_topology_labels(pod.root(), parsed(R"({"metadata":{"name":"n"}})").root(), pod.arena());
  EXPECT_EQ(value::to_json(pod.root()), R"({"metadata":{"name":"p"},"spec":{"nodeName":"n"}})");
  EXPECT_EQ(node_of_binding(parsed(R"({"target":{"kind":"Other","name":"n"}})").root()), "");
}

}  // namespace
}  // namespace strake::kinds
