// semver, isSemver and what a version can be asked: the rules of blang/semver v4.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <expected>

#include "base/quote.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kSemverType{TypeKind::kObject, false, "kubernetes.Semver"};

bool is_number(std::string_view s) {
  return std::ranges::all_of(s, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_identifier(std::string_view s) {
  return std::ranges::all_of(s, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

bool has_leading_zero(std::string_view s) { return s.size() > 1 && s.front() == '0'; }

using Number = std::expected<std::uint64_t, std::string>;

Number parse_uint(std::string_view s) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), out);
  if (error == std::errc::result_out_of_range) {
    return std::unexpected(
        fmt::format("strconv.ParseUint: parsing {}: value out of range", quote(s)));
  }
  if (error != std::errc() || end != s.data() + s.size()) {
    return std::unexpected(fmt::format("strconv.ParseUint: parsing {}: invalid syntax", quote(s)));
  }
  return out;
}

Number parse_part(std::string_view s, std::string_view lower, std::string_view upper) {
  if (!is_number(s)) {
    return std::unexpected(
        fmt::format("Invalid character(s) found in {} number {}", lower, quote(s)));
  }
  if (has_leading_zero(s)) {
    return std::unexpected(
        fmt::format("{} number must not contain leading zeroes {}", upper, quote(s)));
  }
  return parse_uint(s);
}

// Takes the next identifier off a list joined by dots; `more` says whether another follows.
std::string_view next_identifier(std::string_view& rest, bool& more) {
  const std::size_t dot = rest.find('.');
  const std::string_view out = rest.substr(0, dot);
  more = dot != std::string_view::npos;
  rest = more ? rest.substr(dot + 1) : std::string_view{};
  return out;
}

template <typename Check>
std::string check_identifiers(std::string_view list, Check check) {
  for (bool more = true; more;) {
    const std::string fault = check(next_identifier(list, more));
    if (!fault.empty()) return fault;
  }
  return {};
}

std::string check_prerelease(std::string_view s) {
  if (s.empty()) return "Prerelease is empty";
  if (!is_number(s)) {
    return is_identifier(s) ? std::string()
                            : "Invalid character(s) found in prerelease " + quote(s);
  }
  if (has_leading_zero(s)) {
    return "Numeric PreRelease version must not contain leading zeroes " + quote(s);
  }
  const Number n = parse_uint(s);
  return n ? std::string() : n.error();
}

std::string check_build(std::string_view s) {
  if (s.empty()) return "Build meta data is empty";
  return is_identifier(s) ? std::string()
                          : "Invalid character(s) found in build meta data " + quote(s);
}

struct Semver {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease;  // a view of the text given
};

std::expected<Semver, std::string> parse_semver(std::string_view s) {
  if (s.empty()) return std::unexpected("Version string empty");
  const std::size_t first = s.find('.');
  const std::size_t second = first == std::string_view::npos ? first : s.find('.', first + 1);
  if (second == std::string_view::npos) {
    return std::unexpected("No Major.Minor.Patch elements found");
  }
  const Number major = parse_part(s.substr(0, first), "major", "Major");
  if (!major) return std::unexpected(major.error());
  const Number minor = parse_part(s.substr(first + 1, second - first - 1), "minor", "Minor");
  if (!minor) return std::unexpected(minor.error());
  Semver out{*major, *minor, 0, {}};
  std::string_view patch = s.substr(second + 1);
  const std::size_t plus = patch.find('+');
  const std::string_view build =
      plus == std::string_view::npos ? std::string_view{} : patch.substr(plus + 1);
  patch = patch.substr(0, plus);
  const std::size_t dash = patch.find('-');
  if (dash != std::string_view::npos) out.prerelease = patch.substr(dash + 1);
  const Number number = parse_part(patch.substr(0, dash), "patch", "Patch");
  if (!number) return std::unexpected(number.error());
  out.patch = *number;
  if (dash != std::string_view::npos) {
    if (auto fault = check_identifiers(out.prerelease, check_prerelease); !fault.empty()) {
      return std::unexpected(std::move(fault));
    }
  }
  if (plus != std::string_view::npos) {
    if (auto fault = check_identifiers(build, check_build); !fault.empty()) {
      return std::unexpected(std::move(fault));
    }
  }
  return out;
}

// Without a leading v and leading zeros, with missing parts filled in. Only the first two dots
// divide: the third part keeps pre-release and build data, dots and all.
std::expected<std::string, std::string> normalize(std::string_view s) {
  if (s.starts_with('v')) s.remove_prefix(1);
  std::string out;
  int parts = 0;
  std::string_view last;
  for (bool more = true; more; ++parts) {
    std::string_view part = parts == 2 ? s : next_identifier(s, more);
    if (parts == 2) more = false;
    last = part;
    std::string trimmed(part);
    if (part.size() > 1) {
      trimmed.erase(0, std::min(trimmed.find_first_not_of('0'), trimmed.size()));
      if (trimmed.empty() || !is_number(trimmed.substr(0, 1))) trimmed.insert(0, "0");
    }
    if (parts > 0) out += '.';
    out += trimmed;
  }
  if (parts < 3 && last.find_first_of("+-") != std::string_view::npos) {
    return std::unexpected("short version cannot contain PreRelease/Build meta data");
  }
  for (; parts < 3; ++parts) out += ".0";
  return out;
}

int compare_identifiers(std::string_view a, std::string_view b) {
  auto sign = [](auto x, auto y) { return x < y ? -1 : (x > y ? 1 : 0); };
  const bool a_number = is_number(a);
  const bool b_number = is_number(b);
  if (a_number && b_number) return sign(parse_uint(a).value_or(0), parse_uint(b).value_or(0));
  if (a_number != b_number) return a_number ? -1 : 1;
  return sign(a, b);
}

// Precedence of semver.org: a release comes after its pre-releases, identifiers compare one by one,
// and the longer list wins among equals. Build metadata takes no part.
int compare_versions(const Semver& a, const Semver& b) {
  for (auto part : {&Semver::major, &Semver::minor, &Semver::patch}) {
    if (a.*part != b.*part) return a.*part < b.*part ? -1 : 1;
  }
  if (a.prerelease.empty() || b.prerelease.empty()) {
    return static_cast<int>(a.prerelease.empty()) - static_cast<int>(b.prerelease.empty());
  }
  std::string_view left = a.prerelease;
  std::string_view right = b.prerelease;
  for (bool more_left = true, more_right = true; more_left && more_right;) {
    const int order =
        compare_identifiers(next_identifier(left, more_left), next_identifier(right, more_right));
    if (order != 0) return order;
    if (more_left != more_right) return more_left ? 1 : -1;
  }
  return 0;
}

class SemverObject final : public Object {
 public:
  explicit SemverObject(const Semver& held) : version(held) {}
  const Type* type() const override { return &kSemverType; }
  bool equal(const Object& other, Arena&) const override {
    return compare_versions(version, static_cast<const SemverObject&>(other).version) == 0;
  }
  const Semver version;
};

const Semver& version_of(const Value& v) {
  return static_cast<const SemverObject*>(v.as_object())->version;
}

Value to_semver(EvalContext& c, Args x) {
  std::string_view text = x[0].as_text();
  if (x.size() == 2 && x[1].as_bool()) {
    const auto normal = normalize(text);
    if (!normal) return c.error(normal.error());
    text = c.arena.copy(*normal);
  }
  const auto version = parse_semver(text);
  return version ? new_object<SemverObject>(c.arena, *version) : c.error(version.error());
}

Value is_semver(EvalContext& c, Args x) { return Value::boolean(!to_semver(c, x).is_error()); }

template <std::uint64_t Semver::* Part>
Value part_of(EvalContext&, Args x) {
  return Value::integer(static_cast<std::int64_t>(version_of(x[0]).*Part));
}

int version_order(Args x) { return compare_versions(version_of(x[0]), version_of(x[1])); }

}  // namespace

const Library& k8s_semver_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.Semver");
    const Type* v = &kSemverType;
    const Type* string = &types::string;
    const Type* boolean = &types::boolean;
    out->function("semver")
        .global("string_to_semver", {string}, v, to_semver)
        .global("string_bool_to_semver", {string, boolean}, v, to_semver);
    out->function("isSemver")
        .global("is_semver_string", {string}, boolean, is_semver)
        .global("is_semver_string_bool", {string, boolean}, boolean, is_semver);
    out->function("isGreaterThan")
        .member("semver_is_greater_than", {v, v}, boolean,
                [](EvalContext&, Args x) { return Value::boolean(version_order(x) > 0); });
    out->function("isLessThan")
        .member("semver_is_less_than", {v, v}, boolean,
                [](EvalContext&, Args x) { return Value::boolean(version_order(x) < 0); });
    out->function("compareTo")
        .member("semver_compare_to", {v, v}, &types::integer,
                [](EvalContext&, Args x) { return Value::integer(version_order(x)); });
    out->function("major").member("semver_major", {v}, &types::integer, part_of<&Semver::major>);
    out->function("minor").member("semver_minor", {v}, &types::integer, part_of<&Semver::minor>);
    out->function("patch").member("semver_patch", {v}, &types::integer, part_of<&Semver::patch>);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
