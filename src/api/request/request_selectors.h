#pragma once
// What a request is narrowed to by its selectors, for those who authorize by them, as in
// kube-apiserver 1.36: a list of what carries a label may be allowed where a list of everything is
// not. RBAC does not look at them.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "meta/selectors.h"
#include "value/value.h"

namespace strake::api {

struct RequestSelectors {
  std::vector<meta::FieldSelector::Requirement> fields = {};
  std::vector<meta::LabelSelector::Requirement> labels = {};
  // Why some of it could not be read. What could be read still counts: a request that is narrower
  // than what was asked about is allowed all the more.
  std::string field_error = {};
  std::string label_error = {};
};
using RequestSelectorsPtr = std::shared_ptr<const RequestSelectors>;

// Of the texts of a request's parameters. Null when they say nothing.
RequestSelectorsPtr read_selectors(std::string_view fields, std::string_view labels);

// Of the resourceAttributes of an access review: `requirements`, or else `rawSelector`.
RequestSelectorsPtr read_selectors(const value::Value& resource_attributes);

}  // namespace strake::api
