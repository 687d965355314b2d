#include "cli/validate/config_file.h"

#include "base/input_file.h"
#include "validate/phrases.h"
#include "value/known_keys.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using validate::Phrase;
using validate::say;
using value::Document;
using value::Value;

constexpr std::uintmax_t kMostConfigBytes = 1 << 20;
// The server's own flags may stand in the same file.
constexpr std::string_view kRootKeys[] = {"validate", "serve"};
constexpr std::string_view kValidateKeys[] = {
    "schemas", "exclude", "skip",       "kubernetesVersion",    "baseline",
    "unknown", "strict",  "duplicates", "ignoreMissingSchemas", "trustSchemas"};

// The members of one section.
class Section {
 public:
  Section(const Document& document, FieldPath at) : document_(document), at_(std::move(at)) {}

  Result<> read(std::string_view key, std::optional<std::string>& into) const {
    const Value* v = find(key);
    if (v == nullptr) return {};
    if (v->is_number()) return wrong(at_ / key, say(Phrase::kMustBeQuoted, key));
    if (!v->is_string()) return wrong(at_ / key, say(Phrase::kMemberMustBeString, key));
    into = v->as_string();
    return {};
  }
  Result<> read(std::string_view key, std::optional<bool>& into) const {
    const Value* v = find(key);
    if (v == nullptr) return {};
    if (!v->is_bool()) return wrong(at_ / key, say(Phrase::kMustBeBool, key));
    into = v->as_bool();
    return {};
  }
  Result<> read(std::string_view key, std::optional<std::vector<std::string>>& into) const {
    const Value* v = find(key);
    if (v == nullptr) return {};
    if (!v->is_array()) return wrong(at_ / key, say(Phrase::kMustBeListOfStrings, key));
    into.emplace();
    for (std::size_t i = 0; i < v->size(); ++i) {
      const Value& item = v->items()[i];
      if (!item.is_string()) return wrong(at_ / key / i, say(Phrase::kMustBeListOfStrings, key));
      into->emplace_back(item.as_string());
    }
    return {};
  }

 private:
  const Value* find(std::string_view key) const { return document_.at(at_ / key); }
  std::unexpected<Error> wrong(const FieldPath& path, std::string message) const {
    return std::unexpected(Error(Code::kInvalid, std::move(message)).at(document_.position(path)));
  }

  const Document& document_;
  FieldPath at_;
};

Result<> read_validate(const Document& document, Config& config) {
  const FieldPath at = FieldPath() / "validate";
  const Value* there = document.at(at);
  if (there == nullptr || there->is_null()) return {};
  STRAKE_CHECK(value::check_known_keys(document, at, kValidateKeys));
  const Section section(document, at);
  Config::Validate& out = config.validate;
  STRAKE_CHECK(section.read("schemas", out.schemas));
  STRAKE_CHECK(section.read("exclude", out.exclude));
  STRAKE_CHECK(section.read("skip", out.skip));
  STRAKE_CHECK(section.read("kubernetesVersion", out.kubernetes_version));
  STRAKE_CHECK(section.read("baseline", out.baseline));
  STRAKE_CHECK(section.read("unknown", out.unknown));
  STRAKE_CHECK(section.read("duplicates", out.duplicates));
  STRAKE_CHECK(section.read("strict", out.strict));
  STRAKE_CHECK(section.read("ignoreMissingSchemas", out.ignore_missing_schemas));
  STRAKE_CHECK(section.read("trustSchemas", out.trust_schemas));
  return {};
}

// A name in the file is meant from its folder.
void place(std::string& name, const fs::path& folder) {
  if (name.empty() || fs::path(name).is_absolute()) return;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  name = (folder / name).lexically_normal().lexically_proximate(here).string();
}

}  // namespace

std::optional<fs::path> find_config(fs::path folder) {
  std::error_code error;
  while (true) {
    const fs::path file = folder / kConfigName;
    if (fs::is_regular_file(file, error)) return file;
    if (fs::exists(folder / ".git", error) || !folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

Result<Config> read_config(const fs::path& file) {
  const auto in = InputFile::open(file.string(), Pipes::kRead);
  if (!in) {
    return std::unexpected(
        Error(Code::kIo, say(Phrase::kCannotOpen, in.error().message())).in(file.string()));
  }
  auto text = in->read_all(kMostConfigBytes);
  if (text) return parse_config(*text, file);
  Error error = std::move(text).error();
  if (error.code() == Code::kLimit)
    error = Error(Code::kLimit, say(Phrase::kLargerThan, kMostConfigBytes));
  return std::unexpected(std::move(error).in(file.string()));
}

Result<Config> parse_config(std::string_view text, const fs::path& file) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path whole = (here / file).lexically_normal();
  Config config{.file = file.string(), .folder = whole.parent_path(), .validate = {}};
  value::ReadOptions options;
  options.positions = true;
  options.source_name = config.file;
  STRAKE_TRY(const Document document, value::read_yaml(text, options));
  if (document.root().is_null()) return config;
  const auto read = [&]() -> Result<> {
    STRAKE_CHECK(value::check_known_keys(document, FieldPath(), kRootKeys));
    return read_validate(document, config);
  };
  if (auto done = read(); !done) return std::unexpected(std::move(done).error().in(config.file));
  if (config.validate.schemas) {
    for (std::string& name : *config.validate.schemas) place(name, config.folder);
  }
  if (config.validate.baseline) place(*config.validate.baseline, config.folder);
  return config;
}

}  // namespace strake::cli
