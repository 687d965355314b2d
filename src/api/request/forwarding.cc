#include "api/request/forwarding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "async/concurrently.h"
#include "base/trim.h"
#include "meta/names.h"

namespace strake::api {
namespace {

using http::Headers;

constexpr std::string_view kHopHeaders[] = {
    "connection",          "http2-settings",   "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te",         "trailer",
    "transfer-encoding",   "upgrade"};
constexpr std::string_view kCorsHeaders = "access-control-";

class PassedBody final : public http::BodyStream {
 public:
  PassedBody(std::shared_ptr<http::BodyReader> body, bool is_finite)
      : body_(std::move(body)), is_finite_(is_finite) {}

  async::Task<std::vector<http::Piece>> next() override {
    http::Outcome<std::string> part = co_await body_->next();
    if (!part) co_return std::unexpected(part.error().to_error());
    std::vector<http::Piece> out;
    if (!part->empty()) out.emplace_back(*std::move(part));
    co_return out;
  }
  bool is_finite() const override { return is_finite_; }
  // What it says of itself has been said by the other server, and may be small.
  bool may_compress() const override { return false; }
  Headers trailers() const override { return body_->trailers(); }

 private:
  const std::shared_ptr<http::BodyReader> body_;
  const bool is_finite_;
};

// Until one side ends; then the other is told.
boost::asio::awaitable<void> copy(http::RawStream& from, http::RawStream& to) {
  while (true) {
    http::Outcome<std::string> part = co_await from.read();
    if (!part) {
      from.close();
      to.close();
      co_return;
    }
    if (part->empty()) {
      to.finish_writing();
      co_return;
    }
    if (const auto written = co_await to.write(*std::move(part)); !written) {
      from.close();
      to.close();
      co_return;
    }
  }
}

boost::asio::awaitable<void> join(std::shared_ptr<http::RawStream> other,
                                  std::unique_ptr<http::RawStream> client) {
  co_await async::for_each_concurrently(
      2, 2, [&](std::size_t i) { return i == 0 ? copy(*client, *other) : copy(*other, *client); });
}

}  // namespace

HopHeaders::HopHeaders(const Headers& headers) {
  for (std::string_view rest : headers.get_all("Connection")) {
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      named_.push_back(meta::to_lower_ascii(trim(rest.substr(0, comma))));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
}

bool HopHeaders::has(std::string_view lower) const {
  return std::ranges::find(kHopHeaders, lower) != std::end(kHopHeaders) ||
         std::ranges::find(named_, lower) != named_.end();
}

bool is_cors_header(std::string_view lower) { return lower.starts_with(kCorsHeaders); }

bool has_plain_segments(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const Result<std::string> segment = http::percent_decode(path.substr(0, end));
    if (!segment || *segment == "." || *segment == ".." || segment->contains('/')) return false;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

meta::Status ambiguous_path() {
  return meta::Status::bad_request(
      "a path that is sent on to another server must not have an encoded slash, \".\" or \"..\" in "
      "its segments");
}

std::string forwarded_for(const http::Request& request) {
  std::string chain;
  const auto add = [&chain](std::string_view one) {
    if (!one.empty()) chain += fmt::format("{}{}", chain.empty() ? "" : ", ", one);
  };
  for (const std::string_view one : request.headers.get_all("X-Forwarded-For")) add(one);
  const std::string_view client = request.remote_address;
  if (const std::size_t colon = client.rfind(':'); colon != std::string_view::npos) {
    std::string_view ip = client.substr(0, colon);
    if (ip.starts_with('[') && ip.ends_with(']')) ip = ip.substr(1, ip.size() - 2);
    add(ip);
  }
  return chain;
}

std::optional<std::uint64_t> length_of(const Headers& headers) {
  const std::string_view text = headers.get("Content-Length");
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

bool has_body(const http::Request& request) {
  if (!request.upgrade.empty()) return false;
  if (const auto length = length_of(request.headers)) return *length > 0;
  if (request.headers.has("Transfer-Encoding")) return true;
  const bool reads =
      request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
  return request.version == 20 && !reads;
}

std::unique_ptr<http::BodyStream> pass_on(std::shared_ptr<http::BodyReader> body, bool is_finite) {
  return std::make_unique<PassedBody>(std::move(body), is_finite);
}

http::Upgrade join_with(std::shared_ptr<http::RawStream> other) {
  return [other = std::move(other)](std::unique_ptr<http::RawStream> client) {
    return join(other, std::move(client));
  };
}

}  // namespace strake::api
