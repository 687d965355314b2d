#pragma once
// Resources for the tests of this module: made of CRDs as a server has them once they are
// established.
#include <initializer_list>
#include <string>
#include <string_view>

#include "kinds/resource.h"
#include "value/value.h"

namespace strake::publish::testing {

// Fills in the status that the server would: all names accepted, these conditions true. Ends the
// test program when the CRD cannot be read.
kinds::ResourcePtr installed(const value::Value& crd,
                             std::initializer_list<std::string_view> conditions = {"NamesAccepted",
                                                                                   "Established"});
kinds::ResourcePtr installed(std::string_view crd_json,
                             std::initializer_list<std::string_view> conditions = {"NamesAccepted",
                                                                                   "Established"});

// A small CRD: widgets, with status and scale where asked for.
std::string widgets_crd(std::string_view group, std::string_view columns_json = "[]");

}  // namespace strake::publish::testing
