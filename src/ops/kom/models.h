#pragma once
// Declared documents as the models that use cases and drivers work with. What the schemas have
// found no fault in is read without another check, but for what a schema cannot say.
#include <vector>

#include "ops/kom/schemas.h"
#include "provider/model/app.h"
#include "provider/model/cluster.h"
#include "value/value.h"

namespace strake::ops {

// Each reads the `spec` of a document and leaves ids and names alone. Faults have paths that begin
// with `spec`.
void read_provider_spec(const value::Value& spec, provider::ProviderEntity& out,
                        std::vector<KomFault>& faults);
void read_cluster_spec(const value::Value& spec, provider::Cluster& out,
                       std::vector<KomFault>& faults);
void read_app_spec(const value::Value& spec, provider::App& out, std::vector<KomFault>& faults);
void read_box_spec(const value::Value& spec, provider::Box& out);

// What a driver is told about a volume or disk.
provider::OptionMap read_options(const value::Value& map, const FieldPath& at,
                                 std::vector<KomFault>& faults);

// The settings of a workspace: drivers do not see them, so they are judged and not kept.
void check_workspace_spec(const value::Value& spec, std::vector<KomFault>& faults);

}  // namespace strake::ops
