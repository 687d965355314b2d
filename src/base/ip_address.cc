#include "base/ip_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/hex.h"
#include "base/quote.h"

// A port of Go's net/netip, with its error texts. An address is 16 bytes, of which IPv4 uses the
// first four; IPv6 groups are stored as they are read and moved to the end once it is known how
// many zeros "::" stands for.

namespace strake {
namespace {

bool address_digit(char c) { return c >= '0' && c <= '9'; }

std::string address_error(std::string_view in, std::string_view message, std::string_view at = {}) {
  std::string out = fmt::format("ParseAddr({}): {}", quote(in), message);
  if (!at.empty()) out += fmt::format(" (at {})", quote(at));
  return out;
}

// Reads four decimal fields; `in` is the whole text, for the message.
std::optional<std::string> parse_v4_fields(std::string_view in, std::string_view s,
                                           std::uint8_t* out) {
  int value = 0;
  int position = 0;
  int digits = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (address_digit(s[i])) {
      if (digits == 1 && value == 0) {
        return address_error(in, "IPv4 field has octet with leading zero");
      }
      value = value * 10 + (s[i] - '0');
      ++digits;
      if (value > 255) return address_error(in, "IPv4 field has value >255");
    } else if (s[i] == '.') {
      if (i == 0 || i == s.size() - 1 || s[i - 1] == '.') {
        return address_error(in, "IPv4 field must have at least one digit", s.substr(i));
      }
      if (position == 3) return address_error(in, "IPv4 address too long");
      out[position++] = static_cast<std::uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return address_error(in, "unexpected character", s.substr(i));
    }
  }
  if (position < 3) return address_error(in, "IPv4 address too short");
  out[3] = static_cast<std::uint8_t>(value);
  return std::nullopt;
}

class SixParser {
 public:
  explicit SixParser(std::string_view in) : in_(in), rest_(in) {}

  std::expected<ParsedIpAddress, std::string> run() {
    if (const std::size_t percent = in_.find('%'); percent != std::string_view::npos) {
      rest_ = in_.substr(0, percent);
      out_.has_zone = true;
      if (percent + 1 == in_.size()) return error("zone must be a non-empty string");
    }
    if (rest_.starts_with("::")) {
      ellipsis_ = 0;
      rest_.remove_prefix(2);
      if (rest_.empty()) return out_;
    }
    while (filled_ < 16) {
      const std::optional<std::string> fault = field();
      if (fault) return std::unexpected(*fault);
      if (rest_.empty()) break;
    }
    if (!rest_.empty()) return error("trailing garbage after address", rest_);
    if (filled_ == 16) {
      if (ellipsis_ >= 0) return error("the :: must expand to at least one field of zeros");
      return out_;
    }
    if (ellipsis_ < 0) return error("address string too short");
    auto* bytes = out_.address.bytes.data();
    std::copy_backward(bytes + ellipsis_, bytes + filled_, bytes + 16);
    std::fill(bytes + ellipsis_, bytes + ellipsis_ + (16 - filled_), std::uint8_t{0});
    return out_;
  }

 private:
  std::unexpected<std::string> error(std::string_view message, std::string_view at = {}) const {
    return std::unexpected(address_error(in_, message, at));
  }

  // One group and the colons behind it, or the IPv4 address at the end.
  std::optional<std::string> field() {
    std::size_t digits = 0;
    unsigned value = 0;
    for (; digits < rest_.size() && hex_digit(rest_[digits]) >= 0; ++digits) {
      if (digits > 3) return address_error(in_, "each group must have 4 or less digits", rest_);
      value = value * 16 + static_cast<unsigned>(hex_digit(rest_[digits]));
    }
    if (digits == 0) {
      return address_error(in_, "each colon-separated field must have at least one digit", rest_);
    }
    if (digits < rest_.size() && rest_[digits] == '.') return v4_tail();
    out_.address.bytes[filled_++] = static_cast<std::uint8_t>(value >> 8);
    out_.address.bytes[filled_++] = static_cast<std::uint8_t>(value & 0xff);
    rest_.remove_prefix(digits);
    if (rest_.empty()) return std::nullopt;
    if (rest_.front() != ':') return address_error(in_, "unexpected character, want colon", rest_);
    if (rest_.size() == 1) {
      return address_error(in_, "colon must be followed by more characters", rest_);
    }
    rest_.remove_prefix(1);
    if (rest_.front() == ':') {
      if (ellipsis_ >= 0) return address_error(in_, "multiple :: in address", rest_);
      ellipsis_ = static_cast<int>(filled_);
      rest_.remove_prefix(1);
    }
    return std::nullopt;
  }

  std::optional<std::string> v4_tail() {
    if (ellipsis_ < 0 && filled_ != 12) {
      return address_error(
          in_, "embedded IPv4 address must replace the final 2 fields of the address", rest_);
    }
    if (filled_ + 4 > 16) {
      return address_error(
          in_, "too many hex fields to fit an embedded IPv4 at the end of the address", rest_);
    }
    if (auto fault = parse_v4_fields(in_, rest_, &out_.address.bytes[filled_])) return fault;
    filled_ += 4;
    rest_ = {};
    return std::nullopt;
  }

  std::string_view in_;
  std::string_view rest_;
  ParsedIpAddress out_;
  std::size_t filled_ = 0;
  int ellipsis_ = -1;
};

// The first `length` bits agree.
bool same_start(const IpAddress& a, const IpAddress& b, int length) {
  const auto whole = static_cast<std::size_t>(length / 8);
  if (!std::equal(a.bytes.begin(), a.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  b.bytes.begin())) {
    return false;
  }
  const int rest = length % 8;
  return rest == 0 || (a.bytes[whole] >> (8 - rest)) == (b.bytes[whole] >> (8 - rest));
}

// Without leading zeros in each run of digits that stands between dots at the end of the text.
std::string without_leading_zeros(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::size_t start = colon == std::string_view::npos ? 0 : colon + 1;
  if (text.find('.', start) == std::string_view::npos) return std::string(text);
  std::string out(text.substr(0, start));
  bool at_start = true;  // of a number
  for (std::size_t i = start; i < text.size(); ++i) {
    const bool more = i + 1 < text.size() && address_digit(text[i + 1]);
    if (at_start && text[i] == '0' && more) continue;
    at_start = text[i] == '.';
    out += text[i];
  }
  return out;
}

std::unexpected<std::string> prefix_error(std::string_view in, std::string_view message) {
  return std::unexpected(fmt::format("netip.ParsePrefix({}): {}", quote(in), message));
}

}  // namespace

bool IpAddress::is_v4_mapped() const {
  return !v4 && std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; }) &&
         bytes[10] == 0xff && bytes[11] == 0xff;
}

bool IpAddress::is_unspecified() const {
  return std::ranges::all_of(bytes, [](auto b) { return b == 0; });
}

bool IpAddress::is_loopback() const {
  if (v4) return bytes[0] == 127;
  return std::all_of(bytes.begin(), bytes.end() - 1, [](auto b) { return b == 0; }) &&
         bytes[15] == 1;
}

bool IpAddress::is_multicast() const { return v4 ? (bytes[0] & 0xf0) == 0xe0 : bytes[0] == 0xff; }

bool IpAddress::is_link_local_multicast() const {
  if (v4) return bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0;
  return bytes[0] == 0xff && (bytes[1] & 0x0f) == 0x02;
}

bool IpAddress::is_link_local_unicast() const {
  if (v4) return bytes[0] == 169 && bytes[1] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool IpAddress::is_global_unicast() const {
  const bool broadcast =
      v4 && std::all_of(bytes.begin(), bytes.begin() + 4, [](auto b) { return b == 255; });
  return !broadcast && !is_unspecified() && !is_loopback() && !is_multicast() &&
         !is_link_local_unicast();
}

IpAddress IpAddress::unmapped() const {
  if (!is_v4_mapped()) return *this;
  IpAddress out{.v4 = true};
  std::copy_n(bytes.begin() + 12, 4, out.bytes.begin());
  return out;
}

std::string IpAddress::to_string() const {
  if (v4) return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
  auto group = [&](int i) { return bytes[i * 2] << 8 | bytes[i * 2 + 1]; };
  // The longest run of zero groups, the first of equals, becomes "::" when it has two or more.
  int run_start = -1;
  int run_length = 1;
  for (int i = 0; i < 8; ++i) {
    int end = i;
    while (end < 8 && group(end) == 0) ++end;
    if (end - i > run_length) {
      run_start = i;
      run_length = end - i;
    }
    i = std::max(i, end - 1);
  }
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == run_start) {
      out += "::";
      i += run_length - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with("::")) out += ':';
    out += fmt::format("{:x}", group(i));
  }
  return out;
}

// The first of '.', ':' and '%' decides which kind of address the text is, as in netip.ParseAddr;
// errors are those of that kind.
std::expected<ParsedIpAddress, std::string> parse_ip_address(std::string_view text) {
  for (const char c : text) {
    if (c == '.') {
      ParsedIpAddress out;
      out.address.v4 = true;
      if (auto fault = parse_v4_fields(text, text, out.address.bytes.data())) {
        return std::unexpected(*std::move(fault));
      }
      return out;
    }
    if (c == ':') return SixParser(text).run();
    if (c == '%') return std::unexpected(address_error(text, "missing IPv6 address"));
  }
  return std::unexpected(address_error(text, "unable to parse IP"));
}

std::optional<IpAddress> parse_ip_address_sloppily(std::string_view text) {
  const auto parsed = parse_ip_address(without_leading_zeros(text));
  if (!parsed || parsed->has_zone) return std::nullopt;
  return parsed->address;
}

IpPrefix IpPrefix::masked() const {
  IpPrefix out = *this;
  for (int bit = length; bit < address.bits(); ++bit) {
    out.address.bytes[static_cast<std::size_t>(bit / 8)] &=
        static_cast<std::uint8_t>(~(0x80 >> (bit % 8)));
  }
  return out;
}

bool IpPrefix::contains(const IpAddress& other) const {
  return address.v4 == other.v4 && same_start(address, other, length);
}

bool IpPrefix::overlaps(const IpPrefix& other) const {
  return address.v4 == other.address.v4 &&
         same_start(address, other.address, std::min(length, other.length));
}

std::string IpPrefix::to_string() const {
  return fmt::format("{}/{}", address.to_string(), length);
}

std::expected<IpPrefix, std::string> parse_ip_prefix(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return prefix_error(text, "no '/'");
  const auto address = parse_ip_address(text.substr(0, slash));
  if (!address) return prefix_error(text, address.error());
  if (address->has_zone) return prefix_error(text, "IPv6 zones cannot be present in a prefix");
  const std::string_view bits = text.substr(slash + 1);
  int length = 0;
  const auto [end, error] = std::from_chars(bits.data(), bits.data() + bits.size(), length);
  // No sign and no leading zero, which from_chars would take.
  const bool padded = bits.size() > 1 && (bits[0] < '1' || bits[0] > '9');
  if (padded || error != std::errc() || end != bits.data() + bits.size()) {
    return prefix_error(text, "bad bits after slash: " + quote(bits));
  }
  if (length < 0 || length > address->address.bits()) {
    return prefix_error(text, "prefix length out of range");
  }
  return IpPrefix{address->address, length};
}

std::optional<IpPrefix> parse_ip_prefix_sloppily(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  std::string_view bits = text.substr(slash + 1);
  while (bits.size() > 1 && bits.front() == '0') bits.remove_prefix(1);
  const auto parsed =
      parse_ip_prefix(fmt::format("{}/{}", without_leading_zeros(text.substr(0, slash)), bits));
  if (!parsed) return std::nullopt;
  return *parsed;
}

}  // namespace strake
