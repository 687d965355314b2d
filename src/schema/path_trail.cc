#include "schema/path_trail.h"

#include <vector>

namespace strake::schema {

FieldPath PathTrail::path() const {
  std::vector<const PathTrail*> frames;
  const PathTrail* at = this;
  for (; at->parent_ != nullptr; at = at->parent_) frames.push_back(at);
  FieldPath out = *at->start_;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    switch ((*frame)->kind_) {
      case FieldPath::Kind::kField: out.push_field((*frame)->name_); break;
      case FieldPath::Kind::kKey: out.push_key((*frame)->name_); break;
      case FieldPath::Kind::kIndex: out.push_index((*frame)->index_); break;
    }
  }
  return out;
}

}  // namespace strake::schema
