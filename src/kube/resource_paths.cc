#include "kube/resource_paths.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "http/message.h"
#include "meta/gvk.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {

using value::text_of;
using value::Value;

std::string ResourcePath::collection(std::string_view namespace_name) const {
  if (!namespaced || namespace_name.empty()) return fmt::format("{}/{}", base, plural);
  return fmt::format("{}/namespaces/{}/{}", base, http::percent_encode(namespace_name), plural);
}

std::string ResourcePath::object(std::string_view namespace_name, std::string_view name) const {
  return fmt::format("{}/{}", collection(namespace_name), http::percent_encode(name));
}

Result<ResourcePath> ResourcePaths::find(std::string_view api_version, std::string_view kind) {
  const auto known = known_.find(api_version);
  if (known != known_.end()) {
    if (const auto found = known->second.find(kind); found != known->second.end())
      return found->second;
  }
  // It may have come since: a definition was created.
  STRAKE_TRY(ByKind fresh, ask(api_version));
  const ByKind& all = known_[std::string(api_version)] = std::move(fresh);
  const auto found = all.find(kind);
  if (found == all.end())
    return fail(Code::kNotFound,
                "the cluster has no kind {} in version {}; is its definition installed?",
                quote(kind), quote(api_version));
  return found->second;
}

Result<ResourcePaths::ByKind> ResourcePaths::ask(std::string_view api_version) const {
  STRAKE_TRY(const meta::GroupVersion version, meta::parse_group_version(api_version));
  ByKind out;
  const std::string base = fmt::format("{}/{}", version.group.empty() ? "/api" : "/apis",
                                       version.group.empty() ? version.version : api_version);
  const Result<std::string> body = cluster_.get(base);
  if (!body && body.error().code() == Code::kNotFound) return out;
  if (!body) return std::unexpected(body.error());
  STRAKE_TRY(const value::Document list, value::read_json(*body));
  for (const Value& one : list.root().get("resources").items()) {
    const std::string_view plural = text_of(one, "name");
    if (plural.empty() || plural.contains('/')) continue;  // a subresource
    out.try_emplace(std::string(text_of(one, "kind")),
                    ResourcePath{.base = base,
                                 .plural = std::string(plural),
                                 .namespaced = value::flag_of(one, "namespaced")});
  }
  return out;
}

}  // namespace strake::kube
