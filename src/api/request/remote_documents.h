#pragma once
// What other servers serve beside this one, and their documents about it: the interface behind
// which an aggregator keeps them.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "publish/remote.h"

namespace strake::api {

// Immutable. Everything in it is bounded and has been read: it can be shown as it is.
struct RemoteSnapshot {
  std::uint64_t generation = 0;             // grows with every change
  std::uint64_t openapi_v2_generation = 0;  // with every change to what the v2 document shows
  std::vector<publish::RemoteVersion> versions;
  // Parts of the v2 document, in the order in which they are merged.
  std::vector<std::shared_ptr<const std::string>> openapi_v2;
  // The hash of each v3 document by its path: "apis/example.com/v1".
  std::map<std::string, std::string, std::less<>> openapi_v3;
};
using RemoteSnapshotPtr = std::shared_ptr<const RemoteSnapshot>;

struct RemoteDocument {
  std::string hash;
  std::shared_ptr<const std::string> text;  // a JSON object
};

class RemoteDocuments {
 public:
  virtual ~RemoteDocuments() = default;
  // Null when no other server ever served anything. At once, from any thread.
  virtual RemoteSnapshotPtr snapshot() const = 0;
  // The v3 document of a path in the snapshot: kept, or asked for. Fails with
  // kServiceUnavailable when it cannot be had, kCancelled when the token is cancelled. From any
  // loop.
  virtual async::Task<RemoteDocument> openapi_v3(std::string path, CancelToken cancel) = 0;
};

}  // namespace strake::api
