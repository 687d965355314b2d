#pragma once
// What providers and clusters of this machine are told in their settings, with everything that they
// leave out filled in.
//
//   provider  LOCAL_ROOT             the folder of everything it provides (the program's data
//   folder)
//             LOCAL_PROGRAM          the program that a cluster is (this one)
//             LOCAL_MAX_DISK_SIZE    the largest disk, as a quantity (16Ti)
//   cluster   LOCAL_LISTEN           HOST:PORT of its API (127.0.0.1:0, a free port that is kept)
//             LOCAL_START_SECONDS    how long it may take to be ready (60)
//             LOCAL_STOP_SECONDS     how long it may take to end before it is killed (20)
//             LOCAL_INGRESS_IP       the address of its ingress (127.0.0.1)
//             LOCAL_DNS_ZONES        names of DNS zones, between commas or spaces (none)
//             LOCAL_DNS_NAMESERVER   the name server that new zones name (localhost.)
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "provider/model/cluster.h"
#include "provider/registry.h"

namespace strake::provider::local {

struct ProviderSettings {
  std::string root;  // absolute
  std::string program;
  std::int64_t most_disk_bytes = 0;
};

struct ClusterSettings {
  std::string host;
  std::uint16_t port = 0;  // 0: any that is free
  std::chrono::seconds start{};
  std::chrono::seconds stop{};
  std::string ingress_ip;
  std::vector<std::string> zones;  // small letters, no dot at the end, each once
  std::string name_server;         // with a dot at the end
};

// Fail with kValidation; of what is missing, all is told at once.
Outcome<ProviderSettings> read_settings(const ProviderEntity& provider,
                                        const DriverEnvironment& from);
Outcome<ClusterSettings> read_settings(const Cluster& cluster);

}  // namespace strake::provider::local
