#pragma once
// The documents about the API itself (discovery, OpenAPI), made when they are asked for and kept
// until the resources change.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "api/request/registry.h"
#include "http/message.h"

namespace strake::api {

class Documents {
 public:
  explicit Documents(const Registry& registry) : registry_(registry) {}

  // The answer to a path of discovery or OpenAPI; nothing when it is none of them.
  std::optional<http::Response> serve(const http::Request& request, const http::Query& query,
                                      std::string_view path);

 private:
  struct Kept {
    std::string text;
    std::string hash;
  };
  using KeptPtr = std::shared_ptr<const Kept>;
  // The text made by `make`, from the present resources.
  template <typename Make>
  KeptPtr kept(const std::string& name, Make make);

  std::optional<http::Response> discovery(const http::Request& request, std::string_view path);
  std::optional<http::Response> openapi_v2(const http::Request& request);
  std::optional<http::Response> openapi_v3(const http::Request& request, const http::Query& query,
                                           std::string_view path);

  const Registry& registry_;
  std::mutex mu_;
  std::uint64_t generation_ = 0;  // guarded by mu_: of the resources that `kept_` shows
  std::map<std::string, KeptPtr, std::less<>> kept_;  // guarded by mu_
  // v3 documents outlive a change elsewhere: kept by what they were made from.
  struct V3 {
    std::string made_from;
    std::string hash;
    std::shared_ptr<const std::string> text;  // null when it has to be made again
  };
  std::map<std::string, V3, std::less<>> v3_;  // guarded by mu_
  std::size_t v3_bytes_ = 0;                   // guarded by mu_
  struct V3Document {
    std::string hash;
    std::shared_ptr<const std::string> text;
  };
  V3Document v3_document(const Registry::Snapshot& snapshot, const std::string& path,
                         bool with_text);
};

}  // namespace strake::api
