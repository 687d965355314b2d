#include "cli/build_remote.h"

#include <charconv>
#include <fstream>

#include "base/sha256.h"

namespace strake::cli {
namespace {

Result<std::string> run_checked(const ProgramRun& run) {
  Result<ProgramOutput> output = run_program(run);
  if (!output) {
    if (output.error().code() == Code::kNotFound)
      return fail(Code::kUnsupported, "no '{}' program on path", run.arguments[0]);
    return std::unexpected(std::move(output).error());
  }
  if (output->status == 0) return std::move(output->out);
  return fail(Code::kServiceUnavailable, "failed to run '{}': {}exit status {}",
              fmt::join(run.arguments, " "), output->err, output->status);
}

std::string_view status_text(int status) {
  switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 410: return "Gone";
    case 429: return "Too Many Requests";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    default: return "";
  }
}

}  // namespace

Result<std::string> ProgramRemote::get(const std::string& url) {
  ProgramRun run;
  run.arguments = {"curl",        "--silent",       "--show-error", "--location", "--proto",
                   "=http,https", "--max-redirs",   "10",           "--max-time", "60",
                   "--write-out", "\n%{http_code}", "--",           url};
  STRAKE_TRY(std::string text, run_checked(run));
  const std::size_t line = text.rfind('\n');
  int status = 0;
  if (line != std::string::npos)
    std::from_chars(text.data() + line + 1, text.data() + text.size(), status);
  if (status < 200 || status > 299)
    return fail(Code::kNotFound, "status code {} ({})", status, status_text(status));
  text.resize(line);
  return text;
}

Result<std::string> ProgramRemote::clone(const kustomize::RepoSpec& spec) {
  const std::string key = fmt::format("{}?{}&{}", spec.clone_url(), spec.ref, spec.submodules);
  if (const auto known = by_url_.find(key); known != by_url_.end()) return known->second;
  STRAKE_TRY(ScratchFolder folder, ScratchFolder::make("kustomize-"));
  const std::string path = folder.path();
  clones_.push_back(std::move(folder));
  const std::string url = spec.clone_url();
  const std::string ref = spec.ref.empty() ? "HEAD" : spec.ref;
  // A name that starts with a dash would be taken for an option.
  if (url.starts_with('-') || ref.starts_with('-'))
    return fail(Code::kInvalid, "'{}' is no URL of a repository", spec.raw);
  const auto git = [&](std::vector<std::string> arguments) -> Result<> {
    arguments.insert(arguments.begin(), "git");
    ProgramRun run;
    run.arguments = std::move(arguments);
    run.folder = path;
    run.timeout = spec.timeout;
    run.environment = {"GIT_TERMINAL_PROMPT=0"};
    STRAKE_CHECK(run_checked(run));
    return {};
  };
  STRAKE_CHECK(git({"init"}));
  STRAKE_CHECK(git({"remote", "add", "origin", url}));
  STRAKE_CHECK(git({"fetch", "--depth=1", url, ref}));
  STRAKE_CHECK(git({"checkout", "FETCH_HEAD"}));
  if (spec.submodules) STRAKE_CHECK(git({"submodule", "update", "--init", "--recursive"}));
  by_url_.emplace(key, path);
  return path;
}

Result<const std::string*> ProgramHelm::folder() {
  if (!folder_) {
    STRAKE_TRY(ScratchFolder made, ScratchFolder::make("kustomize-helm-"));
    folder_ = std::move(made);
  }
  return &folder_->path();
}

Result<std::string> ProgramHelm::run(const Command& command) {
  STRAKE_TRY(const std::string* scratch, folder());
  const std::string home = command.config_home.empty() ? *scratch + "/helm" : command.config_home;
  ProgramRun run;
  run.arguments = command.arguments;
  run.arguments.insert(run.arguments.begin(), program_);
  run.environment = {"HELM_CONFIG_HOME=" + home, "HELM_CACHE_HOME=" + home + "/.cache",
                     "HELM_DATA_HOME=" + home + "/.data"};
  if (!checked_) {
    checked_ = true;
    ProgramRun version = run;
    version.arguments = {program_, "version", "-c", "--short"};
    STRAKE_TRY(const std::string text, run_checked(version));
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit == std::string::npos)
      return fail(Code::kUnsupported, "cannot find version string in {}", text);
    if (text[digit] != '3')
      return fail(Code::kUnsupported, "this plugin requires helm V3 but got v{}",
                  text.substr(digit, text.find_first_of("+\n", digit) - digit));
  }
  Result<std::string> output = run_checked(run);
  if (output) return output;
  return fail(output.error().code(), "unable to run: '{} {}' (is '{}' installed?): {}", program_,
              fmt::join(command.arguments, " "), program_, output.error().message());
}

Result<std::string> ProgramHelm::write_values(std::string_view name, std::string_view text) {
  STRAKE_TRY(const std::string* scratch, folder());
  // The name of a chart may hold anything; the file's may not.
  const std::string path = fmt::format("{}/{}.yaml", *scratch, sha256_hex(name).substr(0, 16));
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail(Code::kIo, "failed to write values file");
  return path;
}

}  // namespace strake::cli
