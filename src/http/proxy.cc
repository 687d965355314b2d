#include "http/proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include "base/trim.h"

namespace strake::http {
namespace {

namespace ip = boost::asio::ip;

bool is_in_network(const ip::address& address, const std::string& network) {
  boost::system::error_code error;
  if (address.is_v4()) {
    const ip::network_v4 range = ip::make_network_v4(network, error);
    if (error) return false;
    return ip::network_v4(address.to_v4(), range.prefix_length()).canonical() == range.canonical();
  }
  const ip::network_v6 range = ip::make_network_v6(network, error);
  if (error) return false;
  return ip::network_v6(address.to_v6(), range.prefix_length()).canonical() == range.canonical();
}

// One entry of no_proxy.
bool matches(std::string_view entry, const Url& url, const std::optional<ip::address>& address) {
  if (entry.empty()) return false;
  if (entry == "*") return true;
  if (entry.find('/') != std::string_view::npos) {
    return address && is_in_network(*address, std::string(entry));
  }
  boost::system::error_code error;
  const ip::address whole = ip::make_address(std::string(entry), error);
  if (!error) return address && *address == whole;
  if (const std::size_t colon = entry.rfind(':'); colon != std::string_view::npos) {
    if (entry.substr(colon + 1) != fmt::format("{}", url.port)) return false;
    entry = entry.substr(0, colon);
    if (entry.starts_with('[') && entry.ends_with(']')) entry = entry.substr(1, entry.size() - 2);
  }
  const ip::address bare = ip::make_address(std::string(entry), error);
  if (!error) return address && *address == bare;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  const std::string_view host = url.host;
  if (entry.starts_with('.')) {
    return host.size() > entry.size() &&
           equals_ignoring_case(host.substr(host.size() - entry.size()), entry);
  }
  if (host.size() < entry.size() ||
      !equals_ignoring_case(host.substr(host.size() - entry.size()), entry)) {
    return false;
  }
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

// The rules of Go's x/net/http/httpproxy: networks, addresses, names with all below them, `.name`
// for those below alone, and an optional port. This machine is always asked directly.
bool is_asked_directly(const Url& url, std::string_view list) {
  boost::system::error_code error;
  std::optional<ip::address> address = ip::make_address(url.host, error);
  if (error) address.reset();
  if (url.host == "localhost" || (address && address->is_loopback())) return true;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (matches(trim(list.substr(0, comma), kBlanks), url, address)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

Result<Proxy> read_proxy(std::string_view url) {
  const auto refuse = [](std::string_view why) {
    return fail(Code::kInvalid, "the URL of the proxy {}", why);
  };
  const std::size_t colon = url.find("://");
  std::string scheme = colon == std::string_view::npos ? "http" : std::string(url.substr(0, colon));
  std::ranges::transform(scheme, scheme.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  if (scheme == "https") {
    return fail(Code::kUnsupported,
                "a proxy that is itself reached by https is not supported; use http or socks5");
  }
  const bool is_socks = scheme == "socks5" || scheme == "socks5h";
  if (scheme != "http" && !is_socks) return refuse("must begin with http:// or socks5://");
  const std::string_view rest = colon == std::string_view::npos ? url : url.substr(colon + 3);
  const auto parsed = Url::parse("http://" + std::string(rest));
  if (!parsed) return refuse("cannot be read");
  // Only a port that is named counts.
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::string_view host = authority.substr(authority.rfind('@') + 1);
  const std::size_t last = host.rfind(':');
  const bool has_port = last != std::string_view::npos && host.find(']', last) == host.npos;
  return Proxy{.kind = is_socks ? Proxy::Kind::kSocks5 : Proxy::Kind::kHttp,
               .host = parsed->host,
               .port = has_port ? parsed->port : static_cast<std::uint16_t>(is_socks ? 1080 : 80),
               .user_name = parsed->user_name,
               .password = parsed->password};
}

Result<std::optional<Proxy>> proxy_from_environment(const Url& url, const Lookup& lookup) {
  std::string found = lookup(url.tls ? "https_proxy" : "http_proxy");
  if (found.empty() && url.tls) found = lookup("HTTPS_PROXY");
  // A CGI program gets the header `Proxy` of a request as HTTP_PROXY (httpoxy): what clients can
  // set is not believed there.
  if (found.empty() && !url.tls && lookup("REQUEST_METHOD").empty()) found = lookup("HTTP_PROXY");
  if (found.empty()) found = lookup("all_proxy");
  if (found.empty()) found = lookup("ALL_PROXY");
  if (found.empty()) return std::optional<Proxy>();
  std::string direct = lookup("no_proxy");
  if (direct.empty()) direct = lookup("NO_PROXY");
  if (is_asked_directly(url, direct)) return std::optional<Proxy>();
  STRAKE_TRY(Proxy proxy, read_proxy(found));
  return std::optional<Proxy>(std::move(proxy));
}

}  // namespace strake::http
