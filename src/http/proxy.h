#pragma once
// Which proxy a request goes through.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/client.h"
#include "http/url.h"

namespace strake::http {

// "http://user:password@host:port", "socks5://host:port" (socks5h is the same here: the proxy looks
// names up). Without a port 80, or 1080. Fails with kUnsupported for https, and kInvalid; no
// message holds a password.
Result<Proxy> read_proxy(std::string_view url);

// What the environment says, as Go's clients read it: https_proxy or http_proxy by the scheme, then
// all_proxy; no_proxy names hosts, domains, addresses and networks that are asked directly, and so
// is this machine itself. Capitals are as good, but for HTTP_PROXY in a CGI program, where a
// request could set it. Fails as read_proxy does.
using Lookup = std::function<std::string(const char* name)>;  // empty when it is not set
Result<std::optional<Proxy>> proxy_from_environment(const Url& url, const Lookup& lookup);

}  // namespace strake::http
