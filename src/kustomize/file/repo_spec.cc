#include "kustomize/file/repo_spec.h"

#include <algorithm>
#include <charconv>

#include "base/go_duration.h"
#include "kustomize/file/paths.h"

// Whether a text is a URL of a repository or a path is decided by its form alone, before anything
// is looked up, as in kustomize v5.5.0: a scheme, a user in front of a host, or github.com. What is
// taken for neither becomes a local path.

namespace strake::kustomize {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Whatever the case of the text; the prefix is taken off.
bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.size() < prefix.size() ||
      !std::ranges::equal(text.substr(0, prefix.size()), prefix,
                          [](char a, char b) { return lower(a) == b; }))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view take_scheme(std::string_view& text) {
  for (const std::string_view scheme : {"ssh://", "https://", "http://", "file://"}) {
    if (take_prefix(text, scheme)) return scheme;
  }
  return {};
}

// "user@", or nothing.
std::string_view take_user(std::string_view& text) {
  const auto is_letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  if (text.empty() || !is_letter(text[0])) return {};
  std::size_t i = 1;
  while (i < text.size() &&
         (is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9') || text[i] == '-'))
    ++i;
  if (i == text.size() || text[i] != '@') return {};
  const std::string_view user = text.substr(0, i + 1);
  text.remove_prefix(i + 1);
  return user;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() + 0 &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr ==
            text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

void read_query(std::string_view query, RepoSpec& spec) {
  std::string version;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view key = pair.substr(0, equals);
    const std::string value = unescaped(pair.substr(std::min(equals + 1, pair.size())));
    if (value.empty()) continue;
    if (key == "ref" && spec.ref.empty()) spec.ref = value;
    if (key == "version" && version.empty()) version = value;
    if (key == "submodules") {
      if (value == "false" || value == "0" || value == "f" || value == "F" || value == "False" ||
          value == "FALSE")
        spec.submodules = false;
    }
    if (key == "timeout") {
      std::int64_t seconds = 0;
      const auto parsed = std::from_chars(value.data(), value.data() + value.size(), seconds);
      if (parsed.ec == std::errc() && parsed.ptr == value.data() + value.size() && seconds > 0) {
        spec.timeout = std::chrono::seconds(std::min<std::int64_t>(seconds, 86'400));
      } else if (const auto duration = parse_go_duration(value);
                 duration && *duration > std::chrono::nanoseconds(0)) {
        spec.timeout = std::chrono::ceil<std::chrono::milliseconds>(*duration);
      }
    }
  }
  if (spec.ref.empty()) spec.ref = version;
}

// Scheme, user and host; what is left of the text is the path.
bool read_host(std::string_view& text, RepoSpec& spec) {
  take_prefix(text, "git::");
  std::string_view scheme = take_scheme(text);
  std::string_view user = take_user(text);
  std::string_view rest = text;
  const bool github = take_prefix(rest, "github.com/") || take_prefix(rest, "github.com:");
  const bool scp = scheme.empty() && (!user.empty() || github);
  if (scheme.empty() && !scp) return false;
  if (scheme == "file://") {
    spec.host = scheme;
    if (!user.empty()) text = {user.data(), user.size() + text.size()};
    return true;
  }
  std::size_t end = text.find('/');
  if (scp) {
    const std::size_t colon = text.find(':');
    if (end == std::string_view::npos ||
        (colon != std::string_view::npos && colon > 0 && colon < end))
      end = colon;
  }
  std::string_view host = end == std::string_view::npos ? text : text.substr(0, end + 1);
  text.remove_prefix(host.size());
  if (github) {
    const bool ssh = scheme == "ssh://" || !user.empty();
    scheme = ssh ? "" : "https://";
    host = ssh ? "github.com:" : "github.com/";
  }
  if (host.empty()) return false;
  spec.host.append(scheme).append(user).append(host);
  return true;
}

// Where the repository ends and the folder in it begins, by the first rule that applies: _git/NAME
// (Azure), a double slash, .git, else two parts (org/repo).
bool read_path(std::string_view path, RepoSpec& spec) {
  std::string_view folder;
  if (const std::size_t at = path.find("_git/"); at != std::string_view::npos) {
    const std::size_t end = std::min(path.find('/', at + 5), path.size());
    spec.repo = path.substr(0, end);
    folder = path.substr(std::min(end + 1, path.size()));
  } else if (const std::size_t slashes = path.find("//"); slashes != std::string_view::npos) {
    spec.repo = path.substr(0, slashes);
    folder = path.substr(slashes + 2);
  } else if (const std::size_t suffix = path.find(".git"); suffix != std::string_view::npos) {
    spec.repo = path.substr(0, suffix + 4);
    folder = path.substr(suffix + 4);
  } else if (spec.host.starts_with("file://")) {
    spec.repo = path;
  } else {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return false;
    const std::size_t second = std::min(path.find('/', first + 1), path.size());
    spec.repo = path.substr(0, second);
    folder = path.substr(std::min(second + 1, path.size()));
  }
  if (spec.repo.empty()) return false;
  if (folder.starts_with('/')) folder.remove_prefix(1);
  const std::string clean = clean_path(folder);
  if (clean == ".." || clean.starts_with("../")) return false;
  spec.folder = folder;
  return true;
}

// The value of a query's parameter whose name tells that it is a secret.
bool names_secret(std::string_view name) {
  std::string lowered;
  for (const char c : name) lowered += lower(c);
  constexpr std::string_view kWords[] = {"token", "password", "secret", "sig", "key", "credential"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return lowered.find(word) != std::string::npos; });
}

// For messages and origins. A name without a password is kept with ssh, where it is no secret
// (git@).
std::string without_users(std::string_view text) {
  constexpr std::string_view kMark = ":/";  // one slash is left where a URL was taken for a path
  std::string out;
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark)) {
    const bool ssh = text.substr(0, at).ends_with("ssh");
    const std::size_t start = std::min(text.find_first_not_of('/', at + 1), text.size());
    out += text.substr(0, start);
    text.remove_prefix(start);
    const std::string_view host = text.substr(0, text.find_first_of("/?# \t\r\n'\"<>"));
    const std::size_t end = host.rfind('@');
    if (end == std::string_view::npos) continue;
    if (ssh && host.substr(0, end).find(':') == std::string_view::npos) continue;
    out += "***";
    text.remove_prefix(end);
  }
  return out.append(text);
}

}  // namespace

std::string without_credentials(std::string_view text) {
  const std::string users_gone = without_users(text);
  std::string_view rest = users_gone;
  std::string out;
  for (std::size_t at = rest.find_first_of("?&"); at != std::string_view::npos;
       at = rest.find_first_of("?&")) {
    out += rest.substr(0, at + 1);
    rest.remove_prefix(at + 1);
    const std::size_t name = rest.find_first_of("=?& \t\r\n'\"");
    if (name == std::string_view::npos || rest[name] != '=' || !names_secret(rest.substr(0, name)))
      continue;
    out.append(rest.substr(0, name + 1)).append("***");
    rest.remove_prefix(std::min(rest.find_first_of("&# \t\r\n'\"", name), rest.size()));
  }
  return out.append(rest);
}

std::optional<RepoSpec> parse_repo_spec(std::string_view text) {
  if (is_absolute(text)) return std::nullopt;
  RepoSpec spec;
  spec.raw = text;
  const std::size_t question = text.find('?');
  if (question != std::string_view::npos) read_query(text.substr(question + 1), spec);
  std::string_view rest = text.substr(0, question);
  if (!read_host(rest, spec) || !read_path(rest, spec)) return std::nullopt;
  return spec;
}

bool is_http_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

}  // namespace strake::kustomize
