#include "http/client_proxy.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>

#include "base/base64.h"
#include "http/h1_response_parser.h"

namespace strake::http {
namespace {

constexpr std::size_t kMaxAnswer = 16 * 1024;

std::unexpected<Failure> refused(std::string why) {
  return std::unexpected(Failure{.fault = Fault::kProxy,
                                 .message = fmt::format("the proxy: {}", why),
                                 .unprocessed = true,
                                 .unanswered = true});
}

// A small conversation before the real one.
class Talk {
 public:
  Talk(Transport& transport, ClientWait& wait) : transport_(transport), wait_(wait) {}

  Exchange<> say(std::string bytes) {
    transport_.stage(bytes);
    while (!transport_.flush_now()) {
      transport_.arm_write();
      STRAKE_CO_CHECK(co_await wait_.wait());
    }
    if (transport_.broken()) co_return refused("closed the connection");
    co_return Outcome<>();
  }

  Exchange<> more() {
    while (!transport_.fill_now()) {
      if (transport_.ended()) co_return refused("closed the connection");
      transport_.arm_read();
      STRAKE_CO_CHECK(co_await wait_.wait());
    }
    co_return Outcome<>();
  }

  Exchange<std::string> hear(std::size_t size) {
    while (transport_.in().size() < size) STRAKE_CO_CHECK(co_await more());
    std::string out(transport_.in().substr(0, size));
    transport_.take(size);
    co_return out;
  }

 private:
  Transport& transport_;
  ClientWait& wait_;
};

// CONNECT by RFC 9110, 9.3.6. The answer to it has no body, whatever its headers say, and interim
// answers (1xx) may come first.
Exchange<> tunnel(Transport& transport, const Upstream& to, ClientWait& wait) {
  Talk talk(transport, wait);
  const std::string place = host_and_port(to.host, to.port);
  std::string ask = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", place);
  if (const std::string who = proxy_authorization(*to.proxy); !who.empty()) {
    ask += fmt::format("Proxy-Authorization: {}\r\n", who);
  }
  STRAKE_CO_CHECK(co_await talk.say(ask + "\r\n"));
  ResponseHeadParser parser(kMaxAnswer, 100);
  ResponseHead head;
  while (true) {
    const Progress progress =
        transport.in().empty() ? Progress::kMore : parser.parse(transport.in(), head);
    if (progress == Progress::kRefused) co_return refused(std::string(parser.refusal().reason));
    if (progress == Progress::kDone) {
      transport.take(parser.size());
      if (head.status >= 200) break;
      continue;
    }
    STRAKE_CO_CHECK(co_await talk.more());
  }
  if (head.status >= 300) co_return refused(fmt::format("answered {} to CONNECT", head.status));
  // Who is behind it waits for us to speak first.
  if (!transport.in().empty()) co_return refused("sent more than its answer");
  co_return Outcome<>();
}

// RFC 1928, and RFC 1929 for the password. The name is looked up by the proxy.
Exchange<> pass_socks(Transport& transport, const Upstream& to, ClientWait& wait) {
  Talk talk(transport, wait);
  const Proxy& proxy = *to.proxy;
  const std::string& password = proxy.password.reveal();
  const bool has_name = !proxy.user_name.empty();
  if (proxy.user_name.size() > 255 || password.size() > 255 || to.host.size() > 255) {
    co_return refused("SOCKS5 has no room for so long a name or password");
  }
  // The greeting: version 5 and the methods on offer. 0 is no authentication, 2 is user name and
  // password.
  STRAKE_CO_CHECK(co_await talk.say(has_name ? std::string("\x05\x02\x00\x02", 4)
                                             : std::string("\x05\x01\x00", 3)));
  STRAKE_CO_TRY(const std::string method, co_await talk.hear(2));
  if (method[0] != 5) co_return refused("does not speak SOCKS5");
  if (method[1] == 2 && has_name) {
    std::string who("\x01", 1);
    who += static_cast<char>(proxy.user_name.size());
    who += proxy.user_name;
    who += static_cast<char>(password.size());
    who += password;
    STRAKE_CO_CHECK(co_await talk.say(std::move(who)));
    STRAKE_CO_TRY(const std::string verdict, co_await talk.hear(2));
    if (verdict[1] != 0) co_return refused("does not take the user name and password");
  } else if (method[1] != 0) {
    co_return refused("wants to know who asks");
  }
  // Version 5, CONNECT, reserved; then the address by type: 1 is IPv4, 4 is IPv6, 3 is a name with
  // its length in front. The port is big-endian.
  std::string ask("\x05\x01\x00", 3);
  boost::system::error_code error;
  const auto ip = boost::asio::ip::make_address(to.host, error);
  if (!error && ip.is_v4()) {
    ask += '\x01';
    for (const unsigned char byte : ip.to_v4().to_bytes()) ask += static_cast<char>(byte);
  } else if (!error) {
    ask += '\x04';
    for (const unsigned char byte : ip.to_v6().to_bytes()) ask += static_cast<char>(byte);
  } else {
    ask += '\x03';
    ask += static_cast<char>(to.host.size());
    ask += to.host;
  }
  ask += static_cast<char>(to.port >> 8);
  ask += static_cast<char>(to.port & 255);
  STRAKE_CO_CHECK(co_await talk.say(std::move(ask)));
  STRAKE_CO_TRY(const std::string reply, co_await talk.hear(4));
  if (reply[0] != 5 || reply[1] != 0) {
    co_return refused(
        fmt::format("SOCKS5 reply {}", static_cast<int>(static_cast<unsigned char>(reply[1]))));
  }
  // The address it speaks from, which nobody needs.
  std::size_t rest = 4;
  if (reply[3] == 4) rest = 16;
  if (reply[3] == 3) {
    STRAKE_CO_TRY(const std::string size, co_await talk.hear(1));
    rest = static_cast<unsigned char>(size[0]);
  }
  STRAKE_CO_CHECK(co_await talk.hear(rest + 2));
  co_return Outcome<>();
}

}  // namespace

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string_view::npos && !host.starts_with('[');
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string proxy_authorization(const Proxy& proxy) {
  if (proxy.user_name.empty()) return {};
  return "Basic " + base64_encode(proxy.user_name + ":" + proxy.password.reveal());
}

Exchange<> pass_proxy(Transport& transport, const Upstream& to, ClientWait& wait) {
  if (to.proxy->kind == Proxy::Kind::kSocks5) {
    co_return co_await pass_socks(transport, to, wait);
  }
  if (to.tls) co_return co_await tunnel(transport, to, wait);
  co_return Outcome<>();
}

}  // namespace strake::http
