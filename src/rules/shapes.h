#pragma once
// Schemas as expressions see them: which fields there are and how they are spelled, what the types
// are, and how large the data can grow. One Shapes serves one schema; shapes live as long as it and
// are made once for each node that is asked for.
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/cost/cost_estimate.h"
#include "cel/value/shape.h"
#include "schema/node.h"

namespace strake::rules {

// What the API server takes as the largest request.
inline constexpr std::uint64_t kMaxRequestBytes = 3'145'728;

struct SchemaShape : cel::DocumentShape {
  std::uint64_t max_size = 0;  // characters, items or entries; 0 for what has no size
  std::uint64_t min_json = 0;  // bytes that the shortest value takes
};

class Shapes final : public cel::SizeEstimator {
 public:
  Shapes() = default;
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;

  // Null when rules cannot see values of the node. The root of a resource always has apiVersion,
  // kind, metadata.name and metadata.generateName. The node must outlive this.
  const SchemaShape* find(const schema::Node& node, bool resource_root);

  std::uint64_t max_size(const cel::DocumentShape& shape) const override {
    return static_cast<const SchemaShape&>(shape).max_size;
  }

 private:
  const SchemaShape* make(const schema::Node& node, bool resource_root);
  const SchemaShape* make_text(const schema::Node& node);
  const SchemaShape* make_list(const schema::Node& node);
  const SchemaShape* make_object(const schema::Node& node, bool resource_root);
  const SchemaShape* implicit_metadata();
  const SchemaShape* scalar(cel::DocumentShape::Kind kind, const cel::Type* type,
                            std::uint64_t max_size, std::uint64_t min_json);
  const SchemaShape* plain_text();

  Arena arena_;
  cel::TypeFactory types_{arena_};
  std::deque<SchemaShape> shapes_;
  std::map<std::pair<const schema::Node*, bool>, const SchemaShape*> known_;
};

// How expressions spell a property: with __dash__ and the like; nothing when they cannot.
std::optional<std::string> escape_name(std::string_view name);

}  // namespace strake::rules
