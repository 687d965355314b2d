#pragma once
// What admission policies have found, with the names of kube-apiserver 1.36. Names of policies and
// bindings are those of objects, which administrators write.
#include <chrono>
#include <string_view>

namespace strake::admission {

// One validation that was not met, or could not be judged, and what its binding makes of it:
// "deny", "warn", "audit", or "allow" when it is ignored. `error`: why it could not be judged;
// empty when it was.
void count_policy_check(std::string_view policy, std::string_view binding, std::string_view action,
                        std::string_view error);

// One mutation, and how long it took. `error`: why it could not be made; empty when it was.
void count_mutation(std::string_view policy, std::string_view binding,
                    std::chrono::nanoseconds time, std::string_view error);

}  // namespace strake::admission
