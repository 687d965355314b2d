#pragma once
// The CustomResourceDefinitions of the kinds that people declare (Workspace, Provider, Cluster,
// App, Box, Defaults) and of those that controllers keep beside them (Disk, Snapshot, NodePool).
// They are the one place that says what a document may hold: the loader, `strake validate` and the
// server judge by them. The texts are the files of src/ops/kom/definitions.
#include <span>
#include <string_view>
#include <utility>

namespace strake::ops {

inline constexpr std::string_view kKomGroup = "ops.kompox.dev";
inline constexpr std::string_view kKomVersion = "v1alpha1";
inline constexpr std::string_view kKomApiVersion = "ops.kompox.dev/v1alpha1";

// Annotations: the Resource ID, which people write, and where a document was read from, which the
// loader writes (the place in the file counts from 1).
inline constexpr std::string_view kIdAnnotation = "ops.kompox.dev/id";
inline constexpr std::string_view kDocPathAnnotation = "ops.kompox.dev/doc-path";
inline constexpr std::string_view kDocIndexAnnotation = "ops.kompox.dev/doc-index";

// "apps.yaml" and its text, sorted by name.
std::span<const std::pair<std::string_view, std::string_view>> kom_definitions();

}  // namespace strake::ops
