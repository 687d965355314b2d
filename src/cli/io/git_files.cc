#include "cli/io/git_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/subprocess.h"
#include "cli/io/files.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kGitPatience{1};

Result<ProgramOutput> run_git(std::vector<std::string> arguments, const std::string& folder = {}) {
  ProgramRun run;
  run.arguments = {"git", "--no-pager"};
  run.arguments.insert(run.arguments.end(), std::make_move_iterator(arguments.begin()),
                       std::make_move_iterator(arguments.end()));
  // Paths are names, not patterns; nothing is written, and nobody is asked.
  run.environment = {"GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
                     "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"};
  run.folder = folder;
  run.timeout = kGitPatience;
  Result<ProgramOutput> output = run_program(run);
  if (!output && output.error().code() == Code::kNotFound)
    return fail(Code::kUnsupported, "--git needs the program git, and there is none on the PATH");
  return output;
}

std::string first_words(std::string_view text) {
  std::string out(text.substr(0, text.find('\n')));
  constexpr std::string_view kFatal = "fatal: ";
  if (out.starts_with(kFatal)) out.erase(0, kFatal.size());
  return out;
}

Result<std::string> git_output(std::vector<std::string> arguments, const std::string& folder) {
  const std::string name = arguments[0];
  STRAKE_TRY(ProgramOutput output, run_git(std::move(arguments), folder));
  if (output.status == 0) return std::move(output.out);
  return fail(Code::kIo, "git {} failed: {}", name, first_words(output.err));
}

std::vector<std::string> split_at_zeros(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// A line of `git ls-tree --long`: mode, type, object and size, then a tab and the path.
struct TreeEntry {
  std::string_view mode;
  std::string_view type;
  std::string_view object;
  std::uint64_t size = 0;
  std::string_view path;
};

TreeEntry parse_tree_entry(std::string_view line) {
  TreeEntry out;
  const std::size_t tab = std::min(line.find('\t'), line.size());
  out.path = line.substr(std::min(tab + 1, line.size()));
  line = line.substr(0, tab);
  const auto word = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view found = line.substr(0, end);
    line.remove_prefix(end);
    return found;
  };
  out.mode = word();
  out.type = word();
  out.object = word();
  const std::string_view size = word();
  std::from_chars(size.data(), size.data() + size.size(), out.size);
  return out;
}

// As find_inputs passes over them.
bool is_hidden_below(std::string_view path, std::string_view folder) {
  path.remove_prefix(std::min(folder.size(), path.size()));
  return path.starts_with('.') || path.find("/.") != std::string_view::npos;
}

std::string shown_name(const std::string& top, std::string_view path) {
  std::error_code error;
  const fs::path whole = fs::path(top) / path;
  const fs::path shown = whole.lexically_relative(fs::current_path(error));
  return shown.empty() ? whole.string() : shown.string();
}

}  // namespace

Result<GitRepository> GitRepository::find() {
  STRAKE_TRY(const ProgramOutput output, run_git({"rev-parse", "--show-toplevel"}));
  std::string top = output.out;
  while (top.ends_with('\n')) top.pop_back();
  if (output.status != 0 || top.empty()) {
    return fail(Code::kUsage, "--git needs a git repository around the current folder: {}",
                output.status != 0 ? first_words(output.err) : "this one has no work tree");
  }
  return GitRepository(std::move(top));
}

Result<std::string> GitRepository::commit(std::string_view revision) const {
  // A dash would make it a flag of git's.
  if (revision.empty() || revision.starts_with('-'))
    return fail(Code::kUsage, "\"{}\" cannot be a git revision", revision);
  if (revision.find('\0') != std::string_view::npos ||
      revision.find('\n') != std::string_view::npos)
    return fail(Code::kUsage, "a git revision has no line breaks");
  STRAKE_TRY(
      const ProgramOutput output,
      run_git({"rev-parse", "--quiet", "--verify", fmt::format("{}^{{commit}}", revision)}, top_));
  std::string id = output.out;
  while (id.ends_with('\n')) id.pop_back();
  if (output.status != 0 || id.empty()) {
    return fail(
        Code::kUsage,
        "unknown git revision \"{}\"; `git log` and `git branch -a` show what there is, and "
        "a shallow clone may have to fetch it first",
        revision);
  }
  return id;
}

Result<std::string> GitRepository::path_from_top(const std::string& path) const {
  std::error_code error;
  // Links are followed, as git names what they lead to; the path itself may be gone by now.
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  const fs::path top = fs::canonical(top_, error);
  const std::string relative = whole.lexically_relative(top).string();
  if (relative.empty() || relative == ".." || relative.starts_with("../"))
    return fail(Code::kUsage, "{} is not in the git repository {}", path, top_);
  return relative;
}

Result<std::string> GitRepository::old_name(const std::string& commit,
                                            const std::string& now) const {
  STRAKE_TRY(const std::string out,
             git_output({"diff", "-z", "--name-status", "--find-renames", "--diff-filter=R",
                         "--no-ext-diff", "--no-textconv", commit},
                        top_));
  // "R087", the old name and the new one, again and again.
  const std::vector<std::string> words = split_at_zeros(out);
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
    if (words[i + 2] == now) return words[i + 1];
  }
  return std::string();
}

Result<std::vector<GitFile>> GitRepository::read(const std::string& commit, const std::string& path,
                                                 std::uint64_t limit) const {
  STRAKE_TRY(std::string from_top, path_from_top(path));
  const auto list = [&](const std::string& name) -> Result<std::string> {
    std::vector<std::string> words = {"ls-tree", "-r", "-z", "--long", "--full-tree", commit};
    // The top itself has no name.
    if (name != ".") words.insert(words.end(), {"--", name});
    return git_output(std::move(words), top_);
  };
  STRAKE_TRY(std::string listed, list(from_top));
  std::error_code error;
  if (listed.empty() && fs::is_regular_file(path, error)) {
    STRAKE_TRY(const std::string before, old_name(commit, from_top));
    if (!before.empty()) {
      from_top = before;
      STRAKE_TRY(listed, list(before));
    }
  }
  const std::string folder = from_top == "." ? "" : from_top + "/";
  std::vector<GitFile> out;
  for (const std::string& line : split_at_zeros(listed)) {
    const TreeEntry entry = parse_tree_entry(line);
    constexpr std::string_view kLinkMode = "120000";
    if (entry.type != "blob" || entry.mode == kLinkMode) continue;
    if (entry.path != from_top &&
        (is_hidden_below(entry.path, folder) || !is_document_file(entry.path)))
      continue;
    GitFile& file = out.emplace_back();
    file.name = shown_name(top_, entry.path);
    file.named = entry.path == from_top;
    if (entry.size > limit)
      return std::unexpected(
          Error(Code::kLimit, fmt::format("has more than {} bytes", limit)).in(file.name));
    STRAKE_TRY(file.text, git_output({"cat-file", "blob", std::string(entry.object)}, top_));
  }
  std::ranges::sort(out, {}, &GitFile::name);
  return out;
}

}  // namespace strake::cli
