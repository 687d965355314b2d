#pragma once
// A Compose document as the conversion sees it: what has an effect, with variables replaced. Read
// by read_project() (reader.h). Values in here may be secrets: nothing in here is for a log.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/position.h"
#include "base/quantity.h"
#include "value/document.h"

namespace strake::ops::compose {

struct PublishedPort {
  std::int64_t host = 0;
  std::int64_t container = 0;
  Position at;
};

struct VolumeUse {
  enum class Kind : std::uint8_t { kBind, kVolume };
  Kind kind = Kind::kVolume;
  std::string source;    // as it is written: "./data", "name", "name/sub/path"
  std::string sub_path;  // of the long form's volume.subpath
  std::string target;    // absolute and cleaned
  bool read_only = false;
  Position at;
};

// A config or a secret in a service.
struct FileUse {
  std::string source;
  std::string target;  // absolute and cleaned, the default filled in
  std::optional<std::int64_t> mode;
  Position at;
};

struct EnvFileUse {
  std::string path;
  bool required = true;
  bool raw = false;  // quotes mean nothing in it
  Position at;
};

struct ResourceAmounts {
  std::optional<Quantity> cpu;
  std::optional<Quantity> memory;
  bool empty() const { return !cpu && !memory; }
};

struct ComposeService {
  std::string name;
  std::string image;
  std::optional<std::vector<std::string>> entrypoint;
  std::optional<std::vector<std::string>> command;
  std::map<std::string, std::string, std::less<>> environment;
  std::vector<EnvFileUse> env_files;
  std::vector<PublishedPort> ports;
  std::vector<VolumeUse> volumes;
  std::vector<FileUse> configs;
  std::vector<FileUse> secrets;
  ResourceAmounts requests;
  ResourceAmounts limits;
  std::string shares_network_of;  // of "network_mode: service:<name>"
  Position at;                    // of its name
};

// A config or a secret at the top level. One of `file` and `content` is what it holds.
struct FileDefinition {
  std::string file;
  std::optional<std::string> content;
  Position at;
};

struct Project {
  std::string source_name;               // of the document, for messages
  std::vector<ComposeService> services;  // by name; those of profiles are left out
  std::map<std::string, FileDefinition, std::less<>> configs;
  std::map<std::string, FileDefinition, std::less<>> secrets;
  // What is accepted but has no effect, each with its place: "compose.yml:4:5: ...".
  std::vector<std::string> warnings;
  // The whole document, variables replaced, merge keys and anchors expanded.
  value::Document document;

  const ComposeService* find(std::string_view service) const;
  // "compose.yml:4:5" for messages about what has no error of its own.
  std::string place(const Position& at) const;
};

}  // namespace strake::ops::compose
