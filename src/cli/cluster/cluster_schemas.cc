#include "cli/cluster/cluster_schemas.h"

#include <algorithm>

#include "cli/cluster/cluster_flags.h"
#include "kube/list.h"
#include "kube/openapi.h"
#include "validate/phrases.h"

namespace strake::cli {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::size_t kPage = 100;

// "apps/v1" is described in "apis/apps/v1", "v1" in "api/v1".
std::string part_of(std::string_view api_version) {
  const bool core = api_version.find('/') == std::string_view::npos;
  return fmt::format("{}{}", core ? "api/" : "apis/", api_version);
}

ClusterSchema named(const kube::Client& cluster, std::string_view path, std::string text) {
  return {.name = fmt::format("{}:{}", cluster.access().context, path.substr(0, path.find('?'))),
          .text = std::make_shared<const std::string>(std::move(text))};
}

Result<> add_crds(const kube::Client& cluster, ClusterSchemas& into) {
  auto pages = kube::list_pages(cluster, kCrds, kPage);
  if (!pages) {
    if (pages.error().code() != Code::kForbidden && pages.error().code() != Code::kNotFound)
      return std::unexpected(std::move(pages).error());
    into.warning = validate::say(validate::Phrase::kClusterCrds, pages.error().message());
    return {};
  }
  for (std::string& page : *pages) into.all.push_back(named(cluster, kCrds, std::move(page)));
  return {};
}

Result<> add_openapi(const kube::Client& cluster, const std::set<std::string>* api_versions, Io& io,
                     ClusterSchemas& into) {
  auto listed = kube::list_openapi_v3(cluster);
  if (!listed && listed.error().code() == Code::kNotFound) {
    STRAKE_TRY(std::string text, kube::fetch_openapi_v2(cluster));
    into.all.push_back(named(cluster, "/openapi/v2", std::move(text)));
    return {};
  }
  if (!listed) return std::unexpected(std::move(listed).error());
  std::erase_if(*listed, [&](const kube::OpenApiPart& part) {
    if (!part.name.starts_with("api")) return true;  // paths of no group
    return api_versions != nullptr &&
           std::ranges::none_of(*api_versions,
                                [&](const std::string& one) { return part.name == part_of(one); });
  });
  std::vector<std::string> paths;
  for (const kube::OpenApiPart& part : *listed) paths.push_back(part.path);
  STRAKE_TRY(std::vector<std::string> texts, get_all(cluster, paths, io));
  for (std::size_t i = 0; i < paths.size(); ++i)
    into.all.push_back(named(cluster, paths[i], std::move(texts[i])));
  return {};
}

}  // namespace

void add_api_versions(std::string_view text, std::set<std::string>& to) {
  constexpr std::string_view kWord = "apiVersion";
  for (std::size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at)) {
    at += kWord.size();
    const std::size_t start = text.find_first_not_of("\"': \t", at);
    if (start == std::string_view::npos) return;
    const std::size_t end = text.find_first_of("\"' \t\r\n,}#", start);
    const std::string_view word = text.substr(start, end - start);
    if (!word.empty() && word.size() < 300) to.emplace(word);
  }
}

Result<ClusterSchemas> fetch_cluster_schemas(const kube::Client& cluster,
                                             const std::set<std::string>* api_versions, Io& io) {
  ClusterSchemas out;
  STRAKE_CHECK(add_crds(cluster, out));
  STRAKE_CHECK(add_openapi(cluster, api_versions, io, out));
  return out;
}

}  // namespace strake::cli
