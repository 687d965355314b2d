// The start of a server: what it finds again, and the folders and options that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "http/fetch.h"
#include "server/data_dir.h"
#include "server/server.h"
#include "server/temporary_folder.h"

namespace strake::server {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

class StartTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    log::configure({.level = log::Level::kOff});
    write("tokens", "one,jane,1,system:masters\n");
  }
  void TearDown() override { log::configure({}); }

  Options options() const {
    Options out;
    out.data_dir = folder_.file("data");
    out.port = 0;
    out.io_threads = 1;
    out.drain_timeout = std::chrono::seconds(1);
    out.token_file = folder_.file("tokens");
    return out;
  }
  void write(std::string_view name, std::string_view content) const {
    std::ofstream(folder_.file(name), std::ios::binary | std::ios::trunc) << content;
  }
  static http::FetchResponse ask(const Server& server, std::string_view path,
                                 std::string_view method = "GET", std::string_view body = "") {
    http::FetchRequest request{.url = server.url() + std::string(path),
                               .method = std::string(method)};
    request.insecure = true;
    request.bearer_token = Secret("one");
    request.body = std::string(body);
    if (!body.empty()) request.headers.add("Content-Type", "application/json");
    auto answered = http::fetch(request);
    EXPECT_TRUE(answered) << answered.error().to_string();
    return answered ? *std::move(answered) : http::FetchResponse();
  }
  static Error failure(Options options) {
    const auto started = Server::start(std::move(options));
    EXPECT_FALSE(started);
    return started ? Error(Code::kInternal, "it started") : started.error();
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
};

TEST_F(StartTest, FindsEverythingAgain) {
  std::string ca;
  std::string made;
  {
    const auto first = Server::start(options());
    ASSERT_TRUE(first) << first.error().to_string();
    EXPECT_EQ(ask(**first, kMaps, "POST", R"({"metadata":{"name":"a"},"data":{"k":"v"}})").status,
              201);
    made = ask(**first, std::string(kMaps) + "/a").body;
    ca = read_file(folder_.file("data/pki/ca.crt")).value();
    ASSERT_TRUE((*first)->stop());
  }
  const auto second = Server::start(options());
  ASSERT_TRUE(second) << second.error().to_string();
  EXPECT_EQ(ask(**second, std::string(kMaps) + "/a").body, made);
  EXPECT_EQ(read_file(folder_.file("data/pki/ca.crt")).value(), ca);
}

TEST_F(StartTest, HasTheFolderToItself) {
  const auto first = Server::start(options());
  ASSERT_TRUE(first) << first.error().to_string();
  EXPECT_THAT(failure(options()).to_string(), HasSubstr("data"));
  EXPECT_EQ(ask(**first, "/readyz").status, 200);
}

TEST_F(StartTest, RefusesAStoreThatIsNone) {
  ASSERT_TRUE(DataDir::open(folder_.file("data")));
  const std::string junk(8192, 'j');
  write("data/strake.db", junk);
  const Error error = failure(options());
  EXPECT_THAT(error.to_string(), HasSubstr("strake.db"));
  // What was there is left to whoever knows what it is.
  EXPECT_EQ(read_file(folder_.file("data/strake.db")).value(), junk);
}

TEST_F(StartTest, RefusesAStoreWhosePagesAreDamaged) {
  {
    const auto first = Server::start(options());
    ASSERT_TRUE(first) << first.error().to_string();
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(ask(**first, kMaps, "POST",
                    R"({"metadata":{"name":"m)" + std::to_string(i) + R"("},"data":{"k":")" +
                        std::string(2000, 'x') + "\"}}")
                    .status,
                201);
    }
    ASSERT_TRUE((*first)->stop());
  }
  const std::string path = folder_.file("data/strake.db");
  std::string bytes = read_file(path).value();
  ASSERT_GT(bytes.size(), 40'000u);
  for (std::size_t at = 8'192; at < bytes.size(); ++at)
    bytes[at] = static_cast<char>(bytes[at] ^ 0x5a);
  write("data/strake.db", bytes);
  EXPECT_THAT(failure(options()).to_string(), HasSubstr("strake.db"));
}

TEST_F(StartTest, RefusesKeysThatAreNone) {
  {
    const auto first = Server::start(options());
    ASSERT_TRUE(first) << first.error().to_string();
  }
  const std::string key = read_file(folder_.file("data/pki/ca.key")).value();
  write("data/pki/ca.key", "no key");
  EXPECT_THAT(failure(options()).to_string(), HasSubstr("not a PEM private key"));
  write("data/pki/ca.key", key);
  EXPECT_TRUE(Server::start(options()));
}

TEST_F(StartTest, RefusesAFileInThePlaceOfTheFolder) {
  write("data", "a file");
  EXPECT_THAT(failure(options()).to_string(), HasSubstr(folder_.file("data")));
}

TEST_F(StartTest, RefusesOptionsThatDoNotGoTogether) {
  Options nowhere = options();
  nowhere.data_dir.clear();
  EXPECT_EQ(failure(nowhere).code(), Code::kUsage);
  Options half = options();
  half.tls_certificate_file = folder_.file("tokens");
  const Error error = failure(half);
  EXPECT_EQ(error.code(), Code::kUsage);
  EXPECT_THAT(error.to_string(), HasSubstr("a certificate and its key must be given together"));
}

TEST_F(StartTest, NamesTheFileThatCannotBeRead) {
  Options no_tokens = options();
  no_tokens.token_file = folder_.file("none");
  EXPECT_THAT(failure(no_tokens).to_string(), HasSubstr(folder_.file("none")));
  Options bad_tokens = options();
  write("bad", "sesame\n");
  bad_tokens.token_file = folder_.file("bad");
  const std::string said = failure(bad_tokens).to_string();
  EXPECT_THAT(said, HasSubstr("want token,user,uid"));
  EXPECT_EQ(said.find("sesame"), std::string::npos);
}

TEST_F(StartTest, RefusesAPortThatIsTaken) {
  const auto first = Server::start(options());
  ASSERT_TRUE(first) << first.error().to_string();
  Options second = options();
  second.data_dir = folder_.file("other");
  second.port = static_cast<std::uint16_t>(
      std::stoul((*first)->url().substr((*first)->url().rfind(':') + 1)));
  EXPECT_THAT(failure(second).to_string(), HasSubstr(std::to_string(second.port)));
  EXPECT_EQ(ask(**first, "/readyz").status, 200);
}

}  // namespace
}  // namespace strake::server
