#include "cli/testserver/assets_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "cli/testserver/cache_folder.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

constexpr FlagSpec kAssetsFlags[] = {
    {.name = "dir",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "folder for the links (default $XDG_CACHE_HOME/strake/testserver or "
                "~/.cache/strake/testserver)"},
};

Result<std::string> default_assets_folder(const Io& io) {
  STRAKE_TRY(const std::string cache, cache_folder(io));
  return cache + "/testserver";
}

// The first program of that name on PATH; empty when there is none.
std::string find_program(std::string_view name, const Io& io) {
  const std::string path = io.env("PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t colon = rest.find(':');
    std::string candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return {};
}

// In one step: a suite that starts meanwhile finds the old link or the new one.
Result<> put_link(const fs::path& folder, const std::string& name, const fs::path& target) {
  std::error_code error;
  if (fs::read_symlink(folder / name, error) == target) return {};
  const fs::path fresh = folder / fmt::format(".{}.{}", name, ::getpid());
  fs::create_symlink(target, fresh, error);
  if (!error) fs::rename(fresh, folder / name, error);
  if (error)
    return fail(Code::kIo, "cannot link {}: {}", (folder / name).string(), error.message());
  return {};
}

Result<> link_assets(const Arguments& args, Io& io) {
  std::string folder(args.text("dir"));
  if (folder.empty()) {
    STRAKE_TRY(folder, default_assets_folder(io));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(Code::kIo, "cannot make the folder {}: {}", folder, error.message());
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail(Code::kIo, "cannot find this program: {}", error.message());
  for (const char* name : {"kube-apiserver", "etcd"}) STRAKE_CHECK(put_link(folder, name, self));
  if (const std::string kubectl = find_program("kubectl", io); !kubectl.empty())
    STRAKE_CHECK(put_link(folder, "kubectl", kubectl));
  io.out.write(printable(fs::absolute(folder).string()) + "\n");
  return {};
}

ExitCode run_assets(const Arguments& args, Io& io) {
  const Result<> done = link_assets(args, io);
  return done ? ExitCode::kFine : refused(done.error(), io);
}

constexpr Example kAssetsExamples[] = {
    {"KUBEBUILDER_ASSETS=$(strake testserver assets) go test ./...",
     "suites with envtest, unchanged"},
};

}  // namespace

constinit const Command kTestServerAssetsCommand = {
    .name = "testserver assets",
    .group = Group::kServe,
    .summary = "make a folder with kube-apiserver and etcd for test harnesses, and print it",
    .description =
        "Makes links to this program by the names kube-apiserver and etcd, and one to kubectl if "
        "it is on the PATH, in a folder that test harnesses such as envtest can use. By these "
        "names the program takes the flags that harnesses pass. kube-apiserver keeps its objects "
        "in memory; etcd keeps the keys of its own clients, in memory too.",
    .flags = kAssetsFlags,
    .operands = {},
    .examples = kAssetsExamples,
    .run = run_assets,
};

}  // namespace strake::cli
