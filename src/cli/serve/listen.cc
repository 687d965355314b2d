#include "cli/serve/listen.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace strake::cli {

Result<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return fail(Code::kUsage, "--listen wants HOST:PORT, got \"{}\"", text);
  Address out;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  out.host = host.empty() ? "0.0.0.0" : std::string(host);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size()) {
    return fail(Code::kUsage, "--listen wants a port from 0 to 65535, got \"{}\"", port);
  }
  return out;
}

Result<std::string> parse_advertised(std::string_view text, std::uint16_t listen_port) {
  const bool is_bare_v6 = std::ranges::count(text, ':') > 1 && !text.contains('[');
  const std::size_t colon = is_bare_v6 ? std::string_view::npos : text.rfind(':');
  const bool has_port = colon != std::string_view::npos && colon >= text.rfind(']') + 1;
  std::uint16_t port = listen_port;
  const std::string_view host = has_port ? text.substr(0, colon) : text;
  if (has_port) {
    const std::string_view given = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), port);
    if (error != std::errc() || end != given.data() + given.size()) port = 0;
  }
  if (host.empty() || port == 0)
    return fail(Code::kUsage,
                "--advertise-address wants HOST or HOST:PORT, and a port where --listen picks a "
                "free one, got \"{}\"",
                text);
  return is_bare_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string url_of(std::string_view host, std::uint16_t port) {
  if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
  return host.contains(':') ? fmt::format("https://[{}]:{}", host, port)
                            : fmt::format("https://{}:{}", host, port);
}

Result<> tell_ready(const Arguments& args, std::string_view url) {
  if (!args.given("ready-fd")) return {};
  const std::string line = fmt::format("{}\n", url);
  const int fd = static_cast<int>(args.number("ready-fd"));
  if (::write(fd, line.data(), line.size()) < 0)
    return fail(Code::kUsage, "descriptor {} of --ready-fd is not open", fd);
  ::close(fd);
  return {};
}

}  // namespace strake::cli
