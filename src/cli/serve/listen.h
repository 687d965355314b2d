#pragma once
// What commands that serve have in common: where they listen, and how they say that they do.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"

namespace strake::cli {

struct Address {
  std::string host;
  std::uint16_t port = 0;
};
// HOST:PORT, [::1]:PORT or :PORT of --listen. Code::kUsage.
Result<Address> parse_address(std::string_view text);
// HOST:PORT of --advertise-address, which may leave out the port: then it is the one listened on.
// Code::kUsage.
Result<std::string> parse_advertised(std::string_view text, std::uint16_t listen_port);
// https://HOST:PORT, with an address that can be reached from here.
std::string url_of(std::string_view host, std::uint16_t port);
// Writes the URL to the descriptor of --ready-fd, if it was given, and closes it.
Result<> tell_ready(const Arguments& args, std::string_view url);
// The values of --log-level.
inline constexpr std::string_view kLogLevels[] = {"debug", "info", "warn", "error", "off"};

}  // namespace strake::cli
