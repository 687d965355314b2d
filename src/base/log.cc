#include "base/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/number_format.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "base/unicode_print.h"
#include "base/utf8.h"

namespace strake::log {
namespace {

// One line a call, so that lines of several processes do not mix. A log that cannot be written must
// not end the program, nor fill it with complaints.
void write_to_stderr(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t wrote = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

// What a line is made and sent with. Never changed once made: settings are replaced as a whole.
struct Output {
  Style style = Style::kJson;
  const Clock* clock = nullptr;
  std::function<void(std::string_view)> sink;
};

Style settle(Style style) {
  if (style != Style::kAuto) return style;
  if (::isatty(STDERR_FILENO) == 0) return Style::kJson;
  const char* no_color = std::getenv("NO_COLOR");
  return no_color != nullptr && *no_color != '\0' ? Style::kText : Style::kColor;
}

std::shared_ptr<const Output> make_output(const Options& options) {
  auto output = std::make_shared<Output>();
  output->style = settle(options.style);
  output->clock = options.clock != nullptr ? options.clock : &system_clock();
  output->sink = options.sink ? options.sink : write_to_stderr;
  return output;
}

void append_json_escape(std::string& out, char32_t code_point) {
  if (code_point < 0x10000) {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code_point));
    return;
  }
  const auto above = static_cast<std::uint32_t>(code_point) - 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
}

// What a terminal would act upon (controls, marks that turn the direction of text) is escaped,
// though JSON would not ask for all of it: lines are read with plain tools too.
void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    switch (next.code_point) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (is_printable(next.code_point)) {
          utf8::append(out, next.code_point);
        } else {
          append_json_escape(out, next.code_point);
        }
    }
    text.remove_prefix(next.width);
  }
  out += '"';
}

// Bare when nothing in it could be taken for something else.
void append_plain_text(std::string& out, std::string_view text) {
  bool bare = !text.empty();
  for (const char c : text) {
    bare = bare && c > ' ' && c < 0x7f && c != '"' && c != '=' && c != '\\';
  }
  if (bare) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

// A message is not quoted, but it must stay on its line.
void append_message(std::string& out, std::string_view message) {
  const std::string quoted = quote(message);
  if (quoted.find('\\') == std::string::npos) {
    out += message;
  } else {
    out += quoted;
  }
}

void append_value(std::string& out, const Field::Value& value, bool json) {
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
          json ? append_json_text(out, v) : append_plain_text(out, v);
        } else if constexpr (std::is_same_v<T, bool>) {
          out += v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, double>) {
          // JSON has no infinity: as text it is at least seen.
          const bool finite = std::isfinite(v);
          if (json && !finite) {
            append_json_text(out, format_go_g(v));
          } else {
            append_json_number(out, v);
          }
        } else {
          out += fmt::format("{}", v);
        }
      },
      value);
}

std::string timestamp(const Clock& clock) {
  std::string text = format_rfc3339_micro(Instant::from(clock.now()));
  return text.erase(text.size() - 4, 3);  // milliseconds will do
}

std::string json_line(const Clock& clock, Level level, std::string_view name,
                      std::string_view message, Fields fields) {
  std::string out =
      fmt::format(R"({{"time":"{}","level":"{}","logger":)", timestamp(clock), to_string(level));
  append_json_text(out, name);
  out += R"(,"msg":)";
  append_json_text(out, message);
  for (const Field& field : fields) {
    out += ',';
    append_json_text(out, field.key());
    out += ':';
    append_value(out, field.value(), true);
  }
  return out += '}';
}

struct LevelLook {
  std::string_view word;
  std::string_view color;
};

LevelLook look_of(Level level) {
  switch (level) {
    case Level::kDebug: return {"DEBUG", "\x1b[2m"};
    case Level::kInfo: return {"INFO ", "\x1b[32m"};
    case Level::kWarn: return {"WARN ", "\x1b[33m"};
    default: return {"ERROR", "\x1b[1;31m"};
  }
}

std::string text_line(const Clock& clock, Level level, std::string_view name,
                      std::string_view message, Fields fields, bool color) {
  constexpr std::string_view kDim = "\x1b[2m";
  constexpr std::string_view kReset = "\x1b[0m";
  const LevelLook look = look_of(level);
  std::string out;
  auto colored = [&](std::string_view how, std::string_view text) {
    if (color) out += how;
    out += text;
    if (color) out += kReset;
  };
  colored(kDim, timestamp(clock));
  out += ' ';
  colored(look.color, look.word);
  out += ' ';
  out += name;
  out += ": ";
  append_message(out, message);
  for (const Field& field : fields) {
    out += ' ';
    colored(kDim, fmt::format("{}=", field.key()));
    append_value(out, field.value(), false);
  }
  return out;
}

}  // namespace

// Owns every logger and the settings. Never destroyed, so that code that runs while the program
// ends can still log.
class Registry {
 public:
  static Registry& instance() {
    static auto* const registry = new Registry;
    return *registry;
  }

  Logger logger(std::string_view name) {
    const std::lock_guard lock(mu_);
    return Logger(state_of(name));
  }

  void configure(const Options& options) {
    std::shared_ptr<const Output> output = make_output(options);
    const std::lock_guard lock(mu_);
    output_ = std::move(output);
    level_ = options.level;
    for (const auto& [name, state] : states_) state->level.store(level_, std::memory_order_relaxed);
  }

  void set_level(std::string_view name, Level level) {
    const std::lock_guard lock(mu_);
    state_of(name).level.store(level, std::memory_order_relaxed);
  }

  std::shared_ptr<const Output> output() {
    const std::lock_guard lock(mu_);
    return output_;
  }

 private:
  Logger::State& state_of(std::string_view name) {
    auto found = states_.find(name);
    if (found == states_.end()) {
      found = states_.emplace(std::string(name), std::make_unique<Logger::State>(name)).first;
      found->second->level.store(level_, std::memory_order_relaxed);
    }
    return *found->second;
  }

  std::mutex mu_;
  std::map<std::string, std::unique_ptr<Logger::State>, std::less<>> states_;  // guarded by mu_
  std::shared_ptr<const Output> output_ = make_output({});                     // guarded by mu_
  Level level_ = Level::kInfo;                                                 // guarded by mu_
};

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warn";
    case Level::kError: return "error";
    case Level::kOff: return "off";
  }
  return "unknown";
}

std::optional<Level> parse_level(std::string_view text) {
  for (const Level level :
       {Level::kDebug, Level::kInfo, Level::kWarn, Level::kError, Level::kOff}) {
    if (to_string(level) == text) return level;
  }
  if (text == "warning") return Level::kWarn;
  return std::nullopt;
}

Logger get(std::string_view name) { return Registry::instance().logger(name); }

void configure(Options options) { Registry::instance().configure(options); }

void set_level(std::string_view name, Level level) { Registry::instance().set_level(name, level); }

void Logger::write(Level level, std::string_view message, Fields fields) const {
  if (!enabled(level)) return;
  const std::shared_ptr<const Output> output = Registry::instance().output();
  const std::string line = output->style == Style::kJson
                               ? json_line(*output->clock, level, name(), message, fields)
                               : text_line(*output->clock, level, name(), message, fields,
                                           output->style == Style::kColor);
  static std::mutex writing;  // a sink is given one line at a time
  const std::lock_guard lock(writing);
  output->sink(line);
}

}  // namespace strake::log
