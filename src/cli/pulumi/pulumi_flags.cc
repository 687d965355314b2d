#include "cli/pulumi/pulumi_flags.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/go_duration.h"
#include "base/quote.h"

namespace strake::cli {
namespace {

// Every command takes it; here nothing is ever colored.
constexpr FlagSpec kColorFlag{.name = "color", .kind = FlagKind::kText};

using GivenFlags = std::map<std::string_view, std::string, std::less<>>;

Result<bool> switch_value(std::string_view name, std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return fail(Code::kUsage, "invalid boolean value {} for --{}", quote(text), name);
}

// Everything after `--`, or from the first word that is no flag on.
Result<GivenFlags> split_words(std::span<const std::string> args) {
  GivenFlags out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string_view word = args[i];
    if (word.size() < 2 || word[0] != '-' || word == "--") {
      const auto rest = args.subspan(word == "--" ? i + 1 : i);
      if (rest.empty()) break;
      return fail(Code::kUsage, "unexpected positional arguments: [{}]", fmt::join(rest, " "));
    }
    word.remove_prefix(word[1] == '-' ? 2 : 1);
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto* spec = std::ranges::find(kPulumiFlags, name, &FlagSpec::name);
    if (name == kColorFlag.name) spec = &kColorFlag;
    if (spec == std::end(kPulumiFlags)) {
      return fail(Code::kUsage, "unknown flag: {}", args[i].substr(0, args[i].find('=')));
    }
    if (equals != std::string_view::npos) {
      out[spec->name] = word.substr(equals + 1);
    } else if (spec->kind == FlagKind::kSwitch) {
      out[spec->name] = "true";
    } else if (++i < args.size()) {
      out[spec->name] = args[i];
    } else {
      return fail(Code::kUsage, "flag needs an argument: --{}", spec->name);
    }
  }
  return out;
}

Result<std::uint32_t> gate_minor(std::string_view text) {
  std::uint32_t minor = 0;
  const std::string_view digits = text.starts_with("1.") ? text.substr(2) : std::string_view();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), minor);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() ||
      minor < 32 || minor > 36) {
    return fail(Code::kUsage, "invalid --gate: {} is none of 1.32, 1.33, 1.34, 1.35, 1.36, all",
                quote(text));
  }
  return minor;
}

Result<std::vector<std::uint32_t>> read_gate(std::string_view text) {
  if (text == "all") return std::vector<std::uint32_t>{32, 33, 34, 35, 36};
  std::vector<std::uint32_t> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    STRAKE_TRY(const std::uint32_t minor, gate_minor(text.substr(0, comma)));
    out.push_back(minor);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  std::ranges::sort(out);
  const auto again = std::ranges::unique(out);
  out.erase(again.begin(), again.end());
  return out;
}

class FlagReader {
 public:
  explicit FlagReader(const GivenFlags& given) : given_(given) {}

  std::string text(std::string_view name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? std::string() : found->second;
  }

  Result<bool> on(std::string_view name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? Result<bool>(false) : switch_value(name, found->second);
  }

  // The place among the choices.
  Result<std::size_t> choice(std::string_view name,
                             std::span<const std::string_view> choices) const {
    const std::string given = text(name);
    if (given.empty()) return 0;
    const auto found = std::ranges::find(choices, given);
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    return fail(Code::kUsage, "invalid --{}: {} is none of {}", name, quote(given),
                fmt::join(choices, ", "));
  }

  Result<std::chrono::milliseconds> duration(std::string_view name,
                                             std::chrono::milliseconds fallback) const {
    const std::string given = text(name);
    if (given.empty()) return fallback;
    const auto parsed = parse_go_duration(given);
    if (!parsed) return fail(Code::kUsage, "invalid --{}: {}", name, parsed.error().message());
    const auto out = std::chrono::duration_cast<std::chrono::milliseconds>(*parsed);
    if (out.count() <= 0) {
      return fail(Code::kUsage, "invalid --{}: must be at least 1ms, got {}", name, quote(given));
    }
    return out;
  }

 private:
  const GivenFlags& given_;
};

Result<pulumi::TranslateOptions> translate_options(const FlagReader& read) {
  pulumi::TranslateOptions out;
  STRAKE_TRY(const std::size_t unions, read.choice("unions", kPulumiUnions));
  STRAKE_TRY(const std::size_t constants, read.choice("const", kPulumiConst));
  STRAKE_TRY(const std::size_t any, read.choice("any-as", kPulumiAny));
  STRAKE_TRY(out.list_types, read.on("list-types"));
  STRAKE_TRY(out.transition_rules, read.on("rules"));
  out.unions = static_cast<pulumi::Unions>(unions);
  // Branches of a union are mostly told apart by a constant, which it cannot do without.
  out.const_as_enum =
      constants == 1 || (out.unions == pulumi::Unions::kStructural && read.text("const").empty());
  out.any_untyped = any == 1;
  return out;
}

}  // namespace

bool wants_help(std::span<const std::string> args) {
  const auto flags_end = std::ranges::find(args, "--");
  return std::find_if(args.begin(), flags_end, [](const std::string& arg) {
           return arg == "--help" || arg == "-h" || arg == "-help";
         }) != flags_end;
}

Result<PulumiFlags> read_pulumi_flags(std::span<const std::string> args) {
  STRAKE_TRY(const GivenFlags given, split_words(args));
  const FlagReader read(given);
  PulumiFlags out;
  out.in = read.text("in");
  out.component = read.text("component");
  out.identity = {.group = read.text("group"),
                  .version = read.text("version"),
                  .kind = read.text("kind"),
                  .plural = read.text("plural"),
                  .singular = read.text("singular")};
  STRAKE_TRY(out.verbose, read.on("verbose"));
  STRAKE_TRY(out.all, read.on("all"));
  STRAKE_TRY(out.status, read.on("status"));
  STRAKE_TRY(out.sample, read.on("sample"));
  out.previous = read.text("previous");
  STRAKE_TRY(out.gate, read_gate(read.text("gate")));
  STRAKE_TRY(out.timeout, read.duration("timeout", out.timeout));
  STRAKE_TRY(out.translate, translate_options(read));
  if (out.in.empty()) return fail(Code::kUsage, "missing required flag: --in");
  if (out.all && !out.component.empty()) {
    return fail(Code::kUsage, "--all and --component exclude each other");
  }
  if (out.all && !out.previous.empty()) {
    return fail(Code::kUsage, "--all and --previous exclude each other");
  }
  return out;
}

}  // namespace strake::cli
