// Any bytes as a Compose document and the files beside it: reading and converting must not crash,
// hang or take more than the limits allow; what is normalised must read as the same; and a
// conversion gives the same bytes twice.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ops/compose/manifest.h"
#include "ops/compose/map_files.h"
#include "ops/compose/reader.h"
#include "ops/compose/shell_words.h"

namespace {

using namespace strake;
using namespace strake::ops::compose;

void require(bool holds, const char* law, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n%s\n", law, text.c_str());
  std::abort();
}

// Empty when the document cannot be converted.
std::string convert(const Project& project, const ProjectFiles& files) {
  provider::Workspace workspace{.id = {}, .name = "ws1"};
  provider::ProviderEntity provider{
      .id = {}, .name = "prv1", .workspace_id = {}, .driver = "local", .settings = {}};
  provider::Cluster cluster;
  cluster.name = "cls1";
  cluster.ingress.emplace().domain = "example.test";
  provider::App app;
  app.name = "app1";
  app.volumes = {{.name = "data", .size = 1, .options = {}}};
  if (!project.services[0].ports.empty())
    app.ingress.rules = {{"main", project.services[0].ports[0].host, {"shop.test"}}};
  const Subject subject{&workspace, provider, cluster, app, {}};
  const auto plan = plan_component(subject, project, &files);
  if (!plan) return {};
  provider::VolumeClass of_volume;
  of_volume.csi_driver = "csi.example.test";
  VolumeBinding binding{.volume = "data", .disk = {}, .volume_class = of_volume};
  binding.disk.handle = "d1";
  const auto volumes = bind_volumes(*plan, {{binding}});
  const auto manifest = build(*plan, *volumes);
  require(manifest.has_value(), "what is planned can be built", "");
  return manifest->yaml();
}

}  // namespace

// The input is cut at NUL bytes into the document and three files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 14) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    std::string text(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return text;
  };
  const std::string text = next();
  const MapFiles files({{"a.env", next()}, {"b.yml", next()}, {"file", next()}});
  static_cast<void>(split_command(text));
  const Environment environment = {{"A", "value"}, {"EMPTY", ""}, {"LONG", std::string(1000, 'x')}};
  const auto project = read_project(text, "c.yml", environment);
  if (!project) {
    require(project.error().to_string().starts_with("c.yml"), "errors name the document", text);
    return 0;
  }
  const std::string normalized = normalized_compose(*project);
  require(normalized.size() < (std::size_t{1} << 25), "interpolation is bounded", text);
  // A document can be within the limits only as long as its short forms are short.
  const auto again = read_project(normalized, "c.yml", environment);
  if (!again && again.error().code() == Code::kLimit) return 0;
  require(again.has_value(), "what is normalised can be read",
          again ? "" : text + "\n---- then\n" + normalized + again.error().to_string());
  require(normalized_compose(*again) == normalized, "normalising twice is normalising once",
          text + "\n---- then\n" + normalized);
  const std::string manifest = convert(*project, files);
  require(convert(*project, files) == manifest, "the same document gives the same bytes", text);
  require(convert(*again, files) == manifest, "what is normalised converts to the same",
          text + "\n---- then\n" + normalized);
  return 0;
}
