#include "server/kept_identity.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace strake::server {
namespace {

namespace fs = std::filesystem;

class KeptIdentity : public ::testing::Test {
 protected:
  KeptIdentity() {
    std::string name = (fs::temp_directory_path() / "strake-keys-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~KeptIdentity() override { fs::remove_all(folder_); }
  Identity get(const std::vector<std::string>& hosts = {"127.0.0.1"}) {
    auto got = kept_identity(folder_ + "/keys", hosts, clock_);
    EXPECT_TRUE(got) << got.error().to_string();
    return got ? *std::move(got) : Identity();
  }
  std::string file() const { return folder_ + "/keys/identity.json"; }

  FakeClock clock_;
  std::string folder_;
};

TEST_F(KeptIdentity, IsTheSameTheNextTime) {
  const Identity first = get();
  const Identity again = get();
  EXPECT_EQ(again.ca_pem, first.ca_pem);
  EXPECT_EQ(again.serving.key_pem.reveal(), first.serving.key_pem.reveal());
  EXPECT_EQ(again.front_proxy_client.certificate_pem, first.front_proxy_client.certificate_pem);
  EXPECT_EQ(again.service_account_key.reveal(), first.service_account_key.reveal());
}

TEST_F(KeptIdentity, IsForItsOwnerAlone) {
  get();
  struct stat about{};
  ASSERT_EQ(::stat(file().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  fs::permissions(folder_ + "/keys", fs::perms::others_read, fs::perm_options::add);
  const auto got = kept_identity(folder_ + "/keys", {"127.0.0.1"}, clock_);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code(), Code::kForbidden);
}

TEST_F(KeptIdentity, IsMadeAnewForOtherHosts) {
  const Identity first = get();
  EXPECT_NE(get({"127.0.0.1", "host.example"}).ca_pem, first.ca_pem);
}

TEST_F(KeptIdentity, IsMadeAnewBeforeItRunsOut) {
  const Identity first = get();
  clock_.advance(std::chrono::hours(24 * 363));
  EXPECT_EQ(get().ca_pem, first.ca_pem);
  clock_.advance(std::chrono::hours(48));
  EXPECT_NE(get().ca_pem, first.ca_pem);
}

TEST_F(KeptIdentity, IsMadeAnewWhenTheFileIsDamaged) {
  const Identity first = get();
  std::ofstream(file(), std::ios::trunc) << R"({"hosts":"127.0.0.1","ca":{"certificate":"x"}})";
  const Identity second = get();
  EXPECT_NE(second.ca_pem, first.ca_pem);
  EXPECT_EQ(get().ca_pem, second.ca_pem);
}

}  // namespace
}  // namespace strake::server
