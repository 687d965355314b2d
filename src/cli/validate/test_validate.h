#pragma once
// `strake validate` run by tests, in a folder with the CRD of gardens.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/fake_io.h"
#include "validate/test_crd.h"

namespace strake::cli {

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

class Validate : public ::testing::Test {
 protected:
  Validate() : crd_(folder_.write("crds/gardens.yaml", validate::kGardenCrd)) {}

  std::string garden(std::string_view name, std::string_view spec) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    return folder_.write(
        fmt::format("{}.yaml", name),
        fmt::format("apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: {}\nspec:\n{}",
                    last, spec));
  }

  Printed run(std::vector<std::string> args, std::string input = "") {
    FakeWorld world(std::move(input));
    args.insert(args.begin(), "validate");
    const ExitCode code = world.run(args);
    return {code, world.out.text(), world.err.text()};
  }

  TemporaryFolder folder_;
  std::string crd_;
};

}  // namespace strake::cli
