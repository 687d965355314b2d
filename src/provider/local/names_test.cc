#include "provider/local/names.h"

#include <gtest/gtest.h>

namespace strake::provider::local {
namespace {

TEST(LocalNames, EndInTheHashesOfWhatTheyBelongTo) {
  const Names names("ops", "here");
  const Hashes hashes = hashes_of("ops", "here", "one", "shop");
  EXPECT_EQ(names.folder(), "k4x-" + hashes.provider);
  EXPECT_EQ(names.cluster("one"), names.folder() + "_cls_one_" + hashes.cluster);
  EXPECT_EQ(names.disk("shop", "data", "d1"),
            names.folder() + "_disk_shop_data_d1_" + hashes.app_id);
  EXPECT_EQ(names.snapshot("shop", "data", "s1"),
            names.folder() + "_snap_shop_data_s1_" + hashes.app_id);
}

TEST(LocalNames, DifferWhereOwnersDiffer) {
  EXPECT_NE(Names("ops", "here").folder(), Names("ops", "there").folder());
  EXPECT_NE(Names("ops", "here").folder(), Names("(nil)", "here").folder());
}

TEST(LocalNames, StayOneNameOfAFileWhateverIsDeclared) {
  const Names names("ops", "here");
  for (const std::string& name :
       {std::string("../../etc"), std::string(500, 'x'), std::string("a/b\n")}) {
    const std::string cluster = names.cluster(name);
    EXPECT_LT(cluster.size(), 200U);
    EXPECT_FALSE(cluster.contains('/'));
    EXPECT_TRUE(cluster.ends_with(hashes_of("ops", "here", name, "").cluster));
  }
}

TEST(LocalHandles, AreTheNameAndNoPath) {
  EXPECT_EQ(handle_of("k4x-1_disk_a"), "local:k4x-1_disk_a");
  EXPECT_EQ(resource_of(handle_of("k4x-1_disk_a")), "k4x-1_disk_a");
  for (const std::string_view bad :
       {"local:", "local:../x", "local:a/b", "local:.new-a", "k4x-1", ""})
    EXPECT_EQ(resource_of(bad), "") << bad;
}

}  // namespace
}  // namespace strake::provider::local
