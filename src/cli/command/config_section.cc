#include "cli/command/config_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/input_file.h"
#include "value/known_keys.h"
#include "value/yaml_reader.h"

// Each key becomes the words that would be typed, and those are parsed as words are: so a value
// means the same in both places, and what is wrong with it is said once.

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using value::Document;
using value::Value;

constexpr std::uintmax_t kMostBytes = 1 << 20;

std::unexpected<Error> wrong_value(const Document& document, const FieldPath& at,
                                   std::string message) {
  return std::unexpected(Error(Code::kInvalid, std::move(message)).at(document.position(at)));
}

bool takes_truth(const FlagSpec& flag) {
  return flag.kind == FlagKind::kSwitch || flag.kind == FlagKind::kText ||
         std::ranges::find(flag.choices, "true") != flag.choices.end();
}

bool takes_text(const FlagSpec& flag) {
  return flag.kind != FlagKind::kSwitch && flag.kind != FlagKind::kCount;
}

bool names_file(const FlagSpec& flag) {
  return flag.value_name == "FILE" || flag.value_name == "DIR";
}

std::string what_is_wanted(const FlagSpec& flag) {
  switch (flag.kind) {
    case FlagKind::kSwitch: return "true or false";
    case FlagKind::kTexts: return "a string or a list of strings";
    case FlagKind::kCount: return "a whole number";
    case FlagKind::kBytes: return "a number of bytes such as 4096, 64Ki or 10M";
    case FlagKind::kText:
    case FlagKind::kChoice: return "a string";
  }
  return "a string";
}

// One value as it would be typed; nothing when it is of another type.
std::optional<std::string> typed_value(const FlagSpec& flag, const Value& v) {
  if (v.is_bool() && takes_truth(flag)) return v.as_bool() ? "true" : "false";
  if (v.type() == value::Type::kInt && flag.kind != FlagKind::kSwitch)
    return fmt::format("{}", v.as_int());
  if (v.is_string() && takes_text(flag)) return std::string(v.as_string());
  return std::nullopt;
}

class SectionReader {
 public:
  SectionReader(const Document& document, FieldPath at, const fs::path& folder)
      : document_(document), at_(std::move(at)), folder_(folder) {}

  // The words of one flag.
  Result<std::vector<std::string>> words(const FlagSpec& flag, const Value& v) const {
    const std::string key = key_of_flag(flag.name);
    std::vector<std::string> out;
    if (!v.is_array() || flag.kind != FlagKind::kTexts) {
      STRAKE_TRY(std::string word, word_of(flag, v, at_ / key));
      out.push_back(std::move(word));
      return out;
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      STRAKE_TRY(std::string word, word_of(flag, v.items()[i], at_ / key / i));
      out.push_back(std::move(word));
    }
    return out;
  }

 private:
  Result<std::string> word_of(const FlagSpec& flag, const Value& v, const FieldPath& at) const {
    std::optional<std::string> typed = typed_value(flag, v);
    if (!typed)
      return wrong_value(
          document_, at,
          fmt::format("{} must be {}{}", key_of_flag(flag.name), what_is_wanted(flag),
                      v.is_number() && takes_text(flag) ? ": put it in quotes" : ""));
    if (names_file(flag)) *typed = placed(*std::move(typed));
    return fmt::format("--{}={}", flag.name, *typed);
  }

  // "-" is standard output.
  std::string placed(std::string name) const {
    if (name.empty() || name == "-" || fs::path(name).is_absolute()) return name;
    return (folder_ / name).lexically_normal().string();
  }

  const Document& document_;
  FieldPath at_;
  const fs::path& folder_;
};

}  // namespace

std::string key_of_flag(std::string_view flag) {
  std::string out;
  bool upper = false;
  for (const char c : flag) {
    if (c == '-') {
      upper = true;
      continue;
    }
    out.push_back(upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    upper = false;
  }
  return out;
}

Result<Arguments> parse_config_section(std::string_view text, const fs::path& file,
                                       std::string_view section,
                                       std::span<const std::string_view> sections,
                                       std::span<const FlagSpec> flags,
                                       std::span<const std::string_view> except) {
  std::error_code ignored;
  const fs::path folder = (fs::current_path(ignored) / file).lexically_normal().parent_path();
  value::ReadOptions options;
  options.positions = true;
  options.source_name = file.string();
  STRAKE_TRY(const Document document, value::read_yaml(text, options));
  const auto read = [&]() -> Result<Arguments> {
    const FieldPath at = FieldPath() / std::string(section);
    std::vector<std::string> words;
    if (!document.root().is_null())
      STRAKE_CHECK(value::check_known_keys(document, FieldPath(), sections));
    if (const Value* there = document.at(at); there != nullptr && !there->is_null()) {
      std::vector<std::string> keys;
      for (const FlagSpec& flag : flags) {
        if (std::ranges::find(except, flag.name) == except.end())
          keys.push_back(key_of_flag(flag.name));
      }
      const std::vector<std::string_view> known(keys.begin(), keys.end());
      STRAKE_CHECK(value::check_known_keys(document, at, known));
      const SectionReader reader(document, at, folder);
      for (const FlagSpec& flag : flags) {
        const Value* v = there->find(key_of_flag(flag.name));
        if (v == nullptr) continue;
        STRAKE_TRY(std::vector<std::string> more, reader.words(flag, *v));
        // By itself, so that what is wrong has its place.
        if (const auto one = parse_arguments(flags, {}, more); !one)
          return wrong_value(document, at / key_of_flag(flag.name),
                             std::string(one.error().message()));
        std::ranges::move(more, std::back_inserter(words));
      }
    }
    return parse_arguments(flags, {}, words);
  };
  auto out = read();
  if (!out) return std::unexpected(std::move(out).error().in(file.string()));
  return out;
}

Result<Arguments> read_config_section(const fs::path& file, std::string_view section,
                                      std::span<const std::string_view> sections,
                                      std::span<const FlagSpec> flags,
                                      std::span<const std::string_view> except) {
  const auto in = InputFile::open(file.string(), Pipes::kRead);
  if (!in) return std::unexpected(Error(in.error()).in(file.string()));
  auto text = in->read_all(kMostBytes);
  if (!text) return std::unexpected(std::move(text).error().in(file.string()));
  return parse_config_section(*text, file, section, sections, flags, except);
}

}  // namespace strake::cli
