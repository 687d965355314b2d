#include "kinds/pods/image_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace strake::kinds {
namespace {

TEST(ImageReference, IsLatestWithoutTagAndDigest) {
  for (const char* image :
       {"nginx", "nginx:latest", "library/nginx", "docker.io/nginx", "example.com/nginx",
        "localhost/nginx", "registry:5000/team/app", "registry:5000/team/app:latest",
        "[::1]:5000/app", "Registry/app", "a_b.c/d", "a__b--c/d", "1.2.3.4:5/x"}) {
    EXPECT_TRUE(is_latest_image(image)) << image;
  }
}

TEST(ImageReference, IsNotLatestWithAnotherTagOrADigest) {
  const std::string digits(64, 'a');
  for (const std::string& image : {std::string("nginx:1.2"), std::string("registry:5000/app:v1"),
                                   "app@sha256:" + digits, "app:1@sha256:" + digits}) {
    EXPECT_FALSE(is_latest_image(image)) << image;
  }
  EXPECT_TRUE(is_latest_image("app:latest@sha256:" + digits));
}

TEST(ImageReference, IsNotLatestWhenItIsNoReference) {
  const std::string digits(64, 'a');
  for (const std::string& image : {std::string(),
                                   std::string(" nginx"),
                                   std::string("nginx "),
                                   std::string("Nginx"),
                                   std::string("nginx:"),
                                   std::string("nginx:-x"),
                                   std::string("a//b"),
                                   std::string("/a"),
                                   std::string("a/"),
                                   std::string("a..b"),
                                   std::string("a___b"),
                                   std::string("team/App"),
                                   std::string("host:port/app"),
                                   std::string("[::1/app"),
                                   std::string("[::1]x/app"),
                                   digits,
                                   "app@sha256:" + digits + "a",
                                   std::string("app:latest@sha256:abc"),
                                   "app@md5:" + digits,
                                   std::string("app@"),
                                   std::string(300, 'a'),
                                   "nginx:" + std::string(129, 'a')}) {
    EXPECT_FALSE(is_latest_image(image)) << image;
  }
}

TEST(ImageReference, CountsTheOfficialFolderInTheLongestPath) {
  EXPECT_TRUE(is_latest_image(std::string(247, 'a')));
  EXPECT_FALSE(is_latest_image(std::string(248, 'a')));
  EXPECT_TRUE(is_latest_image("x.io/" + std::string(255, 'a')));
}

}  // namespace
}  // namespace strake::kinds
