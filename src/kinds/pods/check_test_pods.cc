#include "kinds/pods/check_test_pods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "kinds/fields.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/resource_names.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds::testing {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kSpec = R"(
  "containers":[{"name":"c","image":"i","imagePullPolicy":"Always",
                 "terminationMessagePolicy":"File"}],
  "dnsPolicy":"ClusterFirst","restartPolicy":"Always","securityContext":{},
  "terminationGracePeriodSeconds":30)";

Document parsed(std::string_view json) {
  auto read = value::read_json(json);
  if (!read) {
    std::fprintf(stderr, "a test has bad JSON: %s\n%s\n", read.error().message().c_str(),
                 std::string(json).c_str());
    std::abort();
  }
  return *std::move(read);
}

std::string text_of_errors(const FieldErrors& errors) {
  std::string out;
  for (const value::FieldError& error : errors) {
    if (!out.empty()) out += "; ";
    out += error.to_string();
  }
  return out;
}

std::string lines(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

void set_default(Value& object, std::string_view key, Value value, Arena& arena) {
  const Value* given = object.find(key);
  const bool is_unset = given == nullptr || given->is_null() ||
                        (given->is_string() && given->size() == 0) ||
                        (given->type() == value::Type::kInt && given->as_int() == 0);
  if (is_unset) object.set(key, value, arena);
}

void each(Value& object, std::string_view key, const std::function<void(Value&)>& visit) {
  Value* list = object.find(key);
  if (list == nullptr) return;
  for (Value& one : list->mutable_items()) visit(one);
}

void with(Value& object, std::initializer_list<std::string_view> keys,
          const std::function<void(Value&)>& visit) {
  for (const std::string_view key : keys) {
    if (Value* found = object.find(key); found != nullptr && found->is_object()) visit(*found);
  }
}

void complete_http(Value& handler, Arena& arena) {
  with(handler, {"httpGet"}, [&](Value& http) {
    set_default(http, "path", Value::string("/"), arena);
    set_default(http, "scheme", Value::string("HTTP"), arena);
  });
}

void complete_container(Value& container, bool host_network, Arena& arena) {
  set_default(container, "terminationMessagePolicy", Value::string("File"), arena);
  set_default(container, "imagePullPolicy", Value::string("Always"), arena);
  each(container, "ports", [&](Value& port) {
    set_default(port, "protocol", Value::string("TCP"), arena);
    if (host_network)
      set_default(port, "hostPort", Value::integer(integer(port, "containerPort")), arena);
  });
  each(container, "env", [&](Value& variable) {
    with(variable, {"valueFrom"}, [&](Value& from) {
      with(from, {"fieldRef"},
           [&](Value& ref) { set_default(ref, "apiVersion", Value::string("v1"), arena); });
    });
  });
  with(container, {"resources"}, [&](Value& resources) {
    round_amounts(resources, "limits", arena);
    round_amounts(resources, "requests", arena);
  });
  with(container, {"livenessProbe", "readinessProbe", "startupProbe"}, [&](Value& probe) {
    set_default(probe, "successThreshold", Value::integer(1), arena);
    complete_http(probe, arena);
  });
  with(container, {"lifecycle"}, [&](Value& lifecycle) {
    with(lifecycle, {"postStart", "preStop"}, [&](Value& hook) { complete_http(hook, arena); });
  });
}

void complete_volume(Value& volume, Arena& arena) {
  if (volume.size() <= 1) volume.set("emptyDir", Value::object({}), arena);
  with(volume, {"image"},
       [&](Value& image) { set_default(image, "pullPolicy", Value::string("Always"), arena); });
  const auto complete_refs = [&](Value& source) {
    each(source, "items", [&](Value& file) {
      with(file, {"fieldRef"},
           [&](Value& ref) { set_default(ref, "apiVersion", Value::string("v1"), arena); });
    });
  };
  with(volume, {"downwardAPI"}, complete_refs);
  with(volume, {"projected"}, [&](Value& projected) {
    each(projected, "sources", [&](Value& source) {
      with(source, {"downwardAPI"}, complete_refs);
      with(source, {"serviceAccountToken"}, [&](Value& token) {
        set_default(token, "expirationSeconds", Value::integer(3600), arena);
      });
    });
  });
}

}  // namespace

void complete_pod_spec(Value& spec, Arena& arena) {
  set_default(spec, "dnsPolicy", Value::string("ClusterFirst"), arena);
  set_default(spec, "restartPolicy", Value::string("Always"), arena);
  if (spec.find("terminationGracePeriodSeconds") == nullptr)
    spec.set("terminationGracePeriodSeconds", Value::integer(30), arena);
  set_default(spec, "serviceAccountName", spec.get("serviceAccount"), arena);
  const bool host_network = value::flag_of(spec, "hostNetwork");
  for (const std::string_view key : {"containers", "initContainers", "ephemeralContainers"}) {
    each(spec, key, [&](Value& container) { complete_container(container, host_network, arena); });
  }
  each(spec, "volumes", [&](Value& volume) { complete_volume(volume, arena); });
}

std::string pod_with(std::string_view members, std::string_view metadata) {
  Document base = parsed(fmt::format("{{{}}}", kSpec));
  const Document changes = parsed(fmt::format("{{{}}}", members));
  for (const value::Member& one : changes.root().members())
    base.root().set(one.key, one.value, base.arena());
  return fmt::format(R"({{"metadata":{{{}}},"spec":{}}})", metadata, value::to_json(base.root()));
}

std::string container_with(std::string_view members) {
  Document pod = parsed(pod_with(""));
  const Document changes = parsed(fmt::format("{{{}}}", members));
  Value& spec = pod.root().object_at("spec", pod.arena());
  Value* containers = spec.find("containers");
  if (containers == nullptr) std::abort();
  Value& container = containers->mutable_items()[0];
  for (const value::Member& one : changes.root().members())
    container.set(one.key, one.value, pod.arena());
  return value::to_json(pod.root());
}

std::string volume_with(std::string_view members) {
  return pod_with(fmt::format(R"("volumes":[{{"name":"v",{}}}])", members));
}

std::string errors_of_pod(std::string_view json) {
  const Document pod = parsed(json);
  FieldErrors errors;
  check_pod_spec(pod.root().get("spec"), pod.root().get("metadata"), {}, FieldPath() / "spec",
                 errors);
  return text_of_errors(errors);
}

std::string errors_of_template(std::string_view json) {
  const Document pod_template = parsed(json);
  FieldErrors errors;
  check_pod_template(pod_template.root(), {}, FieldPath() / "t", errors);
  return text_of_errors(errors);
}

std::string errors_of_change(std::string_view old_json, std::string_view json) {
  const Document old = parsed(old_json);
  const Document pod_template = parsed(json);
  FieldErrors errors;
  check_pod_template(
      pod_template.root(),
      {.old_spec = old.root().find("spec"), .old_metadata = old.root().find("metadata")},
      FieldPath() / "t", errors);
  return text_of_errors(errors);
}

std::string warnings_of_pod(std::string_view json) {
  return lines(pod_template_warnings(parsed(json).root(), nullptr, FieldPath()));
}

std::string warnings_of_template(std::string_view json) {
  return lines(pod_template_warnings(parsed(json).root(), nullptr, FieldPath() / "t"));
}

}  // namespace strake::kinds::testing
