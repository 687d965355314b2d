#include "http/h2_stream.h"

#include <algorithm>
#include <cstring>

namespace strake::http {
namespace {

constexpr std::size_t kPlainPart = 16 * 1024;

}  // namespace

void H2Body::set(std::vector<Piece> pieces, bool is_last) {
  pieces_ = std::move(pieces);
  piece_ = at_ = 0;
  is_last_ = is_last;
}

bool H2Body::is_empty() const {
  if (packed_at_ < packed_.size() || (gzip_ && is_last_ && !gzip_finished_)) return false;
  for (std::size_t i = piece_, at = at_; i < pieces_.size(); ++i, at = 0) {
    if (pieces_[i].view().size() > at) return false;
  }
  return true;
}

std::size_t H2Body::read(char* to, std::size_t size) {
  return gzip_ ? read_packed(to, size) : read_plain(to, size);
}

std::size_t H2Body::read_plain(char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size && piece_ < pieces_.size()) {
    const std::string_view left = pieces_[piece_].view().substr(at_);
    const std::size_t part = std::min(left.size(), size - done);
    std::ranges::copy(left.substr(0, part), to + done);  // an empty piece has no bytes to point to
    done += part;
    at_ += part;
    if (part == left.size()) {
      ++piece_;
      at_ = 0;
    }
  }
  // A watch may wait long for its next event: it holds nothing meanwhile.
  if (piece_ == pieces_.size() && piece_ > 0) {
    pieces_ = {};
    piece_ = 0;
  }
  return done;
}

std::size_t H2Body::read_packed(char* to, std::size_t size) {
  char plain[kPlainPart];
  while (packed_.size() - packed_at_ < size && !gzip_finished_) {
    const std::size_t part = read_plain(plain, kPlainPart);
    if (part == 0 && !is_last_) break;  // more will be given
    if (part == 0) {
      gzip_->finish(packed_);
      gzip_finished_ = true;
    } else {
      gzip_->add({plain, part}, packed_);
    }
  }
  const std::size_t part = std::min(size, packed_.size() - packed_at_);
  std::memcpy(to, packed_.data() + packed_at_, part);
  packed_at_ += part;
  if (packed_at_ == packed_.size()) {
    packed_.clear();
    packed_at_ = 0;
  }
  return part;
}

}  // namespace strake::http
