#include <fmt/format.h>

#include "ops/compose/reader.h"
#include "ops/compose/tree_builder.h"
#include "value/yaml_writer.h"

namespace strake::ops::compose {
namespace {

// Writes a project with every dollar sign doubled, so that reading it replaces nothing.
class ProjectWriter {
 public:
  explicit ProjectWriter(Arena& arena) : build_(arena) {}

  value::Value write(const Project& project) const {
    const value::Value& root = project.document.root();
    value::Value out = value::Value::object({});
    for (const value::Member& member : root.members()) {
      if (member.key == "version" || member.value.is_null()) continue;
      build_.put(
          out, member.key,
          member.key == "services" ? services(project, member.value) : escaped(member.value));
    }
    return out;
  }

 private:
  value::Value services(const Project& project, const value::Value& written) const {
    value::Value out = value::Value::object({});
    for (const value::Member& member : written.members()) {
      if (member.key.starts_with("x-")) build_.put(out, member.key, escaped(member.value));
      if (const ComposeService* read = project.find(member.key))
        build_.put(out, member.key, service(*read, member.value));
    }
    return out;
  }

  value::Value service(const ComposeService& read, const value::Value& written) const {
    value::Value out = escaped(written);
    const auto replace = [&](std::string_view key, const value::Value& v) {
      if (!written.get(key).is_null()) build_.put(out, key, v);
    };
    if (read.entrypoint) replace("entrypoint", words(*read.entrypoint));
    if (read.command) replace("command", words(*read.command));
    value::Value environment = value::Value::object({});
    for (const auto& [name, text] : read.environment)
      build_.put(environment, name, escaped_text(text));
    replace("environment", environment);
    replace("env_file", all(read.env_files, &ProjectWriter::env_file));
    replace("ports", all(read.ports, &ProjectWriter::port));
    replace("volumes", all(read.volumes, &ProjectWriter::volume));
    replace("configs", all(read.configs, &ProjectWriter::file_use));
    replace("secrets", all(read.secrets, &ProjectWriter::file_use));
    return out;
  }

  template <typename T>
  value::Value all(const std::vector<T>& items,
                   value::Value (ProjectWriter::*one)(const T&) const) const {
    value::Value out = value::Value::array({});
    for (const T& item : items) build_.add(out, (this->*one)(item));
    return out;
  }

  value::Value env_file(const EnvFileUse& use) const {
    value::Value out = build_.map(
        {{"path", escaped_text(use.path)}, {"required", value::Value::boolean(use.required)}});
    if (use.raw) build_.put(out, "format", build_.text("raw"));
    return out;
  }
  value::Value port(const PublishedPort& port) const {
    return build_.map({{"target", value::Value::integer(port.container)},
                       {"published", build_.text(fmt::format("{}", port.host))},
                       {"protocol", build_.text("tcp")}});
  }
  value::Value volume(const VolumeUse& use) const {
    value::Value out =
        build_.map({{"type", build_.text(use.kind == VolumeUse::Kind::kBind ? "bind" : "volume")},
                    {"source", escaped_text(use.source)},
                    {"target", escaped_text(use.target)}});
    if (use.read_only) build_.put(out, "read_only", value::Value::boolean(true));
    if (!use.sub_path.empty())
      build_.put(out, "volume", build_.map({{"subpath", escaped_text(use.sub_path)}}));
    return out;
  }
  value::Value file_use(const FileUse& use) const {
    value::Value out =
        build_.map({{"source", escaped_text(use.source)}, {"target", escaped_text(use.target)}});
    if (use.mode) build_.put(out, "mode", build_.text(fmt::format("0{:o}", *use.mode)));
    return out;
  }

  value::Value words(const std::vector<std::string>& all_words) const {
    value::Value out = value::Value::array({});
    for (const std::string& word : all_words) build_.add(out, escaped_text(word));
    return out;
  }
  value::Value escaped_text(std::string_view text) const {
    return build_.text(escape_dollars(text));
  }
  value::Value escaped(const value::Value& v) const {  // as deep as the reader lets it be
    if (v.is_string()) return escaped_text(v.as_string());
    if (v.is_array()) {
      value::Value out = value::Value::array({});
      for (const value::Value& item : v.items()) build_.add(out, escaped(item));
      return out;
    }
    if (!v.is_object()) return v;
    value::Value out = value::Value::object({});
    for (const value::Member& member : v.members())
      build_.put(out, member.key, escaped(member.value));
    return out;
  }

  TreeBuilder build_;
};

}  // namespace

std::string normalized_compose(const Project& project) {
  Arena arena;
  return value::to_yaml(ProjectWriter(arena).write(project));
}

}  // namespace strake::ops::compose
