#include "meta/gvk.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace strake::meta {
namespace {

// v1, v1beta2, v2alpha1; anything else is no Kubernetes version.
struct KubeVersion {
  std::uint64_t major = 0;
  int stability = 2;  // 2 for a release, 1 for beta, 0 for alpha
  std::uint64_t minor = 0;
};

std::optional<std::uint64_t> take_number(std::string_view& text) {
  if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<KubeVersion> read_version(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  KubeVersion out;
  const auto major = take_number(text);
  if (!major) return std::nullopt;
  out.major = *major;
  if (text.empty()) return out;
  if (text.starts_with("alpha")) {
    out.stability = 0;
    text.remove_prefix(5);
  } else if (text.starts_with("beta")) {
    out.stability = 1;
    text.remove_prefix(4);
  } else {
    return std::nullopt;
  }
  const auto minor = take_number(text);
  if (!minor || !text.empty()) return std::nullopt;
  out.minor = *minor;
  return out;
}

}  // namespace

std::string GroupVersion::to_string() const {
  return group.empty() ? version : group + "/" + version;
}
std::string GroupKind::to_string() const { return group.empty() ? kind : kind + "." + group; }
std::string GroupResource::to_string() const {
  return group.empty() ? resource : resource + "." + group;
}
std::string GroupVersionKind::to_string() const { return group + "/" + version + ", Kind=" + kind; }
std::string GroupVersionResource::to_string() const {
  return group + "/" + version + ", Resource=" + resource;
}

Result<GroupVersion> parse_group_version(std::string_view text) {
  // "/" alone counts as empty, as it always has.
  if (text.empty() || text == "/") return GroupVersion{};
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return GroupVersion{"", std::string(text)};
  if (text.find('/', slash + 1) != std::string_view::npos) {
    return fail(Code::kBadRequest, "unexpected GroupVersion string: {}", text);
  }
  return GroupVersion{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

GroupKind parse_group_kind(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {"", std::string(text)};
  return {std::string(text.substr(dot + 1)), std::string(text.substr(0, dot))};
}

GroupResource parse_group_resource(std::string_view text) {
  GroupKind parts = parse_group_kind(text);
  return {std::move(parts.group), std::move(parts.kind)};
}

GroupVersionKind from_api_version_and_kind(std::string_view api_version, std::string_view kind) {
  auto gv = parse_group_version(api_version);
  if (!gv) return {"", "", std::string(kind)};
  return {std::move(gv->group), std::move(gv->version), std::string(kind)};
}

bool version_precedes(std::string_view a, std::string_view b) {
  const auto left = read_version(a);
  const auto right = read_version(b);
  if (!left && !right) return a < b;
  if (!left || !right) return left.has_value();
  if (left->stability != right->stability) return left->stability > right->stability;
  if (left->major != right->major) return left->major > right->major;
  return left->minor > right->minor;
}

}  // namespace strake::meta
