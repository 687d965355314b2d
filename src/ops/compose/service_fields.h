#pragma once
// The values of single keys of a service, in each form that the Compose specification gives them.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/interpolate.h"
#include "ops/compose/node.h"
#include "ops/compose/project.h"

namespace strake::ops::compose {

// A text, divided as a shell would, or a list.
Result<std::vector<std::string>> read_command(const Node& node);
// A mapping, or a list of NAME=value. A name without a value has that of the environment, and is
// left out when there is none.
Result<std::map<std::string, std::string, std::less<>>> read_environment(
    const Node& node, const Environment& environment);
// A text, a list of texts, or a list of {path, required, format}.
Result<std::vector<EnvFileUse>> read_env_files(const Node& node);
// "host:container" or {target, published}.
Result<std::vector<PublishedPort>> read_ports(const Node& node);
// "source:target[:options]" or {type, source, target, ...}.
Result<std::vector<VolumeUse>> read_volume_uses(const Node& node);
// Names or {source, target, mode}. A target that is not absolute, or none, is below `folder`.
Result<std::vector<FileUse>> read_file_uses(const Node& node, std::string_view folder);
// The amounts of x-kompox.
Result<> read_resources(const Node& x_kompox, ComposeService& service);

// A path inside a container: absolute, without . and .. and double slashes.
Result<std::string> read_target(const Node& node, std::string_view text);

}  // namespace strake::ops::compose
