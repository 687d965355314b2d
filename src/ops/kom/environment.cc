#include "ops/kom/environment.h"

#include "base/assert.h"
#include "base/quote.h"
#include "kustomize/file/paths.h"
#include "ops/kom/problems.h"
#include "schema/compile.h"
#include "validate/judges.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Outcome;
using value::text_of;
using value::Value;

constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

constexpr std::string_view kConfigSchema = R"(
type: object
properties:
  version: {type: integer, enum: [1]}
  store:
    type: object
    properties:
      type: {type: string, enum: [local, rdb, custom]}
  komPath:
    type: array
    maxItems: 256
    items: {type: string, minLength: 1}
  logging:
    type: object
    properties:
      dir: {type: string}
      format: {type: string}
      level: {type: string}
      retentionDays: {type: integer, minimum: 0, maximum: 36500}
)";

const validate::Judge& config_judge() {
  static const std::unique_ptr<const validate::Judge> judge = [] {
    const auto text = value::read_yaml(kConfigSchema);
    STRAKE_ASSERT(text);
    auto schema = schema::compile(text->root());
    STRAKE_ASSERT(schema);
    return validate::judge_structurally(*schema, {.unknown = validate::UnknownFields::kStrict,
                                                  .defaults = validate::DefaultMode::kIgnore});
  }();
  return *judge;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string absolute(const std::string& folder, std::string_view path) {
  return kustomize::is_absolute(path) ? kustomize::clean_path(path)
                                      : kustomize::join_path(folder, path);
}

// The nearest folder, upwards, that holds .kompox; empty when there is none.
Outcome<std::string> search_root(const KomFiles& files, const std::string& from) {
  std::string folder = kustomize::clean_path(from);
  while (true) {
    const auto place = files.resolve(kustomize::join_path(folder, kKompoxFolder));
    if (place && place->folder) return folder;
    if (folder == "/" || !kustomize::is_absolute(folder)) return std::string();
    folder = kustomize::folder_of(folder);
  }
}

Outcome<> check_folder(const KomFiles& files, std::string_view name, const std::string& path) {
  const auto place = files.resolve(path);
  if (!place && place.error().code() == Code::kNotFound)
    return provider::refuse(FailureClass::kNotFound, "{} {} does not exist", name, quote(path));
  if (!place)
    return std::unexpected(
        provider::Failure(place.error()).prefixed(fmt::format("{} {}", name, quote(path))));
  if (!place->folder)
    return provider::refuse(FailureClass::kValidation, "{} {} is not a directory", name,
                            quote(path));
  return {};
}

Outcome<RunConfig> read_config_file(const KomFiles& files, const std::string& path) {
  const auto place = files.resolve(path);
  if (!place && place.error().code() == Code::kNotFound) return RunConfig();
  auto text = files.read(path, kMostConfigBytes);
  if (!text)
    return std::unexpected(provider::Failure(std::move(text).error())
                               .prefixed(fmt::format("reading config file {}", quote(path))));
  return read_run_config(path, *text);
}

}  // namespace

std::string_view RunRequest::variable(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string_view() : found->second;
}

std::string RunEnvironment::expand(std::string_view text) const {
  return replaced(replaced(std::string(text), "$KOMPOX_ROOT", root), "$KOMPOX_DIR", dir);
}

Outcome<RunConfig> read_run_config(const std::string& path, std::string_view text) {
  value::ReadOptions options;
  options.limits = {.depth = 100, .bytes = kMostConfigBytes};
  options.positions = true;
  options.source_name = path;
  auto document = value::read_yaml(text, options);
  if (!document) return std::unexpected(provider::Failure(std::move(document).error().in(path)));
  const Value& root = std::as_const(*document).root();
  RunConfig out;
  if (root.is_null()) return out;

  KomProblems problems;
  value::Document scratch;
  Value settled = value::deep_copy(root, scratch.arena());
  for (const validate::Fault& fault :
       config_judge().judge({.object = settled, .arena = scratch.arena(), .as_sent = root})) {
    std::string words = fault.message;
    if (!fault.hint.empty()) words += ", " + fault.hint;
    if (fault.issue != validate::Issue::kUnknownKey && !fault.field.empty())
      words = fmt::format("{}: {}", fault.field, words);
    problems.add(Error(Code::kInvalid, std::move(words))
                     .in(path)
                     .at(fault.at_key ? document->key_position(fault.path)
                                      : document->position(fault.path)));
  }
  if (!problems.empty()) return std::unexpected(problems.to_failure());

  if (const Value& type = root.get("store").get("type"); type.is_string())
    out.store_type = type.as_string();
  for (const Value& one : root.get("komPath").items()) out.kom_path.emplace_back(text_of(one));
  const Value& logging = root.get("logging");
  out.log_dir = text_of(logging, "dir");
  out.log_format = text_of(logging, "format");
  out.log_level = text_of(logging, "level");
  if (const Value& days = logging.get("retentionDays"); days.type() == value::Type::kInt)
    out.log_retention_days = days.as_int();
  return out;
}

Outcome<RunEnvironment> find_environment(const KomFiles& files, const RunRequest& request) {
  RunEnvironment out;
  std::string root(request.root.empty() ? request.variable(kKompoxRoot) : request.root);
  if (root.empty()) {
    STRAKE_TRY(root, search_root(files, request.working_folder));
    if (root.empty())
      return provider::refuse(
          FailureClass::kNotFound,
          "KOMPOX_ROOT not specified and .kompox directory not found in ancestors of \"{}\"",
          request.working_folder);
  }
  out.root = absolute(request.working_folder, root);
  STRAKE_CHECK(check_folder(files, kKompoxRoot, out.root));

  const std::string_view dir =
      request.dir.empty() ? request.variable(kKompoxDir) : std::string_view(request.dir);
  out.dir = dir.empty() ? kustomize::join_path(out.root, kKompoxFolder)
                        : absolute(request.working_folder, dir);
  STRAKE_CHECK(check_folder(files, kKompoxDir, out.dir));
  STRAKE_TRY(out.config, read_config_file(files, kustomize::join_path(out.dir, kConfigFile)));
  return out;
}

}  // namespace strake::ops
