#include "http/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>
#include <charconv>

#include "http/h1_text.h"
#include "http/message.h"

namespace strake::http {
namespace {

std::unexpected<Error> not_a_url() { return fail(Code::kInvalid, "not a URL that can be fetched"); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

// "host", "host:port", "[::1]:port".
Result<> read_host(std::string_view text, Url& url) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return not_a_url();
    url.host = lower(text.substr(1, end - 1));
    boost::system::error_code error;
    boost::asio::ip::make_address_v6(url.host, error);
    if (error) return not_a_url();
    text.remove_prefix(end + 1);
    if (!text.empty() && text.front() != ':') return not_a_url();
    port = text.substr(std::min<std::size_t>(1, text.size()));
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    url.host = lower(text.substr(0, colon));
    port = text.substr(std::min(colon + 1, text.size()));
    if (url.host.empty() || !all_are(url.host, kTarget) ||
        url.host.find_first_of("%\\[]") != std::string::npos) {
      return not_a_url();
    }
  }
  if (port.empty()) return {};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (error != std::errc() || end != port.data() + port.size() || url.port == 0) return not_a_url();
  return {};
}

// RFC 3986, 5.2.4.
std::string without_dots(std::string_view path) {
  std::vector<std::string_view> kept;
  bool ends_open = false;  // in a folder
  path.remove_prefix(1);
  while (true) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    const bool is_last = slash == path.size();
    if (part == "..") {
      if (!kept.empty()) kept.pop_back();
      ends_open = true;
    } else if (part == ".") {
      ends_open = true;
    } else {
      kept.push_back(part);
      ends_open = false;
    }
    if (is_last) break;
    path.remove_prefix(slash + 1);
  }
  return fmt::format("/{}{}", fmt::join(kept, "/"), ends_open && !kept.empty() ? "/" : "");
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  Url url;
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return not_a_url();
  const std::string scheme = lower(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") {
    const bool is_word = !scheme.empty() && all_are(scheme, kToken);
    return fail(Code::kInvalid, "only http and https URLs can be fetched{}{}",
                is_word ? ", not " : "", is_word ? scheme : "");
  }
  url.tls = scheme == "https";
  url.port = url.tls ? 443 : 80;
  text = text.substr(colon + 3);
  text = text.substr(0, text.find('#'));
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, end);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = authority.substr(0, at);
    const std::size_t split = std::min(user.find(':'), user.size());
    const auto name = percent_decode(user.substr(0, split));
    auto password = percent_decode(user.substr(std::min(split + 1, user.size())));
    if (!name || !password) return not_a_url();
    url.user_name = *name;
    url.password = Secret(*std::move(password));
    authority.remove_prefix(at + 1);
  }
  STRAKE_CHECK(read_host(authority, url));
  const std::string_view target = text.substr(end);
  if (!all_are(target, kTarget)) return not_a_url();
  url.target = target.starts_with('/') ? std::string(target) : "/" + std::string(target);
  return url;
}

Result<Url> Url::resolve(std::string_view location) const {
  location = location.substr(0, location.find('#'));
  const std::size_t colon = location.find(':');
  // A scheme comes before anything else that a path or a query could begin with.
  if (colon != std::string_view::npos && colon < location.find_first_of("/?")) {
    return parse(location);
  }
  if (location.starts_with("//")) return parse((tls ? "https:" : "http:") + std::string(location));
  Url url = *this;
  const std::string_view path = std::string_view(target).substr(0, target.find('?'));
  std::string joined;
  if (location.empty()) return url;
  if (location.starts_with('/')) {
    joined = location;
  } else if (location.starts_with('?')) {
    joined = std::string(path) + std::string(location);
  } else {
    joined = std::string(path.substr(0, path.rfind('/') + 1)) + std::string(location);
  }
  if (!all_are(joined, kTarget)) return not_a_url();
  const std::size_t question = std::min(joined.find('?'), joined.size());
  url.target = without_dots(joined.substr(0, question)) + joined.substr(question);
  return url;
}

std::string Url::text() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  const bool has_port = port != (tls ? 443 : 80);
  return fmt::format("{}://{}{}{}{}{}", tls ? "https" : "http", is_v6 ? "[" : "", host,
                     is_v6 ? "]" : "", has_port ? fmt::format(":{}", port) : "", target);
}

std::string Url::shown() const {
  std::string whole = text();
  return whole.substr(0, whole.find('?'));
}

}  // namespace strake::http
