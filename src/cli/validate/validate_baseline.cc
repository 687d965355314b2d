#include "cli/validate/validate_baseline.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "cli/validate/validate_report.h"
#include "validate/messages.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using validate::Baseline;
using validate::Locale;
using validate::Phrase;
using validate::say_in;

constexpr std::uint64_t kMostBaselineBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMostShown = 10;  // stale entries

// Names in a baseline start at its own folder, so that it holds wherever the command is run.
class Names {
 public:
  explicit Names(const std::string& baseline) {
    std::error_code error;
    folder_ = fs::absolute(baseline, error).lexically_normal().parent_path();
  }
  std::string inside(const std::string& file) const {
    if (file == "-") return file;
    std::error_code error;
    return fs::absolute(file, error)
        .lexically_normal()
        .lexically_proximate(folder_)
        .generic_string();
  }
  bool exists(const std::string& inside) const {
    std::error_code error;
    return inside == "-" || fs::exists(folder_ / inside, error);
  }

 private:
  fs::path folder_;
};

void warn_of_stale(const std::string& file, const std::vector<Baseline::Entry>& stale,
                   Locale locale, Io& io) {
  if (stale.empty()) return;
  warn(stale.size() == 1 ? say_in(locale, Phrase::kStaleEntry, printable(file))
                         : say_in(locale, Phrase::kStaleEntries, stale.size(), printable(file)),
       locale, io);
  std::string out;
  for (std::size_t i = 0; i < stale.size() && i < kMostShown; ++i) {
    const Baseline::Entry& entry = stale[i];
    out += printable(
        fmt::format("  {}: {} {} {}", entry.file, entry.resource, entry.code, entry.path));
    out += '\n';
  }
  if (stale.size() > kMostShown)
    out += fmt::format("  {}\n", say_in(locale, Phrase::kAndMore, stale.size() - kMostShown));
  io.err.write(out);
}

}  // namespace

Result<> apply_baseline(const std::string& file, std::vector<validate::FileResult>& results,
                        validate::Locale locale, Io& io) {
  STRAKE_TRY(const std::string text, read_input(file, kMostBaselineBytes, io));
  STRAKE_TRY(const Baseline baseline, Baseline::read(text, file));
  const Names names(file);
  warn_of_stale(file,
                baseline.apply(
                    results, [&](const std::string& name) { return names.inside(name); },
                    [&](const std::string& name) { return names.exists(name); }),
                locale, io);
  return {};
}

Result<> write_baseline(const std::string& file, std::vector<validate::FileResult>& results,
                        validate::Locale locale, Io& io) {
  const Names names(file);
  const auto inside = [&](const std::string& name) { return names.inside(name); };
  const Baseline baseline = Baseline::of(results, inside);
  STRAKE_CHECK(write_file(file, baseline.to_yaml()));
  const std::string name = printable(file);
  io.err.write((baseline.size() == 1
                    ? say_in(locale, Phrase::kFindingWritten, name)
                    : say_in(locale, Phrase::kFindingsWritten, name, baseline.size())) +
               "\n");
  baseline.apply(results, inside, [](const std::string&) { return true; });
  return {};
}

}  // namespace strake::cli
