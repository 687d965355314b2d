#pragma once
// An APIService whose server is another one, as far as its documents are concerned.
#include <string>

namespace strake::aggregator {

struct RemoteService {
  std::string name;  // "v1.example.com"
  std::string group;
  std::string version;
  int group_priority = 0;
  int version_priority = 0;
  // What tells its server from others: the service and how it is reached. Those with the same have
  // one server, which is asked once for all of them.
  std::string server;
  // Anything that changes when its documents should be fetched again.
  std::string revision = {};
  // Not asked while it is not: its documents are stale.
  bool available = false;

  friend bool operator==(const RemoteService&, const RemoteService&) = default;
};

}  // namespace strake::aggregator
