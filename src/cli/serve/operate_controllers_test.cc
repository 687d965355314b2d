#include "cli/serve/operate_controllers.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

TEST(OperateFlag, IsTakenOutOfTheNamesOfControllers) {
  struct {
    std::vector<std::string> given;
    bool on;
    std::vector<std::string> left;
  } const kCases[] = {
      {{}, false, {}},
      {{"*"}, false, {"*"}},
      {{"operate"}, true, {}},
      {{"*", "operate"}, true, {"*"}},
      {{"-garbage-collector-controller", "operate", "*"},
       true,
       {"-garbage-collector-controller", "*"}},
      {{"*", "-operate"}, false, {"*"}},
      // As for all names, the first one counts.
      {{"-operate", "operate"}, false, {}},
      {{"operate", "-operate"}, true, {}},
      {{"operators"}, false, {"operators"}},
  };
  for (const auto& one : kCases) {
    std::vector<std::string> names = one.given;
    EXPECT_EQ(take_operate(names), one.on);
    EXPECT_EQ(names, one.left);
  }
}

}  // namespace
}  // namespace strake::cli
