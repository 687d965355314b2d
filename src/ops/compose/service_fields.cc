#include "ops/compose/service_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "meta/names.h"
#include "ops/compose/shell_words.h"

namespace strake::ops::compose {
namespace {

constexpr std::int64_t kMaxMode = 0777;

Result<> add_variable(const Node& at, std::string_view name, std::optional<std::string> value,
                      const Environment& environment,
                      std::map<std::string, std::string, std::less<>>& out) {
  // What the API takes for the name of a variable.
  const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
    return c >= 0x20 && c < 0x7f && c != '=';
  });
  if (!good)
    return at.wrong(
        "the name of a variable has printable ASCII characters other than =, and at "
        "least one");
  if (!value) {
    const auto found = environment.find(name);
    if (found == environment.end()) return out.erase(std::string(name)), Result<>();
    value = found->second;
  }
  out.insert_or_assign(std::string(name), std::move(*value));
  return {};
}

Result<EnvFileUse> read_env_file(const Node& node) {
  EnvFileUse use{.path = {}, .at = node.at};
  if (!node.value->is_object()) {
    STRAKE_TRY(use.path, node.text());
  } else {
    constexpr std::string_view kKeys[] = {"format", "path", "required"};
    STRAKE_CHECK(node.check_keys(kKeys));
    if (const auto path = node.find("path")) {
      STRAKE_TRY(use.path, path->text());
    }
    if (const auto required = node.find("required")) {
      STRAKE_TRY(use.required, required->boolean());
    }
    if (const auto format = node.find("format")) {
      STRAKE_TRY(const std::string text, format->text());
      if (text != "raw") return format->wrong("must be raw, or left out, got {}", text);
      use.raw = true;
    }
  }
  if (use.path.empty()) return node.wrong("the path of a file is missing");
  return use;
}

Result<std::int64_t> port_number(const Node& node, std::string_view text, std::string_view what) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size())
    return node.wrong("the {} port must be one number, got \"{}\"", what, text);
  if (!meta::check_port(number).empty())
    return node.wrong("the {} port must be 1 to 65535, got {}", what, number);
  return number;
}

constexpr std::string_view kPortForm = "a port is written \"host:container\"";

Result<PublishedPort> read_short_port(const Node& node) {
  STRAKE_TRY(const std::string text, node.scalar());
  std::string_view rest = text;
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    if (rest.substr(slash + 1) != "tcp")
      return node.wrong("only TCP ports are published, got \"{}\"", text);
    rest = rest.substr(0, slash);
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos)
    return node.wrong("{}, got \"{}\" without a host port", kPortForm, text);
  if (rest.find(':', colon + 1) != std::string_view::npos)
    return node.wrong("{}, got \"{}\" with an address", kPortForm, text);
  PublishedPort port{.at = node.at};
  STRAKE_TRY(port.host, port_number(node, rest.substr(0, colon), "host"));
  STRAKE_TRY(port.container, port_number(node, rest.substr(colon + 1), "container"));
  return port;
}

Result<PublishedPort> read_long_port(const Node& node) {
  constexpr std::string_view kKeys[] = {"app_protocol", "host_ip",   "mode",  "name",
                                        "protocol",     "published", "target"};
  STRAKE_CHECK(node.check_keys(kKeys));
  if (const auto address = node.find("host_ip"))
    return address->wrong("a port cannot be bound to an address of the host");
  if (const auto protocol = node.find("protocol")) {
    STRAKE_TRY(const std::string text, protocol->text());
    if (text != "tcp") return protocol->wrong("only TCP ports are published, got \"{}\"", text);
  }
  const auto target = node.find("target");
  const auto published = node.find("published");
  if (!target || !published)
    return node.wrong("{}: target and published are both wanted", kPortForm);
  PublishedPort port{.at = node.at};
  STRAKE_TRY(const std::string container, target->scalar());
  STRAKE_TRY(port.container, port_number(*target, container, "container"));
  STRAKE_TRY(const std::string host, published->scalar());
  STRAKE_TRY(port.host, port_number(*published, host, "host"));
  return port;
}

bool is_bind_source(std::string_view source) {
  return source.starts_with('.') || source.starts_with('/') || source.starts_with('~');
}

Result<VolumeUse> read_short_volume(const Node& node) {
  STRAKE_TRY(const std::string text, node.text());
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    return node.wrong("a volume without a source is not kept: write \"<volume>:{}\"", text);
  const std::size_t second = text.find(':', colon + 1);
  VolumeUse use{.source = text.substr(0, colon), .sub_path = {}, .target = {}, .at = node.at};
  if (use.source.empty()) return node.wrong("the source of a volume is missing");
  use.kind = is_bind_source(use.source) ? VolumeUse::Kind::kBind : VolumeUse::Kind::kVolume;
  STRAKE_TRY(use.target,
             read_target(node, std::string_view(text).substr(colon + 1, second == std::string::npos
                                                                            ? std::string::npos
                                                                            : second - colon - 1)));
  if (second == std::string::npos) return use;
  // Those of SELinux and of Docker's own caches have no effect.
  constexpr std::string_view kNoEffect[] = {"rw",         "z",         "Z",     "nocopy",
                                            "consistent", "delegated", "cached"};
  std::string_view options = std::string_view(text).substr(second + 1);
  while (true) {
    const std::size_t comma = options.find(',');
    const std::string_view option = options.substr(0, comma);
    if (option == "ro") {
      use.read_only = true;
    } else if (std::ranges::find(kNoEffect, option) == std::end(kNoEffect)) {
      return node.wrong(
          "unknown option \"{}\" of a volume: one of ro, rw, z, Z, nocopy, "
          "consistent, delegated, cached",
          option);
    }
    if (comma == std::string_view::npos) return use;
    options.remove_prefix(comma + 1);
  }
}

Result<VolumeUse> read_long_volume(const Node& node) {
  constexpr std::string_view kKeys[] = {"bind",   "consistency", "image", "read_only", "source",
                                        "target", "tmpfs",       "type",  "volume"};
  STRAKE_CHECK(node.check_keys(kKeys));
  VolumeUse use{.source = {}, .sub_path = {}, .target = {}, .at = node.at};
  const auto type = node.find("type");
  if (!type) return node.wrong("type is missing: volume or bind");
  STRAKE_TRY(const std::string kind, type->text());
  if (kind != "volume" && kind != "bind")
    return type->wrong("unsupported volume type \"{}\": volume or bind", kind);
  use.kind = kind == "bind" ? VolumeUse::Kind::kBind : VolumeUse::Kind::kVolume;
  if (const auto source = node.find("source")) {
    STRAKE_TRY(use.source, source->text());
  }
  if (use.source.empty()) return node.wrong("source is missing");
  const auto target = node.find("target");
  if (!target) return node.wrong("target is missing");
  STRAKE_TRY(const std::string path, target->text());
  STRAKE_TRY(use.target, read_target(*target, path));
  if (const auto read_only = node.find("read_only")) {
    STRAKE_TRY(use.read_only, read_only->boolean());
  }
  if (const auto volume = node.find("volume")) {
    constexpr std::string_view kVolumeKeys[] = {"labels", "nocopy", "subpath"};
    STRAKE_CHECK(volume->check_keys(kVolumeKeys));
    if (const auto sub_path = volume->find("subpath")) {
      STRAKE_TRY(use.sub_path, sub_path->text());
      if (use.kind == VolumeUse::Kind::kBind)
        return sub_path->wrong("a bind has no subpath of a volume");
    }
  }
  return use;
}

Result<std::int64_t> read_mode(const Node& node) {
  std::int64_t mode = 0;
  if (node.value->is_string()) {
    const std::string_view text = node.value->as_string();
    const std::size_t prefix = text.starts_with("0o") ? 2 : 0;
    const auto [end, fault] =
        std::from_chars(text.data() + prefix, text.data() + text.size(), mode, 8);
    if (fault != std::errc() || end != text.data() + text.size() || text.size() == prefix)
      return node.wrong("a mode is an octal number such as 0444, got \"{}\"", text);
  } else {
    STRAKE_TRY(mode, node.integer());
  }
  if (mode < 0 || mode > kMaxMode)
    return node.wrong("a mode is 0 to 0777, got {} (octal 0{:o})", mode, mode < 0 ? 0 : mode);
  return mode;
}

Result<FileUse> read_file_use(const Node& node, std::string_view folder) {
  FileUse use{.source = {}, .target = {}, .mode = {}, .at = node.at};
  std::optional<Node> target;
  if (!node.value->is_object()) {
    STRAKE_TRY(use.source, node.text());
  } else {
    constexpr std::string_view kKeys[] = {"gid", "mode", "source", "target", "uid"};
    STRAKE_CHECK(node.check_keys(kKeys));
    if (const auto source = node.find("source")) {
      STRAKE_TRY(use.source, source->text());
    }
    target = node.find("target");
    if (const auto mode = node.find("mode")) {
      STRAKE_TRY(use.mode, read_mode(*mode));
    }
  }
  if (use.source.empty()) return node.wrong("source is missing");
  std::string path = use.source;
  if (target) {
    STRAKE_TRY(path, target->text());
  }
  if (!path.starts_with('/')) path = fmt::format("{}/{}", folder, path);
  STRAKE_TRY(use.target, read_target(target ? *target : node, path));
  return use;
}

Result<ResourceAmounts> read_amounts(const Node& node) {
  constexpr std::string_view kKeys[] = {"cpu", "memory"};
  STRAKE_CHECK(node.check_keys(kKeys));
  ResourceAmounts amounts;
  for (const std::string_view key : kKeys) {
    const auto found = node.find(key);
    if (!found) continue;
    STRAKE_TRY(const std::string text, found->scalar());
    Result<Quantity> amount = Quantity::parse(text);
    if (!amount) return found->wrong(std::move(amount).error());
    if (amount->sign() < 0) return found->wrong("must not be negative, got {}", text);
    (key == "cpu" ? amounts.cpu : amounts.memory) = *std::move(amount);
  }
  return amounts;
}

}  // namespace

Result<std::vector<std::string>> read_command(const Node& node) {
  if (node.value->is_string()) {
    auto words = split_command(node.value->as_string());
    if (!words) return node.wrong(std::move(words).error());
    return words;
  }
  if (!node.value->is_array()) return node.not_a("a string or a list of strings");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    STRAKE_TRY(std::string word, node.item(i).text());
    words.push_back(std::move(word));
  }
  return words;
}

Result<std::map<std::string, std::string, std::less<>>> read_environment(
    const Node& node, const Environment& environment) {
  std::map<std::string, std::string, std::less<>> out;
  if (node.value->is_object()) {
    for (std::size_t i = 0; i < node.value->size(); ++i) {
      const Node member = node.member(i);
      std::optional<std::string> text;
      if (!member.value->is_null()) {
        STRAKE_TRY(text, member.scalar());
      }
      STRAKE_CHECK(
          add_variable(member, node.value->members()[i].key, std::move(text), environment, out));
    }
    return out;
  }
  if (!node.value->is_array()) return node.not_a("a mapping or a list of NAME=value");
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node item = node.item(i);
    STRAKE_TRY(const std::string text, item.text());
    const std::size_t equals = text.find('=');
    std::optional<std::string> value;
    if (equals != std::string::npos) value = text.substr(equals + 1);
    STRAKE_CHECK(add_variable(item, std::string_view(text).substr(0, equals), std::move(value),
                              environment, out));
  }
  return out;
}

Result<std::vector<EnvFileUse>> read_env_files(const Node& node) {
  std::vector<EnvFileUse> uses;
  if (!node.value->is_array()) {
    STRAKE_TRY(EnvFileUse use, read_env_file(node));
    uses.push_back(std::move(use));
    return uses;
  }
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    STRAKE_TRY(EnvFileUse use, read_env_file(node.item(i)));
    uses.push_back(std::move(use));
  }
  return uses;
}

Result<std::vector<PublishedPort>> read_ports(const Node& node) {
  STRAKE_CHECK(node.check_list());
  std::vector<PublishedPort> ports;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node item = node.item(i);
    STRAKE_TRY(PublishedPort port,
               item.value->is_object() ? read_long_port(item) : read_short_port(item));
    ports.push_back(port);
  }
  return ports;
}

Result<std::vector<VolumeUse>> read_volume_uses(const Node& node) {
  STRAKE_CHECK(node.check_list());
  std::vector<VolumeUse> uses;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node item = node.item(i);
    STRAKE_TRY(VolumeUse use,
               item.value->is_object() ? read_long_volume(item) : read_short_volume(item));
    uses.push_back(std::move(use));
  }
  return uses;
}

Result<std::vector<FileUse>> read_file_uses(const Node& node, std::string_view folder) {
  STRAKE_CHECK(node.check_list());
  std::vector<FileUse> uses;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    STRAKE_TRY(FileUse use, read_file_use(node.item(i), folder));
    uses.push_back(std::move(use));
  }
  return uses;
}

Result<> read_resources(const Node& x_kompox, ComposeService& service) {
  constexpr std::string_view kKeys[] = {"limits", "resources"};
  STRAKE_CHECK(x_kompox.check_keys(kKeys));
  if (const auto resources = x_kompox.find("resources")) {
    STRAKE_TRY(service.requests, read_amounts(*resources));
  }
  if (const auto limits = x_kompox.find("limits")) {
    STRAKE_TRY(service.limits, read_amounts(*limits));
  }
  const auto over = [](const std::optional<Quantity>& request,
                       const std::optional<Quantity>& limit) {
    return request && limit && *request > *limit;
  };
  if (over(service.requests.cpu, service.limits.cpu))
    return x_kompox.wrong("resources.cpu is more than limits.cpu");
  if (over(service.requests.memory, service.limits.memory))
    return x_kompox.wrong("resources.memory is more than limits.memory");
  return {};
}

Result<std::string> read_target(const Node& node, std::string_view text) {
  if (!text.starts_with('/'))
    return node.wrong("the target in the container must be absolute, got \"{}\"", text);
  // The API has no way to write either in a mount.
  if (text.find(':') != std::string_view::npos || text.find('\0') != std::string_view::npos)
    return node.wrong("the target in the container must not have a colon or a NUL character");
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") return node.wrong("the target must not lead through .., got \"{}\"", text);
    out += '/';
    out += part;
  }
  if (out.empty()) return node.wrong("the target must not be the root of the container");
  return out;
}

}  // namespace strake::ops::compose
