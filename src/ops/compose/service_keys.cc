#include "ops/compose/service_keys.h"

#include <algorithm>
#include <array>

namespace strake::ops::compose {
namespace {

using enum KeyEffect;

// Every key that the Compose specification has for a service, by name.
constexpr auto kServiceKeys = std::to_array<ServiceKey>({
    {"annotations", kSilent, ""},
    {"attach", kSilent, ""},
    {"blkio_config", kWarned, ""},
    {"build", kSilent, ""},
    {"cap_add", kWarned, ""},
    {"cap_drop", kWarned, ""},
    {"cgroup", kWarned, ""},
    {"cgroup_parent", kWarned, ""},
    {"command", kRead, ""},
    {"configs", kRead, ""},
    {"container_name", kSilent, ""},
    {"cpu_count", kWarned, "use x-kompox.limits.cpu"},
    {"cpu_percent", kWarned, "use x-kompox.limits.cpu"},
    {"cpu_period", kWarned, "use x-kompox.limits.cpu"},
    {"cpu_quota", kWarned, "use x-kompox.limits.cpu"},
    {"cpu_rt_period", kWarned, ""},
    {"cpu_rt_runtime", kWarned, ""},
    {"cpu_shares", kWarned, "use x-kompox.resources.cpu"},
    {"cpus", kWarned, "use x-kompox.limits.cpu"},
    {"cpuset", kWarned, ""},
    {"credential_spec", kWarned, ""},
    {"depends_on", kSilent, ""},
    {"deploy", kWarned, "use x-kompox.resources and x-kompox.limits"},
    {"develop", kSilent, ""},
    {"device_cgroup_rules", kWarned, ""},
    {"devices", kWarned, ""},
    {"dns", kWarned, ""},
    {"dns_opt", kWarned, ""},
    {"dns_search", kWarned, ""},
    {"domainname", kWarned, ""},
    {"entrypoint", kRead, ""},
    {"env_file", kRead, ""},
    {"environment", kRead, ""},
    {"expose", kSilent, ""},
    {"extends", kRefused, "write the keys out, or share them by a YAML anchor and <<"},
    {"external_links", kWarned, ""},
    {"extra_hosts", kWarned, ""},
    {"gpus", kWarned, ""},
    {"group_add", kWarned, ""},
    {"healthcheck", kWarned, ""},
    {"hostname", kWarned, "other services reach it by the name of the service"},
    {"image", kRead, ""},
    {"init", kWarned, ""},
    {"ipc", kWarned, ""},
    {"isolation", kWarned, ""},
    {"label_file", kSilent, ""},
    {"labels", kSilent, ""},
    {"links", kSilent, ""},
    {"logging", kSilent, ""},
    {"mac_address", kWarned, ""},
    {"mem_limit", kWarned, "use x-kompox.limits.memory"},
    {"mem_reservation", kWarned, "use x-kompox.resources.memory"},
    {"mem_swappiness", kWarned, ""},
    {"memswap_limit", kWarned, ""},
    {"models", kRefused, "give the address of the model by environment"},
    {"network_mode", kRead, ""},
    {"networks", kSilent, ""},
    {"oom_kill_disable", kWarned, ""},
    {"oom_score_adj", kWarned, ""},
    {"pid", kWarned, ""},
    {"pids_limit", kWarned, ""},
    {"platform", kWarned, "choose the nodes by deployment.pool"},
    {"ports", kRead, ""},
    {"post_start", kWarned, ""},
    {"pre_stop", kWarned, ""},
    {"privileged", kWarned, ""},
    {"profiles", kRead, ""},
    {"provider", kRefused, "a service here is a container with an image"},
    {"pull_policy", kWarned, ""},
    {"read_only", kWarned, ""},
    {"restart", kRead, ""},
    {"runtime", kWarned, ""},
    {"scale", kWarned, "an app has one replica"},
    {"secrets", kRead, ""},
    {"security_opt", kWarned, ""},
    {"shm_size", kWarned, ""},
    {"stdin_open", kWarned, ""},
    {"stop_grace_period", kWarned, ""},
    {"stop_signal", kWarned, ""},
    {"storage_opt", kWarned, ""},
    {"sysctls", kWarned, ""},
    {"tmpfs", kWarned, ""},
    {"tty", kWarned, ""},
    {"ulimits", kWarned, ""},
    {"use_api_socket", kWarned, ""},
    {"user", kWarned, ""},
    {"userns_mode", kWarned, ""},
    {"uts", kWarned, ""},
    {"volumes", kRead, ""},
    {"volumes_from", kRefused, "name the volumes in each service"},
    {"working_dir", kWarned, ""},
});
static_assert(std::ranges::is_sorted(kServiceKeys, {}, &ServiceKey::name));

constexpr auto kServiceKeyNames = [] {
  std::array<std::string_view, kServiceKeys.size()> names{};
  std::ranges::transform(kServiceKeys, names.begin(), &ServiceKey::name);
  return names;
}();

}  // namespace

std::span<const ServiceKey> service_keys() { return kServiceKeys; }

const ServiceKey* find_service_key(std::string_view name) {
  const auto found = std::ranges::lower_bound(kServiceKeys, name, {}, &ServiceKey::name);
  return found != kServiceKeys.end() && found->name == name ? &*found : nullptr;
}

std::span<const std::string_view> service_key_names() { return kServiceKeyNames; }

}  // namespace strake::ops::compose
