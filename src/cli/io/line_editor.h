#pragma once
// A line of text that a person types at a terminal, with the usual keys: arrows, Home, End, Delete,
// Backspace, Ctrl-A E B F K U W P N, and the lines typed before. LineEditor knows keys and no
// terminal; TerminalLines puts one on a terminal.
#include <termios.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

class LineEditor {
 public:
  enum class Event : std::uint8_t {
    kNone,     // the line may look different
    kLine,     // Enter: text() is the line
    kCleared,  // Ctrl-C: the line was thrown away
    kEnd,      // Ctrl-D on an empty line
  };

  // The next byte from the keyboard.
  Event feed(char byte);
  // Starts an empty line.
  void reset();
  // Notes a line for the arrows; empty ones and repetitions are not kept.
  void remember(std::string_view line);

  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // in bytes, between characters
  const std::vector<std::string>& history() const { return history_; }

  // What redraws the line on a screen of that many columns, long lines sliding under the prompt.
  std::string draw(std::string_view prompt, std::size_t columns) const;

 private:
  enum class State : std::uint8_t { kPlain, kEscape, kSequence, kFunction };
  Event control(char byte);
  void finish_sequence(char last);
  void insert(char byte);
  std::size_t before(std::size_t at) const;  // the start of the character that ends there
  std::size_t after(std::size_t at) const;
  void erase(std::size_t from, std::size_t to);
  void erase_word();
  void show_history(std::size_t place);

  std::string text_;
  std::size_t cursor_ = 0;
  State state_ = State::kPlain;
  std::string parameters_;  // of an escape sequence under way
  std::vector<std::string> history_;
  std::size_t place_ = 0;  // in the history; its size for the line being typed
  std::string typed_;      // that line, while an older one is shown
};

// Lines from a terminal. The terminal stays in raw mode while this lives.
class TerminalLines {
 public:
  // Nothing when the descriptor is no terminal.
  static std::optional<TerminalLines> open(int in_fd, int out_fd);
  TerminalLines(TerminalLines&& other) noexcept;
  TerminalLines& operator=(TerminalLines&&) = delete;
  ~TerminalLines();

  // Nothing at the end of input. Code::kIo.
  Result<std::optional<std::string>> read(std::string_view prompt);
  LineEditor& editor() { return editor_; }

 private:
  TerminalLines(int in_fd, int out_fd, const termios& before)
      : in_fd_(in_fd), out_fd_(out_fd), before_(before) {}
  void show(std::string_view text) const;
  std::size_t columns() const;

  int in_fd_;
  int out_fd_;
  termios before_;
  std::string pending_;  // typed ahead
  LineEditor editor_;
};

}  // namespace strake::cli
