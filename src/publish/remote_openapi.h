#pragma once
// OpenAPI documents of other servers: what is taken over of each, and the v2 document of all of
// them together. Read with distrust, as discovery is.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace strake::publish {

struct RemoteOpenApiLimits {
  std::size_t bytes = std::size_t{16} << 20;
  std::size_t nodes = 1'000'000;
  std::size_t depth = 500;
};

// The part of a server's v2 document that is about one version of one group, JSON text: the paths
// below "/apis/<group>/<version>/", and the definitions and parameters that they lead to.
// References that lead nowhere are left out, and so is every claim to describe kinds of other
// groups. Fails with kParse, kLimit or kInvalid, also when the part has no form in protobuf: a part
// that is in the document must not spoil it for the others.
Result<std::string> openapi_v2_part(std::string text, std::string_view group,
                                    std::string_view version,
                                    const RemoteOpenApiLimits& limits = {});
// Whether a part has no paths.
bool is_empty_part(std::string_view part);

// One document of the server's own and the parts, in their order. The first who has a path keeps
// it. Equal definitions (but for the kinds that they name, which are put together) and parameters
// are one; others of a name that is taken get another, "<name>_v2" and so on, as in
// kube-apiserver 1.36.
Result<std::string> merge_openapi_v2(std::string_view local,
                                     std::span<const std::shared_ptr<const std::string>> parts);

// What a v3 index tells of a path: the hash of its document, empty where it tells none or one that
// cannot stand in a query; nothing when the path is not in it. Fails when it is no index.
Result<std::optional<std::string>> hash_in_v3_index(const value::Value& root,
                                                    std::string_view path);

}  // namespace strake::publish
