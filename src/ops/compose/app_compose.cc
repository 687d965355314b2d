#include "ops/compose/app_compose.h"

#include "ops/compose/reader.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

constexpr std::string_view kFilePrefix = "file:";
constexpr std::string_view kInlineName = "app.compose";

}  // namespace

Outcome<AppCompose> load_app_compose(const provider::App& app, const ProjectFiles* base,
                                     const Environment& environment) {
  std::string text = app.compose;
  std::string name(kInlineName);
  std::string folder;
  if (app.compose.starts_with(kFilePrefix)) {
    const std::string written = app.compose.substr(kFilePrefix.size());
    if (base == nullptr)
      return refuse(FailureClass::kValidation,
                    "compose \"{}\": this app may not refer to files: it is not declared in the "
                    "app file",
                    app.compose);
    Result<std::string> path = clean_project_path(written);
    if (!path)
      return refuse(FailureClass::kValidation, "compose \"{}\": the path {}", app.compose,
                    path.error().message());
    Result<std::string> read = base->read(*path, kMaxComposeBytes);
    if (!read)
      return std::unexpected(
          provider::Failure(std::move(read).error()).prefixed("reading the Compose document"));
    text = *std::move(read);
    name = *path;
    const std::size_t slash = path->rfind('/');
    if (slash != std::string::npos) folder = path->substr(0, slash);
  }
  STRAKE_TRY(Project project, read_project(text, name, environment));
  AppCompose out{.project = std::move(project), .beside = std::nullopt};
  if (base != nullptr) out.beside.emplace(*base, std::move(folder));
  return out;
}

}  // namespace strake::ops::compose
