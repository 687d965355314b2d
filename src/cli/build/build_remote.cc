#include "cli/build/build_remote.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/go_duration.h"
#include "base/quote.h"
#include "base/sha256.h"

namespace strake::cli {
namespace {

// Set while git runs a hook or an alias: with them git would work on that repository, not on ours.
constexpr std::string_view kForeignRepository[] = {"GIT_DIR",
                                                   "GIT_WORK_TREE",
                                                   "GIT_INDEX_FILE",
                                                   "GIT_OBJECT_DIRECTORY",
                                                   "GIT_COMMON_DIR",
                                                   "GIT_NAMESPACE",
                                                   "GIT_PREFIX",
                                                   "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                   "GIT_CEILING_DIRECTORIES"};

Result<ProgramOutput> run_there(const ProgramRun& run) {
  Result<ProgramOutput> output = run_program(run);
  if (output) return output;
  if (output.error().code() == Code::kNotFound)
    return fail(Code::kUnsupported, "no '{}' program on path", run.arguments[0]);
  if (output.error().code() == Code::kTimeout && run.timeout) {
    return fail(Code::kTimeout, "hit {} timeout running '{}'", format_go_duration(*run.timeout),
                fmt::join(run.arguments, " "));
  }
  return output;
}

Result<std::string> run_checked(const ProgramRun& run) {
  STRAKE_TRY(ProgramOutput output, run_there(run));
  if (output.status == 0) return std::move(output.out);
  return fail(Code::kServiceUnavailable, "failed to run '{}': {}: exit status {}",
              fmt::join(run.arguments, " "), output.err, output.status);
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

// The first number with a dot in it, and what of it follows.
std::string find_version(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t at = text.find_first_of(kDigits); at != std::string_view::npos;
       at = text.find_first_of(kDigits, at)) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string_view version = text.substr(at, end - at);
    while (version.ends_with('.')) version.remove_suffix(1);
    if (version.find('.') != std::string_view::npos) return std::string(version);
    at = end;
  }
  return {};
}

Result<std::string> run_helm(const ProgramRun& run) {
  Result<ProgramOutput> output = run_program(run);
  if (output && output->status == 0) return std::move(output->out);
  const std::string& program = run.arguments[0];
  std::string said = output ? output->err : std::string();
  if (output && std::ranges::find(run.arguments, "--debug") != run.arguments.end())
    said = fmt::format(" Helm stack trace:\n{}\nHelm template:\n{}\n", said, output->out);
  const std::string why = output ? fmt::format("exit status {}", output->status)
                          : output.error().code() == Code::kNotFound
                              ? fmt::format("exec: \"{}\": executable file not found", program)
                              : output.error().message();
  return fail(output ? Code::kServiceUnavailable : Code::kUnsupported,
              "{}unable to run: '{}' with env=[{}] (is '{}' installed?): {}",
              said.empty() ? said : said + ": ", fmt::join(run.arguments, " "),
              fmt::join(run.environment, " "), program, why);
}

}  // namespace

Result<std::string> ProgramRemote::get(const std::string& url) {
  ProgramRun run;
  run.arguments = {
      "curl",       "--disable",   "--silent",      "--show-error",   "--globoff",    "--location",
      "--proto",    "=http,https", "--proto-redir", "=http,https",    "--max-redirs", "10",
      "--max-time", "60",          "--write-out",   "\n%{http_code}", "--",           url};
  STRAKE_TRY(ProgramOutput output, run_there(run));
  if (output.status != 0) {
    // "curl: (6) Could not resolve host: nowhere" says more without its start.
    std::string_view why = output.err;
    if (const std::size_t end = why.find(") "); why.starts_with("curl: (") && end < 12)
      why.remove_prefix(end + 2);
    while (why.ends_with('\n')) why.remove_suffix(1);
    return fail(Code::kServiceUnavailable, "Get {}: {}", quote(url), why);
  }
  std::string& text = output.out;
  const std::size_t line = text.rfind('\n');
  int status = 0;
  if (line != std::string::npos)
    std::from_chars(text.data() + line + 1, text.data() + text.size(), status);
  if (status < 200 || status > 299)
    return fail(Code::kNotFound, "status code {} ({})", status, status_text(status));
  text.resize(line);
  return std::move(text);
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
    run.unset.assign(std::begin(kForeignRepository), std::end(kForeignRepository));
    STRAKE_CHECK(run_checked(run));
    return {};
  };
  STRAKE_CHECK(git({"init"}));
  STRAKE_CHECK(git({"remote", "add", "origin", url}));
  STRAKE_CHECK(git({"fetch", "--depth=1", url, ref}));
  STRAKE_CHECK(git({"checkout", "FETCH_HEAD"}));
  if (spec.submodules) STRAKE_CHECK(git({"submodule", "update", "--init", "--recursive"}));
  // Only the files are wanted from here on, and the URL may hold a password.
  std::error_code error;
  std::filesystem::remove_all(std::filesystem::path(path) / ".git", error);
  if (error) return fail(Code::kIo, "cannot remove {}/.git: {}", path, error.message());
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

Result<> ProgramHelm::check_version(const ProgramRun& like) {
  if (checked_) return {};
  ProgramRun run = like;
  run.arguments = {program_, "version", "-c", "--short"};
  STRAKE_TRY(const std::string text, run_helm(run));
  const std::string version = find_version(text);
  if (version.empty()) return fail(Code::kUnsupported, "cannot find version string in {}", text);
  if (!version.starts_with("3."))
    return fail(Code::kUnsupported, "this plugin requires helm V3 but got v{}", version);
  checked_ = true;
  return {};
}

Result<std::string> ProgramHelm::run(const Command& command) {
  STRAKE_TRY(const std::string* scratch, folder());
  const std::string home = command.config_home.empty() ? *scratch + "/helm" : command.config_home;
  ProgramRun run;
  run.arguments = command.arguments;
  run.arguments.insert(run.arguments.begin(), program_);
  run.environment = {"HELM_CONFIG_HOME=" + home, "HELM_CACHE_HOME=" + home + "/.cache",
                     "HELM_DATA_HOME=" + home + "/.data"};
  STRAKE_CHECK(check_version(run));
  return run_helm(run);
}

Result<std::string> ProgramHelm::write_values(std::string_view name, std::string_view text) {
  STRAKE_TRY(const std::string* scratch, folder());
  // The name of a chart may hold anything; the file's may not.
  const bool plain = name.find('/') == std::string_view::npos && !name.starts_with('.');
  const std::string path =
      fmt::format("{}/{}", *scratch, plain ? std::string(name) : sha256_hex(name) + ".yaml");
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail(Code::kIo, "failed to write values file");
  return path;
}

}  // namespace strake::cli
