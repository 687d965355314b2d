#pragma once
// What was recorded and what was lost, with the names of kube-apiserver 1.36.
#include <cstdint>
#include <string_view>

namespace strake::audit {

void count_event();
// A request that the policy has decided about: "Metadata".
void count_decision(std::string_view level);
// By a sink: "log" or "webhook".
void count_lost(std::string_view sink, std::uint64_t events);

}  // namespace strake::audit
