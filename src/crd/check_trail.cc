#include "crd/check_trail.h"

#include <vector>

namespace strake::crd {

void SchemaTrail::append_to(FieldPath& path) const {
  if (name_.data() != nullptr) path.push_field(name_);
  if (second_ == Second::kKey) path.push_key(key_);
  if (second_ == Second::kIndex) path.push_index(index_);
}

FieldPath SchemaTrail::path() const {
  std::vector<const SchemaTrail*> frames;
  const SchemaTrail* at = this;
  for (; at->parent_ != nullptr; at = at->parent_) frames.push_back(at);
  FieldPath out = *at->start_;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) (*frame)->append_to(out);
  return out;
}

}  // namespace strake::crd
