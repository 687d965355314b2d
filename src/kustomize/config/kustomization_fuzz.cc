// Any bytes as the files of a kustomization: building must not crash, hang or read beyond its root,
// and what it gives must build to itself.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kustomize/build.h"
#include "kustomize/file/map_tree.h"

namespace {

using namespace strake;
using namespace strake::kustomize;

// Files that watch over what is read.
class WatchedTree final : public FileTree {
 public:
  explicit WatchedTree(std::map<std::string, std::string> files) : tree_(std::move(files)) {
    tree_.add_link("/app/link", "/outside");
    tree_.add_link("/app/base/up", "../..");
  }
  Result<Place> resolve(const std::string& path) const override { return tree_.resolve(path); }
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    const auto place = tree_.resolve(path);
    if (place && !is_in_or_below(place->path, "/app")) {
      std::fprintf(stderr, "read beyond the root: %s\n", path.c_str());
      std::abort();
    }
    return tree_.read(path, limit);
  }

 private:
  MapTree tree_;
};

Result<BuildResult> build_with(const FileTree& files) {
  BuildOptions options;
  options.target = "/app";
  options.working_folder = "/";
  options.files = &files;
  std::vector<std::string> warnings;
  return build(options, warnings);
}

}  // namespace

// The input is cut at NUL bytes into the files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 14) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    std::string text(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return text;
  };
  const WatchedTree files({{"/app/kustomization.yaml", next()},
                           {"/app/a.yaml", next()},
                           {"/app/p.yaml", next()},
                           {"/app/base/kustomization.yaml", next()},
                           {"/app/base/b.yaml", next()},
                           {"/outside/secret.yaml", "apiVersion: v1\nkind: Secret\n"}});
  const auto result = build_with(files);
  if (!result || result->items().empty()) return 0;
  const std::string yaml = result->yaml();
  // Annotations of builds and what is only for them do not survive a second one.
  if (yaml.find("config.kubernetes.io/") != std::string::npos) return 0;
  const MapTree again(
      {{"/app/kustomization.yaml", "resources: [all.yaml]\nsortOptions: {order: fifo}\n"},
       {"/app/all.yaml", yaml}});
  const auto second = build_with(again);
  // A result may hold what cannot be loaded again (a kind without a name, say), but never differ.
  if (second && second->items().size() == result->items().size() && second->yaml() != yaml) {
    std::fprintf(stderr, "built twice differs:\n%s\n---- then\n%s\n", yaml.c_str(),
                 second->yaml().c_str());
    std::abort();
  }
  return 0;
}
