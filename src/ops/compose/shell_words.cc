#include "ops/compose/shell_words.h"

#include "base/trim.h"

namespace strake::ops::compose {
namespace {

constexpr std::string_view kOperators = ";&|<>";

class CommandSplitter {
 public:
  explicit CommandSplitter(std::string_view text) : rest_(text) {}

  Result<std::vector<std::string>> split() {
    while (!rest_.empty()) {
      const char c = take();
      if (kAsciiSpaces.find(c) != std::string_view::npos) {
        end_word();
      } else if (c == '\'') {
        STRAKE_CHECK(single_quoted());
      } else if (c == '"') {
        STRAKE_CHECK(double_quoted());
      } else if (c == '\\') {
        if (rest_.empty()) return fail(Code::kInvalid, "a backslash stands at the end of the text");
        add(take());
      } else if (kOperators.find(c) != std::string_view::npos) {
        return fail(Code::kInvalid,
                    "'{}' has no meaning without a shell: write a list, or run it by sh -c '...'",
                    c);
      } else {
        add(c);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void add(char c) {
    word_ += c;
    in_word_ = true;
  }
  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }
  Result<> single_quoted() {
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return fail(Code::kInvalid, "a single quote does not end");
    word_ += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    in_word_ = true;
    return {};
  }
  Result<> double_quoted() {
    in_word_ = true;
    while (!rest_.empty()) {
      const char c = take();
      if (c == '"') return {};
      if (c == '\\' && !rest_.empty() &&
          std::string_view("\"\\$`").find(rest_.front()) != std::string_view::npos) {
        word_ += take();
      } else {
        word_ += c;
      }
    }
    return fail(Code::kInvalid, "a double quote does not end");
  }

  std::string_view rest_;
  std::string word_;
  bool in_word_ = false;  // "" is a word
  std::vector<std::string> words_;
};

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  return CommandSplitter(text).split();
}

}  // namespace strake::ops::compose
