// The lines of the input as a request: method, target, Accept, Content-Type, body. What it is about
// and its options are read, or refused with a Status; selectors that were taken print as what they
// are, and only the methods of HTTP have a verb.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/media.h"
#include "api/request/options.h"
#include "api/request/request_info.h"
#include "base/assert.h"
#include "base/lines.h"
#include "value/json_reader.h"

using namespace strake;

namespace {

template <typename T>
bool taken(const api::Answer<T>& answer) {
  if (answer) return true;
  STRAKE_ASSERT(answer.error().code == 400 || answer.error().code == 415 ||
                answer.error().code == 422 || answer.error().code == 413);
  const auto status = value::read_json(answer.error().to_json());
  STRAKE_ASSERT(status && status->root().get("kind").as_string() == "Status");
  return false;
}

void check_info(std::string_view method, std::string_view path, const http::Query& query) {
  const auto info = api::read_request_info(method, path, query);
  if (!info) return;
  if (!info->is_resource) return;
  STRAKE_ASSERT(!info->version.empty() && !info->resource.empty());
  STRAKE_ASSERT(info->verb.empty() || api::is_http_method(method));
}

void check_options(const http::Query& query, std::string_view body, std::string_view type) {
  for (const bool watch : {false, true}) {
    const auto options = api::read_list_options(query, watch);
    if (!taken(options)) continue;
    STRAKE_ASSERT(meta::LabelSelector::parse(options->labels.to_string()).has_value());
    STRAKE_ASSERT(meta::FieldSelector::parse(options->fields.to_string()).has_value());
  }
  for (const std::string_view kind : {"CreateOptions", "UpdateOptions", "PatchOptions"})
    taken(api::read_write_options(query, kind));
  if (const auto apply = api::read_write_options(query, "PatchOptions", true); taken(apply))
    STRAKE_ASSERT(!apply->field_manager.empty());
  taken(api::read_delete_options(query, body, type));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view method = take_line(rest);
  const std::string_view target = take_line(rest);
  const std::string_view accept = take_line(rest);
  const std::string_view type = take_line(rest);
  const std::size_t mark = std::min(target.find('?'), target.size());
  const auto query = http::Query::parse(target.substr(std::min(mark + 1, target.size())));
  if (query) {
    check_info(method, target.substr(0, mark), *query);
    check_options(*query, rest, type);
  }
  for (const bool watch : {false, true}) {
    if (const auto wanted = api::negotiate(accept, {.watch = watch}))
      STRAKE_ASSERT(!watch || wanted->encoding != api::Encoding::kYaml);
  }
  static_cast<void>(api::encoding_of_status(accept));
  static_cast<void>(api::accepts_as(accept, "APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2"));
  const std::vector<std::string_view> types = {"application/json", "application/yaml"};
  if (const auto first = api::first_accepted(accept, types))
    STRAKE_ASSERT(*first == types[0] || *first == types[1]);
  const std::string media = api::media_type(type);
  STRAKE_ASSERT(api::media_type(media) == media);
  return 0;
}
