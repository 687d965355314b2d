// Any bytes as the documents of another server. What is taken over can be read, and is the same
// when it is read again; the merged document keeps what was there.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "publish/discovery.h"
#include "publish/openapi.h"
#include "publish/openapi_v2_to_v3.h"
#include "publish/remote_discovery.h"
#include "publish/remote_openapi.h"
#include "value/json_reader.h"

namespace {

using namespace strake;

void must(bool holds) {
  if (!holds) std::abort();
}

void read_discovery(std::string_view text) {
  const auto document = publish::read_remote_json(std::string(text));
  if (!document) return;
  publish::RemoteVersion remote{.group = "a.example", .version = "v1"};
  if (const auto got = publish::resources_in_aggregated(document->root(), "a.example", "v1");
      got && *got) {
    remote.resources = std::make_shared<const std::string>(**got);
  } else if (const auto list = publish::resources_in_list(document->root(), "a.example", "v1")) {
    remote.resources = std::make_shared<const std::string>(*list);
  } else {
    return;
  }
  const auto merged =
      publish::read_remote_json(publish::aggregated_discovery({}, false, {&remote, 1}));
  must(merged.has_value() && publish::is_aggregated_discovery(merged->root()));
  must(merged->root().get("items").size() == 1);
  const auto again = publish::resources_in_aggregated(merged->root(), "a.example", "v1");
  must(again && *again && **again == *remote.resources);
}

void read_openapi(std::string_view text) {
  static const std::string local = publish::openapi_v2({});
  const auto part = publish::openapi_v2_part(std::string(text), "a.example", "v1");
  if (!part) return;
  std::string with_version = *part;
  with_version.insert(1, R"("swagger":"2.0",)");
  const auto again = publish::openapi_v2_part(with_version, "a.example", "v1");
  must(again && *again == *part);
  if (const auto v3 = publish::openapi_v3_of_v2(*part)) {
    const auto converted = value::read_json(*v3);
    must(converted.has_value());
    must(converted->root().get("paths").size() ==
         value::read_json(*part)->root().get("paths").size());
    must(converted->root().get("components").get("schemas").is_object());
  }
  const auto shared = std::make_shared<const std::string>(*part);
  const auto merged = publish::merge_openapi_v2(local, {&shared, 1});
  must(merged.has_value() && publish::openapi_v2_protobuf(*merged).has_value());
  must(*publish::merge_openapi_v2(*merged, {&shared, 1}) == *merged);
  const auto before = value::read_json(local);
  const auto after = value::read_json(*merged);
  for (const value::Member& path : before->root().get("paths").members()) {
    const value::Value* kept = after->root().get("paths").find(path.key);
    must(kept != nullptr && value::equal(*kept, path.value));
  }
}

void read_index(std::string_view text) {
  const auto document = publish::read_remote_json(std::string(text));
  if (!document) return;
  const auto hash = publish::hash_in_v3_index(document->root(), "apis/a.example/v1");
  if (!hash || !*hash) return;
  must(publish::openapi_v3_index({{"apis/a.example/v1", **hash}}).find("\\") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_discovery(text);
  read_openapi(text);
  read_index(text);
  return 0;
}
