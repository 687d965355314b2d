#include "base/owned_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace strake {
namespace {

int open_null() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(OwnedFd, ClosesWithItsOwner) {
  const int fd = open_null();
  {
    const OwnedFd owner(fd);
    EXPECT_TRUE(owner);
    EXPECT_EQ(owner.get(), fd);
    EXPECT_TRUE(is_open(fd));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(OwnedFd, IsEmptyWithoutADescriptorAndClosesNothing) {
  OwnedFd none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(OwnedFd(-1));
  EXPECT_TRUE(none.close());
}

TEST(OwnedFd, HandsItsDescriptorOver) {
  const int fd = open_null();
  OwnedFd from(fd);
  const OwnedFd to(std::move(from));
  EXPECT_FALSE(from);  // NOLINT(bugprone-use-after-move): empty by contract
  EXPECT_EQ(to.get(), fd);
  EXPECT_TRUE(is_open(fd));
}

TEST(OwnedFd, ClosesWhatItHeldWhenItIsGivenAnother) {
  const int first = open_null();
  const int second = open_null();
  OwnedFd owner(first);
  owner = OwnedFd(second);
  EXPECT_FALSE(is_open(first));
  EXPECT_TRUE(is_open(second));
  OwnedFd& same = owner;
  owner = std::move(same);
  EXPECT_TRUE(is_open(second));
}

TEST(OwnedFd, ClosesOnceAndSaysWhetherItCould) {
  const int fd = open_null();
  OwnedFd owner(fd);
  EXPECT_TRUE(owner.close());
  EXPECT_FALSE(is_open(fd));
  EXPECT_FALSE(owner);
  OwnedFd closed_by_another(fd);
  EXPECT_FALSE(closed_by_another.close());
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace strake
