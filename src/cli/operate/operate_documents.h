#pragma once
// What operate prints of providers, and what people write for them: node pools, disks, snapshots.
#include <string>
#include <string_view>

#include "cli/operate/ordered_json.h"
#include "provider/failure.h"
#include "provider/model/node_pool.h"
#include "provider/model/volume.h"

namespace strake::cli {

// YAML or JSON: name, providerName, mode, labels, zones, instanceType, osDiskType, osDiskSizeGiB,
// priority, autoscaling {enabled, min, max, desired}, extensions. What is absent stays unset.
// `status` may be there, as in what the list prints, and is not read. Fails with kValidation,
// naming `file` and the field.
provider::Outcome<provider::NodePool> read_node_pool(std::string_view text,
                                                     const std::string& file);

// The same keys in the same order, and the status; what is unset is left out.
void write_node_pool(const provider::NodePool& pool, OrderedJson& out);

void write_disk(const provider::Disk& disk, OrderedJson& out);
void write_snapshot(const provider::Snapshot& snapshot, OrderedJson& out);

// An object of texts, numbers and booleans, in JSON. Empty text is no option. Fails with
// kValidation.
provider::Outcome<provider::OptionMap> read_options(std::string_view json);

}  // namespace strake::cli
