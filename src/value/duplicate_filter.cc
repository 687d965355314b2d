#include "value/duplicate_filter.h"

// A skipped member is passed over by counting open containers, so that nothing of it is looked at.
// Only frames that are not skipped have a table of keys. Memory: the keys of the open containers.

namespace strake::value {

DuplicateKeyFilter::Frame& DuplicateKeyFilter::open(bool object) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.object = object;
  frame.index = 0;
  frame.key.clear();
  frame.seen.clear();
  return frame;
}

FieldPath DuplicateKeyFilter::path_to(std::string_view last) const {
  FieldPath path;
  for (std::size_t i = 0; i + 1 < depth_; ++i) {
    if (frames_[i].object) {
      path.push_field(frames_[i].key);
    } else {
      path.push_index(frames_[i].index);
    }
  }
  path.push_field(last);
  return path;
}

void DuplicateKeyFilter::value_ended() {
  if (depth_ != 0 && !frames_[depth_ - 1].object) ++frames_[depth_ - 1].index;
}

bool DuplicateKeyFilter::key(std::string_view name, const Position& at) {
  if (skipping_ != 0) return true;
  Frame& frame = frames_[depth_ - 1];
  frame.key.assign(name);
  const auto [known, fresh] = frame.seen.try_emplace(frame.key, at);
  if (fresh) return next_.key(name, at);
  if (policy_ == DuplicatePolicy::kError) {
    error_ = Error(Code::kParse, fmt::format("duplicate key \"{}\", first at {}:{}", name,
                                             known->second.line, known->second.column))
                 .at(at)
                 .at(path_to(name));
    return false;
  }
  if (duplicates_.size() < max_listed_) duplicates_.push_back({path_to(name), known->second, at});
  if (policy_ == DuplicatePolicy::kFirstWins) {
    skip_next_ = true;
    return true;
  }
  return next_.key(name, at);
}

bool DuplicateKeyFilter::scalar(const Value& v, const Position& at) {
  if (skipping_ != 0) return true;
  if (std::exchange(skip_next_, false)) return true;
  value_ended();
  return next_.scalar(v, at);
}

bool DuplicateKeyFilter::begin_object(const Position& at) {
  if (skipping_ != 0 || std::exchange(skip_next_, false)) return ++skipping_, true;
  open(true);
  return next_.begin_object(at);
}

bool DuplicateKeyFilter::begin_array(const Position& at) {
  if (skipping_ != 0 || std::exchange(skip_next_, false)) return ++skipping_, true;
  open(false);
  return next_.begin_array(at);
}

bool DuplicateKeyFilter::end_object(const Position& at) {
  if (skipping_ != 0) return --skipping_, true;
  --depth_;
  value_ended();
  return next_.end_object(at);
}

bool DuplicateKeyFilter::end_array(const Position& at) {
  if (skipping_ != 0) return --skipping_, true;
  --depth_;
  value_ended();
  return next_.end_array(at);
}

}  // namespace strake::value
