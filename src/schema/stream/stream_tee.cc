#include "schema/stream/stream_tee.h"

namespace strake::schema {
namespace {

// Keys are unique by the time they get here.
value::ReadOptions tee_options() {
  value::ReadOptions out;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  return out;
}

}  // namespace

StreamTee::StreamTee(StreamParts::Need need, std::size_t most_bytes)
    : builder_(tee_options()),
      most_bytes_(most_bytes),
      meta_only_(need == StreamParts::Need::kMeta) {}

void StreamTee::give_up() {
  builder_.reset();
  gave_up_ = true;
  bytes_ = 0;
}

bool StreamTee::fits(std::size_t bytes) {
  bytes_ += bytes + sizeof(value::Value);
  if (bytes_ <= most_bytes_) return true;
  give_up();
  return false;
}

void StreamTee::begin(bool object, const Position& at) {
  if (!passes_over() && fits(sizeof(value::Value)) &&
      !(object ? builder_.begin_object(at) : builder_.begin_array(at)))
    give_up();
  ++depth_;
}

void StreamTee::end(bool object, const Position& at) {
  --depth_;
  if (!passes_over() && !(object ? builder_.end_object(at) : builder_.end_array(at))) give_up();
}

void StreamTee::key(std::string_view name, const Position& at) {
  if (depth_ == 1) in_meta_ = is_type_meta(name);
  if (!passes_over() && fits(name.size()) && !builder_.key(name, at)) give_up();
}

void StreamTee::scalar(const value::Value& v, const Position& at) {
  const std::size_t text = v.is_string() ? v.size() : 0;
  if (!passes_over() && fits(text) && !builder_.scalar(v, at)) give_up();
}

std::optional<value::Document> StreamTee::take() {
  if (gave_up_ || !builder_.complete()) return std::nullopt;
  return builder_.take();
}

}  // namespace strake::schema
