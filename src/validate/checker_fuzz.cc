// Any text as manifests, and any text before a NUL byte as the definitions they are checked with:
// checking says the same twice, findings stand in the text in order, comments only ever take
// findings away, and JSON that is checked as it passes is judged as it is when it is held.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/catalog.h"
#include "validate/checker.h"
#include "validate/ignore_comments.h"
#include "validate/test_crd.h"

using namespace strake;
using namespace strake::validate;

namespace {

class Pieces final : public ByteSource {
 public:
  explicit Pieces(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count =
        text_.substr(at_).copy(into.data(), std::min<std::size_t>(7, into.size()));
    at_ += count;
    return count;
  }
  bool seek(std::uint64_t offset) override {
    at_ = std::min(static_cast<std::size_t>(offset), text_.size());
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string line_of(const DocumentResult& document, const Finding& one) {
  return fmt::format("{} {} {} {} {}\n", document.document, one.path.to_pointer(),
                     to_string(one.fault.severity), to_string(one.fault.issue), one.fault.message);
}

std::string lines_of(const FileResult& result) {
  std::string out;
  for (const DocumentResult& document : result.documents)
    for (const Finding& one : document.findings) out += line_of(document, one);
  return out;
}

void check_places(const FileResult& result, std::string_view text) {
  for (const DocumentResult& document : result.documents) {
    for (const Finding& one : document.findings) {
      STRAKE_ASSERT(!one.fault.message.empty());
      if (!one.position || !one.file.empty()) continue;
      STRAKE_ASSERT(one.position->offset <= text.size());
      STRAKE_ASSERT(one.position->offset + one.length <= text.size());
    }
  }
}

struct Schemas {
  rules::Engine engine;
  rules::CrdRules compiler;
  Catalog catalog{{.unknown = UnknownFields::kStrict,
                   .kubernetes_minor = 36,
                   .rules = &engine,
                   .rule_compiler = &compiler}};
};

void check(const Catalog& catalog, std::string_view text) {
  const CheckOptions options{.max_depth = 100, .max_file_bytes = 1 << 20};
  const Checker checker(catalog, nullptr, options);
  const FileResult result = checker.check("a.yaml", text);
  const std::string lines = lines_of(result);
  if (!text.starts_with("\x1f\x8b")) check_places(result, text);
  STRAKE_ASSERT(lines_of(checker.check("a.yaml", text)) == lines);

  CheckOptions covered = options;
  covered.ignore_comments = true;
  const FileResult fewer = Checker(catalog, nullptr, covered).check("a.yaml", text);
  const auto count = [](const FileResult& of) {
    std::size_t total = 0;
    for (const DocumentResult& document : of.documents)
      for (const Finding& one : document.findings) total += one.fault.severity == Severity::kError;
    return total;
  };
  STRAKE_ASSERT(count(fewer) + fewer.ignored >= count(result));
  STRAKE_ASSERT(count(fewer) <= count(result));
  static_cast<void>(IgnoreComments(text).mistakes());

  // Names that say what it is do not crash either.
  static_cast<void>(checker.check("a.json", text));
  Pieces source(text);
  const FileResult streamed = checker.check_stream("a.json", source, {.max_depth = 100});
  static_cast<void>(streamed.has_errors());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 13) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\0');
  if (cut == std::string_view::npos) {
    static Schemas* const gardens = [] {
      auto* made = new Schemas;  // kept to the end, as a program would
      STRAKE_ASSERT(made->catalog.add("crd.yaml", std::make_shared<const std::string>(kGardenCrd))
                        .has_value());
      return made;
    }();
    check(gardens->catalog, input);
    return 0;
  }
  Schemas schemas;
  static_cast<void>(
      schemas.catalog.add("crd.yaml", std::make_shared<const std::string>(input.substr(0, cut))));
  check(schemas.catalog, input.substr(cut + 1));
  return 0;
}
