#include "cli/command/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>

#include "base/assert.h"
#include "base/edit_distance.h"
#include "base/quantity.h"

namespace strake::cli {
namespace {

std::optional<std::uint64_t> read_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> read_bytes(std::string_view text) {
  // A suffix alone is a quantity of zero.
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto quantity = Quantity::parse(text);
  const auto bytes = quantity ? quantity->as_int64() : std::nullopt;
  if (!bytes || *bytes < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

std::string quoted_list(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

Result<> check_choice(std::string_view what, std::string_view text,
                      std::span<const std::string_view> choices) {
  if (std::ranges::find(choices, text) != choices.end()) return {};
  return fail(Code::kUsage, "{} must be {}, got \"{}\"{}", what, quoted_list(choices), text,
              suggestion(text, choices));
}

Result<std::uint64_t> read_number(const FlagSpec& flag, std::string_view text) {
  const bool bytes = flag.kind == FlagKind::kBytes;
  const auto value = bytes ? read_bytes(text) : read_count(text);
  if (value) return *value;
  return fail(Code::kUsage, "--{} must be {}, got \"{}\"", flag.name,
              bytes ? "a number of bytes such as 4096, 64Ki or 10M" : "a whole number", text);
}

std::unexpected<Error> unknown_flag(std::string_view word, std::span<const FlagSpec> flags) {
  word = word.substr(0, word.find('='));
  std::deque<std::string> spelled;  // owns what the views show; never moves it
  std::vector<std::string_view> candidates;
  for (const FlagSpec& flag : flags) {
    candidates.push_back(spelled.emplace_back(fmt::format("--{}", flag.name)));
  }
  return fail(Code::kUsage, "unknown flag \"{}\"{}", word, suggestion(word, candidates));
}

}  // namespace

const Arguments::Parsed& Arguments::find(std::string_view flag) const {
  const auto found = flags_.find(flag);
  STRAKE_ASSERT(found != flags_.end());
  return found->second;
}

bool Arguments::given(std::string_view flag) const { return find(flag).given; }
bool Arguments::on(std::string_view flag) const { return find(flag).on; }
std::string_view Arguments::text(std::string_view flag) const { return find(flag).text; }
const std::vector<std::string>& Arguments::texts(std::string_view flag) const {
  return find(flag).texts;
}
std::uint64_t Arguments::number(std::string_view flag) const { return find(flag).number; }

void Arguments::fill_from(const Arguments& others) {
  for (auto& [name, parsed] : flags_) {
    if (const Parsed& other = others.find(name); !parsed.given && other.given) parsed = other;
  }
}

std::vector<std::string> Arguments::differences(const Arguments& others) const {
  std::vector<std::string> out;
  for (const auto& [name, parsed] : flags_) {
    if (!parsed.same_value(others.find(name))) out.push_back(name);
  }
  return out;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const auto near = closest(word, candidates);
  return near ? fmt::format(": did you mean \"{}\"?", *near) : std::string();
}

Result<Arguments> parse_arguments(std::span<const FlagSpec> flags, const OperandSpec& operands,
                                  std::span<const std::string> args) {
  Arguments out;
  // The library sees flags only, and leaves the rest over: as operands of its own it would split
  // "[a,b]" in two.
  const auto dashes = std::ranges::find(args, "--");
  std::vector<std::string> before(args.begin(), dashes);

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<CLI::Option*> options;
  for (const FlagSpec& flag : flags) {
    Arguments::Parsed& parsed = out.flags_[std::string(flag.name)];
    parsed.text = flag.fallback;
    std::string names = fmt::format("--{}", flag.name);
    if (flag.letter != '\0') names = fmt::format("-{},{}", flag.letter, names);
    if (flag.kind == FlagKind::kTexts) {
      options.push_back(app.add_option(names, parsed.texts)->allow_extra_args(false));
      continue;
    }
    options.push_back(flag.kind == FlagKind::kSwitch ? app.add_flag(names, parsed.on)
                                                     : app.add_option(names, parsed.text));
    options.back()->take_last();
  }
  try {
    std::ranges::reverse(before);  // the order the library wants them in
    app.parse(before);
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string_view what = mismatch.what();
    return fail(Code::kUsage, "{} needs a value", what.substr(0, what.find(':')));
  } catch (const CLI::Error& error) {
    return fail(Code::kUsage, "{}", error.what());
  }

  for (std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') return unknown_flag(word, flags);
    out.operands_.push_back(std::move(word));
  }
  if (dashes != args.end()) out.operands_.insert(out.operands_.end(), dashes + 1, args.end());

  for (std::size_t i = 0; i < flags.size(); ++i) {
    const FlagSpec& flag = flags[i];
    Arguments::Parsed& parsed = out.flags_.at(std::string(flag.name));
    parsed.given = options[i]->count() > 0;
    if (flag.kind == FlagKind::kChoice && (parsed.given || !parsed.text.empty())) {
      STRAKE_CHECK(check_choice(fmt::format("--{}", flag.name), parsed.text, flag.choices));
    }
    if ((flag.kind == FlagKind::kCount || flag.kind == FlagKind::kBytes) &&
        (parsed.given || !parsed.text.empty())) {
      STRAKE_TRY(parsed.number, read_number(flag, parsed.text));
    }
  }

  if (out.operands_.size() > operands.at_most) {
    return fail(Code::kUsage, "unexpected argument \"{}\"", out.operands_[operands.at_most]);
  }
  if (out.operands_.size() < operands.at_least) {
    return fail(Code::kUsage, "missing argument: {}", operands.usage);
  }
  if (!operands.choices.empty()) {
    for (const std::string& word : out.operands_) {
      STRAKE_CHECK(check_choice("the argument", word, operands.choices));
    }
  }
  return out;
}

}  // namespace strake::cli
