#include "schema/pattern/pattern.h"

#include <re2/re2.h>

#include <mutex>
#include <unordered_map>

#include "base/utf8.h"
#include "schema/pattern/pattern_syntax.h"

namespace strake::schema {
namespace {

// RE2 bounds the program and its caches by one number. Nearly all patterns fit the small one; the
// large one lets through what Go would still compile.
constexpr std::int64_t kUsualMemory = 8 << 20;
constexpr std::int64_t kLargeMemory = 256 << 20;

std::unique_ptr<const RE2> compile_re2(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(kUsualMemory);
  auto re = std::make_unique<const RE2>(text, options);
  if (!re->ok() && re->error_code() == RE2::ErrorPatternTooLarge) {
    options.set_max_mem(kLargeMemory);
    re = std::make_unique<const RE2>(text, options);
  }
  return re->ok() ? std::move(re) : nullptr;
}

struct PatternTable {
  std::mutex mu;
  std::unordered_map<std::string_view, std::weak_ptr<const Pattern>>
      by_text;  // guarded by mu; keys point into the patterns
};

// Never destroyed: patterns of static storage may outlive any order we could choose.
PatternTable& pattern_table() {
  static PatternTable& table = *new PatternTable;
  return table;
}

}  // namespace

struct Pattern::Compiled {
  std::unique_ptr<const RE2> re;  // null when the text does not compile
};

Pattern::Pattern(std::string text) : text_(std::move(text)) {}

Pattern::~Pattern() { delete compiled_.load(std::memory_order_acquire); }

const Pattern::Compiled& Pattern::compiled() const {
  if (const Compiled* ready = compiled_.load(std::memory_order_acquire)) return *ready;
  auto made = std::make_unique<Compiled>();
  if (auto translated = re2_from_go(text_)) made->re = compile_re2(*translated);
  // Two threads may both have compiled; the first one's work is kept.
  const Compiled* expected = nullptr;
  if (compiled_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *expected;
}

bool Pattern::search(std::string_view subject) const {
  const RE2* re = compiled().re.get();
  if (re == nullptr) return false;
  if (!utf8::is_valid(subject)) [[unlikely]] {
    // Go decodes each invalid byte as U+FFFD while it matches; RE2 has no match for such a byte.
    return RE2::PartialMatch(utf8::replace_invalid(subject), *re);
  }
  return RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), *re);
}

bool Pattern::compiles() const { return compiled().re != nullptr; }

PatternPtr intern_pattern(std::string_view text) {
  PatternTable& table = pattern_table();
  const std::scoped_lock lock(table.mu);
  if (const auto it = table.by_text.find(text); it != table.by_text.end()) {
    if (PatternPtr alive = it->second.lock()) return alive;
    table.by_text.erase(it);  // its last holder is about to free it; the key goes with it
  }
  PatternPtr made(new Pattern(std::string(text)), [](const Pattern* pattern) {
    PatternTable& patterns = pattern_table();
    {
      const std::scoped_lock guard(patterns.mu);
      const auto it = patterns.by_text.find(pattern->text());
      // Another of the same text may have taken the place meanwhile.
      if (it != patterns.by_text.end() && it->first.data() == pattern->text().data())
        patterns.by_text.erase(it);
    }
    delete pattern;
  });
  table.by_text.emplace(made->text(), made);
  return made;
}

Result<> check_pattern(std::string_view text) {
  if (intern_pattern(text)->compiles()) return {};
  STRAKE_CHECK(re2_from_go(text));
  return fail(Code::kInvalid, "error parsing regexp: expression too large: `{}`", text);
}

}  // namespace strake::schema
