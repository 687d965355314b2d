#pragma once
// The hashes that derived names end in. They are made of plain names, never of Resource IDs, so a
// name can be computed again by whoever knows the declaration.
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace strake::provider {

// The name of a workspace that is not declared, in hashes too.
inline constexpr std::string_view kNoWorkspace = "(nil)";

// The first characters of the SHA-256 of `input`, read as one big-endian number and written in base
// 36, with zeros in front where it has fewer digits than `length`.
std::string short_hash(std::string_view input, std::size_t length = 6);

// Whom something belongs to: plain names, empty where there is none.
struct OwnerNames {
  std::string workspace;
  std::string provider;
  std::string cluster;
  std::string app;
};

struct Hashes {
  std::string workspace;
  std::string provider;
  std::string cluster;
  std::string app_id;  // the same in every cluster of the provider: what survives a move has it
  std::string app_instance;
};

Hashes hashes_of(std::string_view workspace, std::string_view provider, std::string_view cluster,
                 std::string_view app);
Hashes hashes_of(const OwnerNames& owner);

// Of the data of a ConfigMap or Secret: keys in byte order, "KEY=VALUE" and a NUL each.
std::string content_hash(const std::map<std::string, std::string>& data);
// Of what a pod refers to: the content hashes in their order, an empty text for what is not there.
// Empty when the pod refers to nothing.
std::string pod_content_hash(std::span<const std::string> segments);

}  // namespace strake::provider
