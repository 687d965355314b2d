#include "resource/scale.h"

#include <fmt/format.h>

#include <vector>

#include "value/go_type.h"
#include "value/json_writer.h"

namespace strake::resource {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMostReplicas = 2147483647;

std::string go_value(const Value& v) {
  if (v.is_string()) return std::string(v.as_string());
  return value::to_json(v);
}

struct Found {
  const Value* value = nullptr;
  std::string error;
};

Found find(const Value& object, std::string_view path) {
  const Value* here = &object;
  std::string walked;
  std::string_view rest = path.substr(path.starts_with('.') ? 1 : 0);
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    if (!here->is_object()) {
      return {.error = fmt::format(
                  "{} accessor error: {} is of the type {}, expected map[string]interface{{}}",
                  walked, go_value(*here), go_type(*here))};
    }
    walked += fmt::format(".{}", name);
    here = here->find(name);
    if (here == nullptr || here->is_null()) return {};
  }
  return {.value = here};
}

void add(FieldErrors& errors, const std::string& path, const Value& v, std::string detail) {
  // kube-apiserver 1.36 uses the path as one name, with its leading dot.
  errors.push_back(FieldError::invalid(FieldPath() / path, v, std::move(detail)));
}

void check_replicas(const Value& object, const std::string& path, FieldErrors& errors) {
  if (path.empty()) return;
  const Found found = find(object, path);
  if (!found.error.empty()) return add(errors, path, object, found.error);
  if (found.value == nullptr) return;
  const Value& v = *found.value;
  if (v.type() != value::Type::kInt) {
    return add(errors, path, v,
               fmt::format("{} accessor error: {} is of the type {}, expected int64", path,
                           go_value(v), go_type(v)));
  }
  if (v.as_int() < 0) return add(errors, path, v, "should be a non-negative integer");
  if (v.as_int() > kMostReplicas) {
    add(errors, path, v, fmt::format("should be less than or equal to {}", kMostReplicas));
  }
}

void check_selector(const Value& object, const std::string& path, FieldErrors& errors) {
  if (path.empty()) return;
  const Found found = find(object, path);
  if (!found.error.empty()) return add(errors, path, object, found.error);
  if (found.value == nullptr || found.value->is_string()) return;
  add(errors, path, *found.value,
      fmt::format("{} accessor error: {} is of the type {}, expected string", path,
                  go_value(*found.value), go_type(*found.value)));
}

}  // namespace

FieldErrors validate_scale(const Value& object, const ScalePaths& paths, ScalePart part) {
  FieldErrors errors;
  if (part == ScalePart::kSpecAndStatus) check_replicas(object, paths.spec_replicas, errors);
  check_replicas(object, paths.status_replicas, errors);
  check_selector(object, paths.label_selector, errors);
  return errors;
}

}  // namespace strake::resource
