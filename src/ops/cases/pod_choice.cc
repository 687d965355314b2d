#include "ops/cases/pod_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <tuple>

#include "base/quote.h"
#include "provider/install/api_call.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::ops {

using provider::FailureClass;
using provider::Outcome;
using value::text_of;
using value::Value;

namespace {

bool is_ready(const Value& pod) {
  for (const Value& one : pod.get("status").get("conditions").items()) {
    if (text_of(one, "type") == "Ready") return text_of(one, "status") == "True";
  }
  return false;
}

// The greater, the better. Times of the API are text that sorts.
auto rank(const Value& pod) {
  const Value& metadata = pod.get("metadata");
  return std::tuple(metadata.find("deletionTimestamp") == nullptr,
                    text_of(pod.get("status"), "phase") == "Running", is_ready(pod),
                    text_of(metadata, "creationTimestamp"));
}

bool is_better(const Value& a, const Value& b) {
  const auto order = rank(a) <=> rank(b);
  if (order != 0) return order > 0;
  return text_of(a.get("metadata"), "name") < text_of(b.get("metadata"), "name");
}

Outcome<std::string> container_of(const Value& pod, const std::string& wanted) {
  const Value& spec = pod.get("spec");
  if (wanted.empty()) {
    for (const Value& one : spec.get("containers").items())
      return std::string(text_of(one, "name"));
  }
  std::string names;
  for (const std::string_view list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Value& one : spec.get(list).items()) {
      const std::string_view name = text_of(one, "name");
      if (name == wanted) return wanted;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
  }
  return provider::refuse(FailureClass::kNotFound, "container {} not found in pod {}: it has {}",
                          quote(wanted), quote(text_of(pod.get("metadata"), "name")), names);
}

}  // namespace

Outcome<ChosenPod> choose_pod(kube::Objects& objects, const std::string& namespace_name,
                              const std::string& selector, const std::string& container) {
  STRAKE_TRY(const std::vector<value::Document> pages,
             provider::of_api(objects.list({.of = {.api_version = "v1", .kind = "Pod"},
                                            .namespace_name = namespace_name,
                                            .label_selector = selector})));
  const Value* best = nullptr;
  for (const value::Document& page : pages) {
    for (const Value& pod : page.root().get("items").items()) {
      if (best == nullptr || is_better(pod, *best)) best = &pod;
    }
  }
  if (best == nullptr)
    return provider::refuse(FailureClass::kNotFound, "no pod found in namespace {} with {}",
                            namespace_name, selector);
  STRAKE_TRY(std::string name, container_of(*best, container));
  ChosenPod out;
  out.target = {.namespace_name = namespace_name,
                .pod = std::string(text_of(best->get("metadata"), "name")),
                .container = std::move(name)};
  STRAKE_TRY(out.pod, value::read_json(value::to_json(*best), value::ReadOptions::as_api_server()));
  return out;
}

kube::LogRequest log_request(const ChosenPod& pod, const LogOptions& options) {
  kube::LogRequest out{.of = pod.target, .follow = options.follow};
  if (options.tail > 0) out.tail = options.tail;
  return out;
}

}  // namespace strake::ops
