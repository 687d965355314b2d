#include "kinds/pods/check_port_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/check_scope.h"

namespace strake::kinds {
namespace {

using value::Value;

struct Port {
  std::int64_t host_port = 0;
  std::string_view host_ip;
  std::string path;
};

// Ports of containers with the same number and protocol. Those that can be at odds with another are
// found by what they have in common.
class PortGroup {
 public:
  void add(Port port, WarningsList& warnings) {
    if (warnings.full()) return;
    std::vector<std::pair<std::size_t, std::string_view>> found;
    const auto note = [&](const std::vector<std::size_t>& ports, std::string_view what) {
      for (const std::size_t i : ports) {
        if (found.size() >= warnings.room()) return;
        found.emplace_back(i, what);
      }
    };
    note(equal_[{port.host_port, port.host_ip}], "duplicate");
    if (port.host_port == 0) {
      note_others(port, found, warnings.room());
    } else {
      note(without_host_port_, "overlapping");
      note(port.host_ip.empty() ? with_ip_[port.host_port] : without_ip_[port.host_port],
           "dangerously ambiguous");
    }
    std::ranges::sort(found);
    for (const auto& [i, what] : found) {
      if (warnings.full()) return;
      warnings.add(fmt::format("{}: {} port definition with {}", port.path, what, ports_[i].path));
    }
    remember(std::move(port));
  }

 private:
  // Any other overlaps with one that has no port of the host.
  void note_others(const Port& port, std::vector<std::pair<std::size_t, std::string_view>>& found,
                   std::size_t most) const {
    for (std::size_t i = 0; i < ports_.size() && found.size() < most; ++i) {
      if (ports_[i].host_port != 0 || ports_[i].host_ip != port.host_ip)
        found.emplace_back(i, "overlapping");
    }
  }

  void remember(Port port) {
    const std::size_t i = ports_.size();
    equal_[{port.host_port, port.host_ip}].push_back(i);
    if (port.host_port == 0) {
      without_host_port_.push_back(i);
    } else {
      (port.host_ip.empty() ? without_ip_ : with_ip_)[port.host_port].push_back(i);
    }
    ports_.push_back(std::move(port));
  }

  std::vector<Port> ports_;
  std::map<std::pair<std::int64_t, std::string_view>, std::vector<std::size_t>> equal_;
  std::vector<std::size_t> without_host_port_;
  std::map<std::int64_t, std::vector<std::size_t>> with_ip_;
  std::map<std::int64_t, std::vector<std::size_t>> without_ip_;
};

// As Go's %+v shows it.
std::string shown(const Value& port) {
  return fmt::format("{{Name:{} HostPort:{} ContainerPort:{} Protocol:{} HostIP:{}}}",
                     value::text_of(port, "name"), integer(port, "hostPort"),
                     integer(port, "containerPort"), value::text_of(port, "protocol"),
                     value::text_of(port, "hostIP"));
}

// Calls for each port of each container with its path.
template <typename Visit>
void visit_ports(const Value& spec, const FieldPath& at, Visit visit) {
  visit_containers(spec, at, [&](const Value& container, const FieldPath& here) {
    const auto ports = items(container, "ports");
    for (std::size_t i = 0; i < ports.size(); ++i) visit(ports[i], (here / "ports" / i).to_k8s());
  });
}

void warn_of_names(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  std::unordered_map<std::string_view, std::string> first;
  visit_ports(spec, at, [&](const Value& port, const std::string& path) {
    const std::string_view name = value::text_of(port, "name");
    if (name.empty()) return;
    const auto [other, fresh] = first.try_emplace(name, path);
    if (fresh) return;
    warnings.add(fmt::format(
        "{}: duplicate port name {} with {}, services and probes that select ports by name will "
        "use {}",
        path, quote(name), other->second, other->second));
  });
}

}  // namespace

void warn_of_ports(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  std::map<std::pair<std::int64_t, std::string_view>, PortGroup> groups;
  visit_ports(spec, at, [&](const Value& port, std::string path) {
    const std::int64_t host_port = integer(port, "hostPort");
    const std::string_view host_ip = value::text_of(port, "hostIP");
    if (!host_ip.empty() && host_port == 0) {
      warnings.add(fmt::format("{}: hostIP set without hostPort: {}", path, shown(port)));
    }
    groups[{integer(port, "containerPort"), value::text_of(port, "protocol")}].add(
        {host_port, host_ip, std::move(path)}, warnings);
  });
  warn_of_names(spec, at, warnings);
}

}  // namespace strake::kinds
