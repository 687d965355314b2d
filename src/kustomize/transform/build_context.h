#pragma once
// What all parts of one build share: the memory its nodes and resources live in, the schemas, and
// what is remembered for later.
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/merge/build_schemas.h"
#include "kustomize/tree/node.h"
#include "kustomize/tree/origin.h"
#include "kustomize/tree/resource.h"

namespace strake::kustomize {

// Where a build failed, beside kustomize's message: known from the inside out.
struct FailureTrail {
  std::optional<Error> first;      // with file and line, before anybody put it into context
  std::vector<std::string> files;  // the kustomizations that led there, the innermost first
  std::string resource;            // that it is about, where one is
};

struct BuildContext {
  NodeArena arena;
  BuildSchemas schemas;
  OriginTable origins;
  std::deque<std::string> texts;  // that nodes point into
  std::deque<Resource> resources;
  std::deque<BuildOrigin> build_origins;
  FailureTrail failure;
  std::vector<std::string>* warnings = nullptr;  // outlives a build that fails

  void warn(std::string text) {
    if (warnings != nullptr) warnings->push_back(std::move(text));
  }
  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
  Resource* make(Node* root) {
    Resource& made = resources.emplace_back();
    made.root = root;
    return &made;
  }
  // The build is about to fail because of this resource.
  void blame(const Resource& resource);
  // The error with the file and line that the node comes from, where it has none and they are
  // known.
  Error placed(Error error, const Node& node) const {
    return placed(std::move(error), node.origin, node.line);
  }
  // A position that the error has is one in what was read, as is the line.
  Error placed(Error error, OriginId origin, std::uint32_t line) const;
  Resource* copy(const Resource& resource) {
    Resource& made = resources.emplace_back(resource);
    made.root = arena.copy(resource.root);
    return &made;
  }
};

// An error of giving a resource its JSON form, with the place of what has none.
Error unprintable(Error error, const Resource& resource, BuildContext& context);

// Whether an object has a kind and, unless it is a list, a name. The message tells all metadata,
// what the build remembers included.
Result<> check_metadata(const Resource& resource);

// The resources of a text, as kustomize v5.5.0 takes them: documents without content are passed
// over, lists are replaced by their items, and each needs a kind and a name. The origin of the
// nodes is the arena's current one.
Result<std::vector<Resource*>> read_resources(std::string text, BuildContext& context);

}  // namespace strake::kustomize
