#pragma once
// For tests: a law of every build.
#include <gtest/gtest.h>

#include "kustomize/build.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kustomize {

// The objects of a build are what a server reads in its text.
inline void expect_objects_as_printed(const BuildResult& result) {
  for (std::size_t i = 0; i < result.items().size(); ++i) {
    const auto object = result.object(i);
    const auto read = value::read_yaml(result.items()[i].yaml, value::ReadOptions::as_api_server());
    ASSERT_TRUE(object.has_value()) << object.error().to_string();
    ASSERT_TRUE(read.has_value()) << read.error().to_string();
    EXPECT_TRUE(value::identical(object->root(), read->root()))
        << value::to_json(object->root()) << "\n"
        << value::to_json(read->root());
  }
}

}  // namespace strake::kustomize
