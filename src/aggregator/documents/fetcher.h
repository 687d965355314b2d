#pragma once
// How documents are got from the servers behind APIServices.
#include <cstddef>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/cancel.h"
#include "base/deadline.h"

namespace strake::aggregator {

struct DocumentRequest {
  // The APIService whose server is asked.
  std::string group;
  std::string version;
  std::string target;  // path and query
  std::string accept;
  std::string etag = {};  // of what is there already, for If-None-Match; may be empty
  // As whom, in the headers of the front proxy.
  std::string user = {};
  std::vector<std::string> groups = {};
  Deadline deadline = {};     // for all of it
  std::size_t max_bytes = 0;  // of the body
  CancelToken cancel = {};
};

struct FetchedDocument {
  int status = 0;
  std::string etag;
  std::string body;
};

class DocumentFetcher {
 public:
  virtual ~DocumentFetcher() = default;
  // Any status is an answer, redirects too: they are not followed. Fails with kLimit when the body
  // is larger, kTimeout at the deadline, kNotFound when there is no such APIService any more,
  // kServiceUnavailable when nothing of use came back. Called on the executor of whoever keeps the
  // documents.
  virtual async::Task<FetchedDocument> fetch(DocumentRequest request) = 0;
};

}  // namespace strake::aggregator
