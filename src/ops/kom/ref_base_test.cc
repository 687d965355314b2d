#include "ops/kom/ref_base.h"

#include <gtest/gtest.h>

namespace strake::ops {
namespace {

TEST(RefBase, IsTheFolderOfTheFileThatDeclaresTheApp) {
  EXPECT_EQ(ref_base_of_file("/site/shop/kompoxapp.yml"), "file:///site/shop/");
  EXPECT_EQ(ref_base_of_file("/kompoxapp.yml"), "file:///");
}

}  // namespace
}  // namespace strake::ops
