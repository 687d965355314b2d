#pragma once
// Logging: one named logger a module, a short message, and what is worth searching for as pairs.
//
//   log::get("store").info("opened", {{"path", path}, {"ms", 3}});
//
//   2024-01-01T00:00:00.000Z INFO  store: opened path=/var/lib/strake.db ms=3
//   {"time":"2024-01-01T00:00:00.000Z","level":"info","logger":"store","msg":"opened","path":"/var/lib/strake.db","ms":3}
//
// Text on a terminal, JSON lines elsewhere, to standard error. Never an object's body; a Secret
// prints as ***. Everything here may be called from any thread.
#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "base/secret.h"
#include "base/time.h"

namespace strake::log {

enum class Level : std::uint8_t { kDebug, kInfo, kWarn, kError, kOff };

std::string_view to_string(Level level);                  // "debug", ...
std::optional<Level> parse_level(std::string_view text);  // what to_string gives, and "warning"

// One key with its value. It views the caller's text, so it lives no longer than the call it is
// written in.
class Field {
 public:
  Field(std::string_view key, std::string_view value) : key_(key), value_(value) {}
  Field(std::string_view key, const std::string& value)
      : key_(key), value_(std::string_view(value)) {}
  Field(std::string_view key, const char* value) : key_(key), value_(std::string_view(value)) {}
  Field(std::string_view key, bool value) : key_(key), value_(value) {}
  Field(std::string_view key, std::signed_integral auto value)
      : key_(key), value_(std::int64_t{value}) {}
  Field(std::string_view key, std::unsigned_integral auto value)
      : key_(key), value_(std::uint64_t{value}) {}
  Field(std::string_view key, std::floating_point auto value)
      : key_(key), value_(static_cast<double>(value)) {}
  Field(std::string_view key, const Secret&) : key_(key), value_(Secret::kShown) {}
  Field(std::string_view key, const Error& error) : key_(key), value_(error.to_string()) {}
  // Written in milliseconds, so the key should end in _ms.
  Field(std::string_view key, std::chrono::nanoseconds value)
      : key_(key), value_(static_cast<double>(value.count()) / 1e6) {}

  using Value =
      std::variant<std::string_view, std::string, bool, std::int64_t, std::uint64_t, double>;
  std::string_view key() const { return key_; }
  const Value& value() const { return value_; }

 private:
  std::string_view key_;
  Value value_;
};

using Fields = std::initializer_list<Field>;

// A handle to a named logger; copies share it. Loggers are made on first use and stay for good.
class Logger {
 public:
  void debug(std::string_view message, Fields fields = {}) const {
    write(Level::kDebug, message, fields);
  }
  void info(std::string_view message, Fields fields = {}) const {
    write(Level::kInfo, message, fields);
  }
  void warn(std::string_view message, Fields fields = {}) const {
    write(Level::kWarn, message, fields);
  }
  void error(std::string_view message, Fields fields = {}) const {
    write(Level::kError, message, fields);
  }

  // For callers who would do work only to fill the fields.
  bool enabled(Level level) const { return level >= state_->level.load(std::memory_order_relaxed); }
  std::string_view name() const { return state_->name; }

 private:
  friend Logger get(std::string_view name);
  friend class Registry;
  struct State {
    explicit State(std::string_view logger_name) : name(logger_name) {}
    const std::string name;
    std::atomic<Level> level{Level::kInfo};
  };
  explicit Logger(const State& state) : state_(&state) {}
  void write(Level level, std::string_view message, Fields fields) const;

  const State* state_;
};

Logger get(std::string_view name);

enum class Style : std::uint8_t {
  kAuto,   // coloured text when standard error is a terminal (plain with NO_COLOR set), JSON lines
           // otherwise
  kText,   // text without colour
  kColor,  // text with colour
  kJson,
};

struct Options {
  Style style = Style::kAuto;
  Level level = Level::kInfo;
  // Gets each finished line, one at a time, without its line break. Nothing: standard error.
  std::function<void(std::string_view line)> sink;
  const Clock* clock = nullptr;  // nothing: the system clock
};

// Replaces all settings, and the levels of single loggers with them. As a start the defaults hold.
void configure(Options options);

// For one logger, whether or not it is in use yet.
void set_level(std::string_view name, Level level);

}  // namespace strake::log
