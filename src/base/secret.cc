#include "base/secret.h"

#include <cstddef>
#include <ostream>

namespace strake {

Secret::Secret(Secret&& other) noexcept { text_.swap(other.text_); }

Secret& Secret::operator=(const Secret& other) {
  if (this == &other) return *this;
  wipe();
  text_ = other.text_;
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  // Swapped, since a moved-from short string keeps its characters.
  text_.swap(other.text_);
  return *this;
}

bool Secret::equals(std::string_view other) const {
  unsigned difference = text_.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const char mine = text_.empty() ? '\0' : text_[i % text_.size()];
    difference |= static_cast<unsigned char>(mine ^ other[i]);
  }
  return difference == 0;
}

void Secret::wipe() {
  volatile char* at = text_.data();
  for (std::size_t i = 0; i < text_.size(); ++i) at[i] = '\0';
  text_.clear();
}

std::ostream& operator<<(std::ostream& out, const Secret&) { return out << Secret::kShown; }

}  // namespace strake
