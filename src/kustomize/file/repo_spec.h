#pragma once
// Remote bases: a URL that names a repository, a folder in it and what to check out.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace strake::kustomize {

struct RepoSpec {
  std::string raw;
  std::string host;  // with scheme and user: "https://github.com/"
  std::string repo;  // "org/repo.git"
  std::string folder;
  std::string ref;
  std::chrono::milliseconds timeout = std::chrono::seconds(27);
  bool submodules = true;

  std::string clone_url() const { return host + repo; }
};

// Nothing when the text is no such URL: then it is a path.
std::optional<RepoSpec> parse_repo_spec(std::string_view text);

bool is_http_url(std::string_view text);

// A text for people, with `***` for what URLs in it say about who is asking: users and passwords
// before the host (but not the plain user of ssh), tokens and the like in queries.
std::string without_credentials(std::string_view text);

}  // namespace strake::kustomize
