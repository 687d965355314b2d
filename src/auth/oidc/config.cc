#include "auth/oidc/config.h"

#include <algorithm>
#include <span>

#include "value/fields.h"
#include "value/known_keys.h"
#include "value/yaml_reader.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::size_t kMostConfigBytes = 1 << 20;
constexpr std::string_view kConfigGroup = "apiserver.config.k8s.io/";
constexpr std::string_view kConfigVersions[] = {"v1", "v1beta1", "v1alpha1"};

// Reads one file strictly; every error says where.
class ConfigReader {
 public:
  explicit ConfigReader(const value::Document& document) : document_(document) {}

  Result<AuthenticationConfig> read() {
    const FieldPath top;
    const Value& root = document_.root();
    STRAKE_CHECK(check_keys(top, {"apiVersion", "kind", "jwt", "anonymous"}));
    std::string_view version = value::text_of(root, "apiVersion");
    const bool ours = version.starts_with(kConfigGroup);
    if (ours) version.remove_prefix(kConfigGroup.size());
    if (!ours || std::ranges::find(kConfigVersions, version) == std::end(kConfigVersions) ||
        value::text_of(root, "kind") != "AuthenticationConfiguration") {
      return wrong(top,
                   "want apiVersion apiserver.config.k8s.io/v1 and kind "
                   "AuthenticationConfiguration");
    }
    AuthenticationConfig out;
    STRAKE_CHECK(each(root, top, "jwt", [&](const Value& from, const FieldPath& at) -> Result<> {
      STRAKE_TRY(JwtConfig one, jwt(from, at));
      out.jwt.push_back(std::move(one));
      return {};
    }));
    STRAKE_TRY(out.anonymous, anonymous(root, top));
    return out;
  }

 private:
  using Keys = std::initializer_list<std::string_view>;

  std::unexpected<Error> wrong(const FieldPath& at, std::string what) const {
    Error error(Code::kInvalid, std::move(what));
    return std::unexpected(std::move(error).at(at).at(document_.position(at)));
  }
  Result<> check_keys(const FieldPath& at, Keys keys) const {
    return value::check_known_keys(document_, at, std::span(keys.begin(), keys.size()));
  }
  Result<std::string> text(const Value& object, const FieldPath& at, std::string_view key) const {
    const Value& found = object.get(key);
    if (!found.is_null() && !found.is_string()) return wrong(at / key, "want a string");
    return std::string(value::text_of(found));
  }
  template <typename Read>
  Result<> each(const Value& object, const FieldPath& at, std::string_view key, Read read) const {
    const Value& list = object.get(key);
    if (list.is_null()) return {};
    if (!list.is_array()) return wrong(at / key, "want a list");
    for (std::size_t i = 0; i < list.items().size(); ++i)
      STRAKE_CHECK(read(list.items()[i], at / key / i));
    return {};
  }

  Result<JwtConfig> jwt(const Value& from, const FieldPath& at) const {
    STRAKE_CHECK(
        check_keys(at, {"issuer", "claimValidationRules", "claimMappings", "userValidationRules"}));
    JwtConfig out;
    STRAKE_TRY(out.issuer, issuer(from, at));
    STRAKE_CHECK(each(from, at, "claimValidationRules",
                      [&](const Value& rule, const FieldPath& here) -> Result<> {
                        STRAKE_CHECK(
                            check_keys(here, {"claim", "requiredValue", "expression", "message"}));
                        ClaimRule& made = out.claim_rules.emplace_back();
                        STRAKE_TRY(made.claim, text(rule, here, "claim"));
                        STRAKE_TRY(made.required_value, text(rule, here, "requiredValue"));
                        STRAKE_TRY(made.expression, text(rule, here, "expression"));
                        STRAKE_TRY(made.message, text(rule, here, "message"));
                        return {};
                      }));
    STRAKE_CHECK(mappings(from, at, out));
    STRAKE_CHECK(each(from, at, "userValidationRules",
                      [&](const Value& rule, const FieldPath& here) -> Result<> {
                        STRAKE_CHECK(check_keys(here, {"expression", "message"}));
                        UserRule& made = out.user_rules.emplace_back();
                        STRAKE_TRY(made.expression, text(rule, here, "expression"));
                        STRAKE_TRY(made.message, text(rule, here, "message"));
                        return {};
                      }));
    return out;
  }

  Result<TokenSource> issuer(const Value& jwt, const FieldPath& above) const {
    TokenSource out;
    const Value& from = jwt.get("issuer");
    if (from.is_null()) return out;
    const FieldPath at = above / "issuer";
    STRAKE_CHECK(check_keys(at, {"url", "discoveryURL", "certificateAuthority", "audiences",
                                 "audienceMatchPolicy", "egressSelectorType"}));
    STRAKE_TRY(out.url, text(from, at, "url"));
    STRAKE_TRY(out.discovery_url, text(from, at, "discoveryURL"));
    STRAKE_TRY(out.certificate_authority, text(from, at, "certificateAuthority"));
    STRAKE_TRY(out.audience_match_policy, text(from, at, "audienceMatchPolicy"));
    STRAKE_TRY(out.egress_selector, text(from, at, "egressSelectorType"));
    STRAKE_CHECK(
        each(from, at, "audiences", [&](const Value& one, const FieldPath& here) -> Result<> {
          if (!one.is_string()) return wrong(here, "want a string");
          out.audiences.emplace_back(one.as_string());
          return {};
        }));
    return out;
  }

  Result<ClaimMapping> mapping(const Value& above, const FieldPath& above_at, std::string_view key,
                               bool with_prefix) const {
    ClaimMapping out;
    const Value& from = above.get(key);
    if (from.is_null()) return out;
    const FieldPath at = above_at / key;
    if (with_prefix) {
      STRAKE_CHECK(check_keys(at, {"claim", "prefix", "expression"}));
    } else {
      STRAKE_CHECK(check_keys(at, {"claim", "expression"}));
    }
    STRAKE_TRY(out.claim, text(from, at, "claim"));
    STRAKE_TRY(out.expression, text(from, at, "expression"));
    if (!from.get("prefix").is_null()) {
      STRAKE_TRY(out.prefix, text(from, at, "prefix"));
    }
    return out;
  }

  Result<> mappings(const Value& jwt, const FieldPath& above, JwtConfig& out) const {
    const Value& from = jwt.get("claimMappings");
    if (from.is_null()) return {};
    const FieldPath at = above / "claimMappings";
    STRAKE_CHECK(check_keys(at, {"username", "groups", "uid", "extra"}));
    STRAKE_TRY(out.username, mapping(from, at, "username", true));
    STRAKE_TRY(out.groups, mapping(from, at, "groups", true));
    STRAKE_TRY(out.uid, mapping(from, at, "uid", false));
    return each(from, at, "extra", [&](const Value& one, const FieldPath& here) -> Result<> {
      STRAKE_CHECK(check_keys(here, {"key", "valueExpression"}));
      ExtraMapping& made = out.extra.emplace_back();
      STRAKE_TRY(made.key, text(one, here, "key"));
      STRAKE_TRY(made.value_expression, text(one, here, "valueExpression"));
      return {};
    });
  }

  Result<std::optional<AnonymousConfig>> anonymous(const Value& root, const FieldPath& top) const {
    const Value& from = root.get("anonymous");
    if (from.is_null()) return std::optional<AnonymousConfig>();
    const FieldPath at = top / "anonymous";
    STRAKE_CHECK(check_keys(at, {"enabled", "conditions"}));
    const Value& enabled = from.get("enabled");
    if (!enabled.is_null() && !enabled.is_bool()) return wrong(at / "enabled", "want a boolean");
    AnonymousConfig out{.enabled = value::flag_of(from, "enabled"), .paths = {}};
    STRAKE_CHECK(
        each(from, at, "conditions", [&](const Value& one, const FieldPath& here) -> Result<> {
          STRAKE_CHECK(check_keys(here, {"path"}));
          STRAKE_TRY(std::string path, text(one, here, "path"));
          out.paths.push_back(std::move(path));
          return {};
        }));
    return std::optional<AnonymousConfig>(std::move(out));
  }

  const value::Document& document_;
};

}  // namespace

bool AnonymousConfig::allows(std::string_view path) const {
  return enabled && (paths.empty() || std::ranges::find(paths, path) != paths.end());
}

Result<AuthenticationConfig> AuthenticationConfig::read(std::string_view text,
                                                        const std::string& file) {
  value::ReadOptions options;
  options.positions = true;
  options.source_name = file;
  options.limits.bytes = kMostConfigBytes;
  STRAKE_TRY(const value::Document document, value::read_yaml(text, options));
  auto config = ConfigReader(document).read();
  if (!config) return std::unexpected(std::move(config).error().in(file));
  return config;
}

}  // namespace strake::auth
