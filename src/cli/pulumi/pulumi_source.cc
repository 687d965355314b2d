#include "cli/pulumi/pulumi_source.h"

#include <filesystem>

#include "cli/io/files.h"
#include "http/fetch.h"
#include "meta/names.h"
#include "pulumi/package.h"

namespace strake::cli {
namespace {

bool is_package_url(std::string_view text) {
  const std::string scheme = meta::to_lower_ascii(text.substr(0, text.find("://")));
  return text.find("://") != std::string_view::npos && (scheme == "http" || scheme == "https");
}

// Without user, query and fragment.
std::string bare_url(std::string_view url) {
  const std::size_t host = url.find("://") + 3;
  const std::string_view rest = url.substr(host);
  const std::size_t path = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view authority = rest.substr(0, path);
  authority = authority.substr(authority.rfind('@') + 1);
  const std::string_view shown = rest.substr(path, rest.find_first_of("?#", path) - path);
  return fmt::format("{}{}{}", meta::to_lower_ascii(url.substr(0, host)), authority, shown);
}

Result<std::string> fetch_package(const std::string& url, std::chrono::milliseconds timeout) {
  constexpr std::string_view kWhat = "fetch input schema URL";
  const std::size_t host = url.find("://");
  auto response = http::fetch({.url = meta::to_lower_ascii(url.substr(0, host)) + url.substr(host),
                               .timeout = timeout,
                               .max_bytes = pulumi::kMaxSchemaBytes,
                               .follow_redirects = true});
  if (!response) return std::unexpected(std::move(response.error()).prefixed(kWhat));
  if (response->status != 200) {
    return fail(Code::kServiceUnavailable, "{}: unexpected status {} for {}", kWhat,
                response->status, bare_url(url));
  }
  return std::move(response->body);
}

Result<std::string> read_package_file(const std::string& name, Io& io) {
  auto text = read_input(name, pulumi::kMaxSchemaBytes, io);
  if (!text)
    return fail(text.error().code(), "read input schema file: {}", text.error().to_string());
  return text;
}

}  // namespace

Result<std::string> load_package_text(const std::string& in, std::chrono::milliseconds timeout,
                                      Io& io) {
  if (is_package_url(in)) return fetch_package(in, timeout);
  const auto folder = io.env("PWD");
  if (in != "-" && !in.starts_with('/') && folder && folder->starts_with('/')) {
    std::error_code error;
    const std::string name = *folder + "/" + in;
    if (std::filesystem::exists(name, error)) return read_package_file(name, io);
  }
  return read_package_file(in, io);
}

}  // namespace strake::cli
