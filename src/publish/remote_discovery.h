#pragma once
// Discovery documents of other servers, read with distrust: what is taken over is written anew, in
// one order and without what does not belong there, so that one server's document changes nothing
// but its own version of its own group.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace strake::publish {

struct RemoteDiscoveryLimits {
  std::size_t bytes = std::size_t{8} << 20;
  std::size_t nodes = 1'000'000;
  std::size_t depth = 64;
  std::size_t entries = 20'000;  // resources and subresources of one version
  std::size_t words = 200;       // verbs, short names or categories of one of them
  std::size_t name_bytes = 253;
};

// JSON within the limits, whatever it says. Fails with kParse or kLimit.
Result<value::Document> read_remote_json(std::string text,
                                         const RemoteDiscoveryLimits& limits = {});

// Whether this is an APIGroupDiscoveryList, of v2 or v2beta1. A server that does not know them may
// answer with another document.
bool is_aggregated_discovery(const value::Value& root);

// What it says of one version, as RemoteVersion::resources has it; nothing when it does not name
// that version of that group. Fails with kInvalid, and says where, when something there cannot be
// shown: other versions are not looked at.
Result<std::optional<std::string>> resources_in_aggregated(
    const value::Value& root, std::string_view group, std::string_view version,
    const RemoteDiscoveryLimits& limits = {});

// The same of an APIResourceList. Subresources without their resource get one without a kind and
// without verbs, as in kube-apiserver 1.36.
Result<std::string> resources_in_list(const value::Value& root, std::string_view group,
                                      std::string_view version,
                                      const RemoteDiscoveryLimits& limits = {});

}  // namespace strake::publish
