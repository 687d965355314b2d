#include "api/flow_control/flow_informer.h"

namespace strake::api {

FlowInformer::FlowInformer(Hub& hub)
    : Informer(hub, {.prefixes = {std::string(kFlowSchemas), std::string(kPriorityLevels)},
                     .read = read_flow_facts,
                     .indexes = {
                         {std::string(kAny),
                          [](const FlowFacts&) { return std::vector<std::string>{std::string()}; }},
                         {std::string(kLevel), [](const FlowFacts& facts) {
                            std::vector<std::string> out;
                            if (const auto* schema = std::get_if<FlowSchemaFacts>(&facts))
                              out.push_back(schema->level);
                            return out;
                          }}}}) {}

}  // namespace strake::api
