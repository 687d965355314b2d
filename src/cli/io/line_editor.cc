#include "cli/io/line_editor.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/utf8.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

constexpr std::size_t kMaxLineBytes = 1 << 16;
constexpr std::size_t kMaxHistory = 1000;
constexpr std::size_t kMaxParameters = 16;

constexpr char key(char letter) { return static_cast<char>(letter & 0x1f); }

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

void LineEditor::reset() {
  text_.clear();
  cursor_ = 0;
  state_ = State::kPlain;
  place_ = history_.size();
  typed_.clear();
}

void LineEditor::remember(std::string_view line) {
  const bool repeated = !history_.empty() && history_.back() == line;
  if (!line.empty() && !repeated) history_.emplace_back(line);
  if (history_.size() > kMaxHistory) history_.erase(history_.begin());
  place_ = history_.size();
}

LineEditor::Event LineEditor::feed(char byte) {
  switch (state_) {
    case State::kPlain: break;
    case State::kEscape:
      parameters_.clear();
      state_ = byte == '[' ? State::kSequence : byte == 'O' ? State::kFunction : State::kPlain;
      return Event::kNone;
    case State::kFunction:
      state_ = State::kPlain;
      finish_sequence(byte);
      return Event::kNone;
    case State::kSequence:
      if (byte >= 0x40 && byte <= 0x7e) {
        state_ = State::kPlain;
        finish_sequence(byte);
      } else if (parameters_.size() < kMaxParameters) {
        parameters_ += byte;
      }
      return Event::kNone;
  }
  if (byte == '\x1b') {
    state_ = State::kEscape;
    return Event::kNone;
  }
  if ((byte >= 0 && byte < 0x20) || byte == 0x7f) return control(byte);
  insert(byte);
  return Event::kNone;
}

LineEditor::Event LineEditor::control(char byte) {
  switch (byte) {
    case '\r':
    case '\n': cursor_ = text_.size(); return Event::kLine;
    case key('C'): reset(); return Event::kCleared;
    case key('D'):
      if (text_.empty()) return Event::kEnd;
      erase(cursor_, after(cursor_));
      break;
    case key('A'): cursor_ = 0; break;
    case key('E'): cursor_ = text_.size(); break;
    case key('B'): cursor_ = before(cursor_); break;
    case key('F'): cursor_ = after(cursor_); break;
    case key('H'):
    case 0x7f: erase(before(cursor_), cursor_); break;
    case key('K'): erase(cursor_, text_.size()); break;
    case key('U'): erase(0, cursor_); break;
    case key('W'): erase_word(); break;
    case key('P'):
      if (place_ > 0) show_history(place_ - 1);
      break;
    case key('N'): show_history(place_ + 1); break;
    case '\t': insert(' '); break;
    default: break;
  }
  return Event::kNone;
}

void LineEditor::finish_sequence(char last) {
  if (last == '~') {
    if (parameters_ == "1" || parameters_ == "7") cursor_ = 0;
    if (parameters_ == "4" || parameters_ == "8") cursor_ = text_.size();
    if (parameters_ == "3") erase(cursor_, after(cursor_));
    return;
  }
  switch (last) {
    case 'A': control(key('P')); break;
    case 'B': control(key('N')); break;
    case 'C': control(key('F')); break;
    case 'D': control(key('B')); break;
    case 'H': control(key('A')); break;
    case 'F': control(key('E')); break;
    default: break;
  }
}

void LineEditor::insert(char byte) {
  if (text_.size() >= kMaxLineBytes) return;
  text_.insert(cursor_++, 1, byte);
}

std::size_t LineEditor::before(std::size_t at) const {
  if (at > 0) --at;
  while (at > 0 && continues_character(text_[at])) --at;
  return at;
}

std::size_t LineEditor::after(std::size_t at) const {
  if (at < text_.size()) ++at;
  while (at < text_.size() && continues_character(text_[at])) ++at;
  return at;
}

void LineEditor::erase(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  cursor_ = from;
}

void LineEditor::erase_word() {
  std::size_t from = cursor_;
  while (from > 0 && text_[from - 1] == ' ') --from;
  while (from > 0 && text_[from - 1] != ' ') --from;
  erase(from, cursor_);
}

void LineEditor::show_history(std::size_t place) {
  if (place > history_.size() || place == place_) return;
  if (place_ == history_.size()) typed_ = text_;
  place_ = place;
  text_ = place == history_.size() ? typed_ : history_[place];
  cursor_ = text_.size();
}

std::string LineEditor::draw(std::string_view prompt, std::size_t columns) const {
  const std::size_t taken = utf8::count(prompt);
  const std::size_t room = columns > taken + 1 ? columns - taken - 1 : 1;
  // The part of the line that is seen ends at the cursor when that would be past the screen.
  std::size_t first = 0;
  std::size_t column = utf8::count(std::string_view(text_).substr(0, cursor_));
  while (column > room) {
    first = after(first);
    --column;
  }
  std::size_t end = first;
  for (std::size_t shown = 0; shown < room && end < text_.size(); ++shown) end = after(end);
  std::string out = fmt::format("\r{}{}\x1b[K\r", prompt,
                                printable(std::string_view(text_).substr(first, end - first)));
  if (taken + column > 0) out += fmt::format("\x1b[{}C", taken + column);
  return out;
}

std::optional<TerminalLines> TerminalLines::open(int in_fd, int out_fd) {
  termios before{};
  if (::tcgetattr(in_fd, &before) != 0) return std::nullopt;
  termios raw = before;
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (::tcsetattr(in_fd, TCSADRAIN, &raw) != 0) return std::nullopt;
  return TerminalLines(in_fd, out_fd, before);
}

TerminalLines::TerminalLines(TerminalLines&& other) noexcept
    : in_fd_(std::exchange(other.in_fd_, -1)),
      out_fd_(other.out_fd_),
      before_(other.before_),
      pending_(std::move(other.pending_)),
      editor_(std::move(other.editor_)) {}

TerminalLines::~TerminalLines() {
  if (in_fd_ >= 0) ::tcsetattr(in_fd_, TCSADRAIN, &before_);
}

void TerminalLines::show(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(out_fd_, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // the commands' own output will tell
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::size_t TerminalLines::columns() const {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (::ioctl(out_fd_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

Result<std::optional<std::string>> TerminalLines::read(std::string_view prompt) {
  editor_.reset();
  show(editor_.draw(prompt, columns()));
  while (true) {
    std::size_t used = 0;
    while (used < pending_.size()) {
      const LineEditor::Event event = editor_.feed(pending_[used++]);
      if (event == LineEditor::Event::kNone) continue;
      const bool cleared = event == LineEditor::Event::kCleared;
      show(cleared ? "^C\n" : editor_.draw(prompt, columns()) + "\n");
      if (event == LineEditor::Event::kEnd) return std::nullopt;
      if (cleared) continue;
      pending_.erase(0, used);
      return editor_.text();
    }
    pending_.clear();
    show(editor_.draw(prompt, columns()));
    char piece[1024];
    const ssize_t got = ::read(in_fd_, piece, sizeof piece);
    if (got == 0) return std::nullopt;
    if (got > 0) {
      pending_.assign(piece, static_cast<std::size_t>(got));
    } else if (errno == EIO) {
      return std::nullopt;  // the terminal was closed
    } else if (errno != EINTR) {
      return fail(Code::kIo, "cannot read the terminal: {}", std::strerror(errno));
    }
  }
}

}  // namespace strake::cli
