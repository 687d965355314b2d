#pragma once
// The documents about the API itself (discovery, OpenAPI), made when they are asked for and kept
// until the resources change. May be asked from any thread.
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "api/request/registry.h"
#include "api/request/remote_documents.h"
#include "http/message.h"

namespace strake::api {

class Documents {
 public:
  // HOST:PORT at which clients reach the server; empty for where each of them did.
  explicit Documents(std::string advertised_address = {})
      : advertised_address_(std::move(advertised_address)) {}

  struct Question {
    const http::Request& request;
    const http::Query& query;
    std::string_view path;
    Registry::SnapshotPtr snapshot;  // the resources that the answer is about
    RemoteSnapshotPtr remote;        // what other servers add to it; null when there are none
    // Makes no document: that may take seconds, which a loop does not have.
    bool only_kept = false;
  };
  struct NotKept {};  // a document has to be made
  using Served = std::expected<std::optional<http::Response>, NotKept>;

  // The answer to a path of discovery or OpenAPI; nothing when it is none of them.
  Served serve(const Question& question);

  // The answer with a v3 document that another server made: its bytes are not kept here.
  static Served serve_openapi_v3(const Question& question, std::string_view name,
                                 const RemoteDocument& document);

 private:
  struct Kept {
    std::string text;
    std::string hash;
    std::uint64_t remote = 0;  // the generation of what other servers add to it
  };
  using KeptPtr = std::shared_ptr<const Kept>;
  // The text made by `make`, from the resources of the question and what other servers add, of
  // this generation.
  template <typename Make>
  std::expected<KeptPtr, NotKept> kept(const Question& question, const std::string& name,
                                       std::uint64_t remote, Make make);

  Served discovery(const Question& question, std::string_view path);
  Served openapi_v2(const Question& question);
  Served openapi_v3_index(const Question& question);
  Served openapi_v3(const Question& question, const std::string& name);

  const std::string advertised_address_;
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
  std::expected<V3Document, NotKept> v3_document(const Question& question, const std::string& path,
                                                 bool with_text);
};

}  // namespace strake::api
