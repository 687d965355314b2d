// ip and cidr.
#include <fmt/format.h>

#include "base/ip_address.h"
#include "base/quote.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kIpType{TypeKind::kOpaque, false, "net.IP"};
constexpr Type kCidrType{TypeKind::kOpaque, false, "net.CIDR"};

class IpObject final : public Object {
 public:
  explicit IpObject(const IpAddress& held) : address(held) {}
  const Type* type() const override { return &kIpType; }
  bool equal(const Object& other, Arena&) const override {
    return address == static_cast<const IpObject&>(other).address;
  }
  std::optional<std::string_view> text(Arena& arena) const override {
    return arena.copy(address.to_string());
  }
  const IpAddress address;
};

class CidrObject final : public Object {
 public:
  explicit CidrObject(const IpPrefix& held) : prefix(held) {}
  const Type* type() const override { return &kCidrType; }
  bool equal(const Object& other, Arena&) const override {
    return prefix == static_cast<const CidrObject&>(other).prefix;
  }
  std::optional<std::string_view> text(Arena& arena) const override {
    return arena.copy(prefix.to_string());
  }
  const IpPrefix prefix;
};

const IpAddress& address_of(const Value& v) {
  return static_cast<const IpObject*>(v.as_object())->address;
}
const IpPrefix& prefix_of(const Value& v) {
  return static_cast<const CidrObject*>(v.as_object())->prefix;
}

std::expected<IpAddress, std::string> read_address(std::string_view text) {
  const auto parsed = parse_ip_address(text);
  if (!parsed) {
    return std::unexpected(
        fmt::format("IP Address {} parse error during conversion from string: {}", quote(text),
                    parsed.error()));
  }
  if (parsed->has_zone) {
    return std::unexpected(
        fmt::format("IP address {} with zone value is not allowed", quote(text)));
  }
  if (parsed->address.is_v4_mapped()) {
    return std::unexpected(fmt::format("IPv4-mapped IPv6 address {} is not allowed", quote(text)));
  }
  return parsed->address;
}

std::expected<IpPrefix, std::string> read_prefix(std::string_view text) {
  auto parsed = parse_ip_prefix(text);
  if (!parsed) {
    return std::unexpected("network address parse error during conversion from string: " +
                           parsed.error());
  }
  if (parsed->address.is_v4_mapped()) {
    return std::unexpected(fmt::format("IPv4-mapped IPv6 address {} is not allowed", quote(text)));
  }
  return *parsed;
}

// read_prefix() has the same words in front already. kube-apiserver says them twice, and so does
// this.
Value cidr_error(EvalContext& c, const std::string& why) {
  return c.error("network address parse error during conversion from string: " + why);
}

Value string_to_ip(EvalContext& c, Args x) {
  const auto address = read_address(x[0].as_text());
  return address ? new_object<IpObject>(c.arena, *address) : c.error(address.error());
}

Value ip_is_canonical(EvalContext& c, Args x) {
  const auto address = read_address(x[0].as_text());
  if (!address) return c.error(address.error());
  return Value::boolean(address->to_string() == x[0].as_text());
}

template <bool (IpAddress::*Test)() const>
Value ip_test(EvalContext&, Args x) {
  return Value::boolean((address_of(x[0]).*Test)());
}

Value string_to_cidr(EvalContext& c, Args x) {
  const auto prefix = read_prefix(x[0].as_text());
  return prefix ? new_object<CidrObject>(c.arena, *prefix) : cidr_error(c, prefix.error());
}

Value contains_ip_text(EvalContext& c, Args x) {
  const auto address = read_address(x[1].as_text());
  if (!address) return c.error(address.error());
  return Value::boolean(prefix_of(x[0]).contains(*address));
}

Value contains_prefix(const IpPrefix& outer, const IpPrefix& inner) {
  // Two prefixes overlap only when one holds the other; the shorter length is the larger network.
  return Value::boolean(outer.overlaps(inner) && outer.length <= inner.length);
}

Value contains_cidr_text(EvalContext& c, Args x) {
  const auto prefix = read_prefix(x[1].as_text());
  if (!prefix) return cidr_error(c, prefix.error());
  return contains_prefix(prefix_of(x[0]), *prefix);
}

Value object_text(EvalContext& c, Args x) {
  return Value::string(*x[0].as_object()->text(c.arena));
}

}  // namespace

std::uint64_t k8s_object_size(const Object& object) {
  if (object.type() == &kIpType) {
    return static_cast<const IpObject&>(object).address.v4 ? 4 : 16;
  }
  if (object.type() == &kCidrType) {
    return static_cast<std::uint64_t>((static_cast<const CidrObject&>(object).prefix.length + 7) /
                                      8);
  }
  return 1;
}

const Library& k8s_ip_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.net.ip");
    const Type* boolean = &types::boolean;
    out->type_name("net.IP", &kIpType);
    out->function("ip").global("string_to_ip", {&types::string}, &kIpType, string_to_ip);
    out->function("isIP").global("is_ip", {&types::string}, boolean, [](EvalContext&, Args x) {
      return Value::boolean(read_address(x[0].as_text()).has_value());
    });
    out->function("ip.isCanonical")
        .global("ip_is_canonical", {&types::string}, boolean, ip_is_canonical);
    out->function("family").member(
        "ip_family", {&kIpType}, &types::integer,
        [](EvalContext&, Args x) { return Value::integer(address_of(x[0]).v4 ? 4 : 6); });
    auto test = [&](std::string_view name, std::string_view id, Function function) {
      out->function(name).member(id, {&kIpType}, boolean, function);
    };
    test("isUnspecified", "ip_is_unspecified", ip_test<&IpAddress::is_unspecified>);
    test("isLoopback", "ip_is_loopback", ip_test<&IpAddress::is_loopback>);
    test("isLinkLocalMulticast", "ip_is_link_local_multicast",
         ip_test<&IpAddress::is_link_local_multicast>);
    test("isLinkLocalUnicast", "ip_is_link_local_unicast",
         ip_test<&IpAddress::is_link_local_unicast>);
    test("isGlobalUnicast", "ip_is_global_unicast", ip_test<&IpAddress::is_global_unicast>);
    out->function("string").global("ip_to_string", {&kIpType}, &types::string, object_text);
    return out;
  }();
  return *library;
}

const Library& k8s_cidr_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.net.cidr");
    const Type* boolean = &types::boolean;
    out->type_name("net.CIDR", &kCidrType);
    out->function("cidr").global("string_to_cidr", {&types::string}, &kCidrType, string_to_cidr);
    out->function("isCIDR").global("is_cidr", {&types::string}, boolean, [](EvalContext&, Args x) {
      return Value::boolean(read_prefix(x[0].as_text()).has_value());
    });
    out->function("containsIP")
        .member("cidr_contains_ip_string", {&kCidrType, &types::string}, boolean, contains_ip_text)
        .member("cidr_contains_ip_ip", {&kCidrType, &kIpType}, boolean, [](EvalContext&, Args x) {
          return Value::boolean(prefix_of(x[0]).contains(address_of(x[1])));
        });
    out->function("containsCIDR")
        .member("cidr_contains_cidr_string", {&kCidrType, &types::string}, boolean,
                contains_cidr_text)
        .member("cidr_contains_cidr", {&kCidrType, &kCidrType}, boolean, [](EvalContext&, Args x) {
          return contains_prefix(prefix_of(x[0]), prefix_of(x[1]));
        });
    out->function("ip").member("cidr_ip", {&kCidrType}, &kIpType, [](EvalContext& c, Args x) {
      return new_object<IpObject>(c.arena, prefix_of(x[0]).address);
    });
    out->function("prefixLength")
        .member("cidr_prefix_length", {&kCidrType}, &types::integer,
                [](EvalContext&, Args x) { return Value::integer(prefix_of(x[0]).length); });
    out->function("masked").member(
        "cidr_masked", {&kCidrType}, &kCidrType, [](EvalContext& c, Args x) {
          return new_object<CidrObject>(c.arena, prefix_of(x[0]).masked());
        });
    out->function("string").global("cidr_to_string", {&kCidrType}, &types::string, object_text);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
