#include "pulumi/identity.h"

#include <algorithm>

#include "base/quote.h"
#include "base/trim.h"
#include "meta/names.h"

namespace strake::pulumi {
namespace {

constexpr std::string_view kGroupSuffix = "components.platform";
constexpr std::string_view kFirstVersion = "v1alpha1";
constexpr std::size_t kMaxKind = 63;
constexpr std::size_t kMaxCrdName = 253;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_kind(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, [](char c) {
    return is_upper(c) || is_lower(c) || is_digit(c);
  });
}

// The n-th of the parts between colons; empty when there are not so many.
std::string_view segment(std::string_view token, std::size_t n) {
  for (; n > 0; --n) {
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos) return {};
    token = token.substr(colon + 1);
  }
  return token.substr(0, token.find(':'));
}

// Lower-case letters and digits stay, runs of others become one dash, none at either end.
std::string dashed(std::string_view text) {
  std::string out;
  for (char c : text) {
    c = lower(c);
    if (is_lower(c) || is_digit(c)) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (out.ends_with('-')) out.pop_back();
  return out;
}

std::string kebab(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i > 0 ? text[i - 1] : '\0';
    const bool word_starts =
        is_upper(text[i]) && (is_lower(before) || is_digit(before) ||
                              (is_upper(before) && i + 1 < text.size() && is_lower(text[i + 1])));
    if (word_starts) out += '-';
    out += text[i];
  }
  return dashed(out);
}

std::string group_of(std::string_view package_name, std::string_view token) {
  std::string prefix = dashed(package_name);
  if (prefix.empty()) prefix = dashed(segment(token, 0));
  if (prefix.empty()) return std::string(kGroupSuffix);
  return fmt::format("{}.{}", prefix, kGroupSuffix);
}

std::string version_of(std::string_view text) {
  if (text.starts_with('v')) text = text.substr(1);
  std::string_view major = text.substr(0, text.find('.'));
  if (!std::ranges::all_of(major, is_digit)) return std::string(kFirstVersion);
  major = major.substr(std::min(major.find_first_not_of('0'), major.size()));
  return major.empty() ? std::string(kFirstVersion) : fmt::format("v{}", major);
}

Result<> require(std::string_view flag, std::string_view text, const meta::Messages& messages) {
  if (messages.empty()) return {};
  return fail(Code::kInvalid, "invalid --{}: {}: {}", flag, quote(text),
              meta::join(messages, "; "));
}

Result<> check_identity(const Identity& identity) {
  STRAKE_CHECK(require("group", identity.group, meta::check_dns1123_subdomain(identity.group)));
  if (identity.group.find('.') == std::string::npos) {
    STRAKE_CHECK(require("group", identity.group, {"should be a domain with at least one dot"}));
  }
  STRAKE_CHECK(require("version", identity.version, meta::check_dns1035_label(identity.version)));
  if (!is_kind(identity.kind)) {
    STRAKE_CHECK(
        require("kind", identity.kind, {"must be letters and digits, the first one a letter"}));
  }
  if (identity.kind.size() > kMaxKind) {
    STRAKE_CHECK(require("kind", identity.kind,
                         {fmt::format("must be no more than {} characters", kMaxKind)}));
  }
  STRAKE_CHECK(require("plural", identity.plural, meta::check_dns1035_label(identity.plural)));
  STRAKE_CHECK(
      require("singular", identity.singular, meta::check_dns1035_label(identity.singular)));
  if (identity.crd_name().size() > kMaxCrdName) {
    STRAKE_CHECK(require(
        "plural", identity.plural,
        {fmt::format("with the group it makes a name of more than {} characters", kMaxCrdName)}));
  }
  return {};
}

}  // namespace

Identity derive_identity(std::string_view package_name, std::string_view package_version,
                         std::string_view token) {
  Identity out{.group = group_of(package_name, token), .version = version_of(package_version)};
  std::string_view kind = trim(segment(token, 2));
  kind = kind.substr(kind.find_last_of("/.") + 1);
  if (!is_kind(kind)) {
    out.kind = "Component";
    out.plural = "components";
    out.singular = "component";
    return out;
  }
  out.kind = kind;
  out.singular = kebab(kind);
  out.plural = out.singular + (out.singular.ends_with('s') ? "es" : "s");
  return out;
}

Result<Identity> settle_identity(Identity derived, const Identity& overrides) {
  const auto take = [](std::string& into, const std::string& given) {
    if (!given.empty()) into = given;
  };
  take(derived.group, overrides.group);
  take(derived.version, overrides.version);
  take(derived.kind, overrides.kind);
  take(derived.plural, overrides.plural);
  take(derived.singular, overrides.singular);
  STRAKE_CHECK(check_identity(derived));
  return derived;
}

bool is_protected_group(std::string_view group) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"k8s.io", "kubernetes.io"},
      [&](std::string_view owned) {
        return group == owned ||
               (group.ends_with(owned) && group[group.size() - owned.size() - 1] == '.');
      });
}

}  // namespace strake::pulumi
