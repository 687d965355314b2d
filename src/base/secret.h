#pragma once
// Text that must not be shown: a token, a password, a key. It prints as *** wherever it is
// formatted, and is read only by the one call that says so.
#include <fmt/format.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace strake {

class Secret {
 public:
  static constexpr std::string_view kShown = "***";

  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }  // overwrites the text, as far as this copy goes

  const std::string& reveal() const { return text_; }
  bool empty() const { return text_.empty(); }
  // Takes the same time wherever the texts differ.
  bool equals(std::string_view other) const;

  friend std::ostream& operator<<(std::ostream& out, const Secret& secret);

 private:
  void wipe();
  std::string text_;
};

}  // namespace strake

template <>
struct fmt::formatter<strake::Secret> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const strake::Secret&, Context& context) const {
    return fmt::formatter<std::string_view>::format(strake::Secret::kShown, context);
  }
};
