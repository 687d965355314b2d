#pragma once
// The flow schemas and priority levels that every server has, and what the kinds of fair use share.
// Two of each are mandatory: their content is fixed. The others are suggested.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "value/document.h"
#include "value/field_error.h"

namespace strake::kinds {

inline constexpr std::string_view kFlowControlGroup = "flowcontrol.apiserver.k8s.io";
inline constexpr std::string_view kAutoUpdateSpec = "apf.kubernetes.io/autoupdate-spec";
// Of the mandatory ones, for flow schemas and priority levels alike.
inline constexpr std::string_view kExemptName = "exempt";
inline constexpr std::string_view kCatchAllName = "catch-all";

struct DefaultFlowObject {
  std::string_view plural;  // "flowschemas" or "prioritylevelconfigurations"
  std::string_view name;
  bool mandatory = false;
  value::Document document;  // the whole object, with the defaults of its kind
};
// As kube-apiserver 1.36.4 makes them: priority levels first. Made on first use, kept for good.
const std::vector<DefaultFlowObject>& default_flow_objects();
// The spec of a mandatory object; null for all others.
const value::Value* mandatory_flow_spec(std::string_view plural, std::string_view name);

// {type, status, ...} of a status: no type twice, and none empty.
void check_flow_conditions(const value::Value& object, value::FieldErrors& errors);

// How many bits of a hash it takes to deal `hand` cards from a deck, and how many there are
// (kube-apiserver 1.36: sixty, so that the last card is still dealt evenly).
int entropy_bits(std::int64_t deck, std::int64_t hand);
inline constexpr int kMostEntropyBits = 60;

}  // namespace strake::kinds
