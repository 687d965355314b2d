// Real clients, where they are installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "http/test_server.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using namespace strake::http::testing;

bool is_installed(std::string_view program) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0;
}

std::string output_of(const std::string& command) {
  std::string all;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    all.append(buffer.data(), size);
  }
  ::pclose(pipe);
  return all;
}

#define REQUIRE_PROGRAM(name) \
  if (!is_installed(name)) GTEST_SKIP() << name << " is not installed"

boost::asio::awaitable<Response> whoami(Request request) {
  if (request.path == "/large") {
    Response response;
    const auto part = std::make_shared<const std::string>(std::string(1000, 'l'));
    for (int i = 0; i < 3000; ++i) response.body.emplace_back(part);
    co_return response;
  }
  co_return text_response(fmt::format("{} {} version={} body={} peer={}\n", request.method,
                                      request.path, request.version, request.body.size(),
                                      request.peer ? request.peer->common_name : "none"));
}

class Clients : public ::testing::Test {
 protected:
  Clients() : server_(whoami, {}, true) {
    const CertifiedKey client = test_pki().client("real-client", {});
    write("ca.pem", test_pki().authority.certificate_pem);
    write("client.pem", client.certificate_pem);
    write("client.key", client.key_pem.reveal());
  }
  ~Clients() override { std::filesystem::remove_all(folder_); }

  void write(std::string_view name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string file(std::string_view name) const { return (folder_ / name).string(); }
  std::string curl(std::string_view arguments, std::string_view path) const {
    return output_of(fmt::format("curl -sS --noproxy '*' --cacert {} --cert {} --key {} {} {}",
                                 file("ca.pem"), file("client.pem"), file("client.key"), arguments,
                                 server_.url(path)));
  }

  std::filesystem::path folder_ = [] {
    std::string name = (std::filesystem::temp_directory_path() / "strake-http-XXXXXX").string();
    return std::filesystem::path(::mkdtemp(name.data()));
  }();
  TestServer server_;
};

TEST_F(Clients, CurlSpeaksBothVersions) {
  REQUIRE_PROGRAM("curl");
  EXPECT_EQ(curl("--http1.1", "/a"), "GET /a version=11 body=0 peer=real-client\n");
  EXPECT_EQ(curl("--http2", "/a"), "GET /a version=20 body=0 peer=real-client\n");
  EXPECT_EQ(curl("--http1.0", "/a"), "GET /a version=10 body=0 peer=real-client\n");
  EXPECT_EQ(curl("--tlsv1.2 --tls-max 1.2", "/a"), "GET /a version=20 body=0 peer=real-client\n");
}

TEST_F(Clients, CurlSendsBodies) {
  REQUIRE_PROGRAM("curl");
  write("body", std::string(2'500'000, 'b'));
  for (const std::string_view version : {"--http1.1", "--http2"}) {
    const std::string data = fmt::format("{} --data-binary @{}", version, file("body"));
    EXPECT_THAT(curl(data, "/a"), HasSubstr("POST /a")) << version;
    EXPECT_THAT(curl(data, "/a"), HasSubstr("body=2500000")) << version;
    EXPECT_THAT(curl(data + " -H 'Transfer-Encoding: chunked'", "/a"), HasSubstr("body=2500000"));
  }
}

TEST_F(Clients, CurlUnpacksWhatWasCompressed) {
  REQUIRE_PROGRAM("curl");
  for (const std::string_view version : {"--http1.1", "--http2"}) {
    EXPECT_EQ(
        curl(fmt::format("{} --compressed -w ' %{{size_download}}' -o {}", version, file("out")),
             "/large")
            .size(),
        6u)
        << "a few kilobytes on the wire";
    EXPECT_EQ(std::filesystem::file_size(folder_ / "out"), 3'000'000u);
    EXPECT_EQ(curl(std::string(version), "/large").size(), 3'000'000u);
  }
}

TEST_F(Clients, CurlShowsHead) {
  REQUIRE_PROGRAM("curl");
  EXPECT_THAT(curl("--http1.1 -I", "/a"), HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(curl("--http2 -I", "/a"), HasSubstr("HTTP/2 200"));
}

TEST_F(Clients, PythonKeepsItsConnection) {
  REQUIRE_PROGRAM("python3");
  write("client.py", fmt::format(R"(
import http.client, ssl
context = ssl.create_default_context(cafile="{}")
context.load_cert_chain("{}", "{}")
connection = http.client.HTTPSConnection("127.0.0.1", {}, context=context)
for i in range(3):
    connection.request("PUT", "/p%d" % i, body=b"x" * i, headers={{"Content-Type": "text/plain"}})
    print(connection.getresponse().read().decode(), end="")
def parts():
    yield b"abc"
    yield b"defg"
connection.request("POST", "/chunked", body=parts(), encode_chunked=True,
                   headers={{"Transfer-Encoding": "chunked"}})
print(connection.getresponse().read().decode(), end="")
)",
                                 file("ca.pem"), file("client.pem"), file("client.key"),
                                 server_.server().port()));
  EXPECT_EQ(output_of("python3 " + file("client.py")),
            "PUT /p0 version=11 body=0 peer=real-client\n"
            "PUT /p1 version=11 body=1 peer=real-client\n"
            "PUT /p2 version=11 body=2 peer=real-client\n"
            "POST /chunked version=11 body=7 peer=real-client\n");
  EXPECT_EQ(server_.server().stats().requests, 4u);
}

TEST_F(Clients, H2loadGetsAnAnswerToEachRequest) {
  REQUIRE_PROGRAM("h2load");
  for (const std::string_view version : {"--h1", "-m 10"}) {
    const std::string said =
        output_of(fmt::format("h2load {} -n 3000 -c 10 {}", version, server_.url("/a")));
    EXPECT_THAT(said, HasSubstr("3000 succeeded, 0 failed, 0 errored")) << said;
    EXPECT_THAT(said, HasSubstr("3000 2xx")) << said;
  }
}

TEST_F(Clients, NghttpSpeaksHttp2) {
  REQUIRE_PROGRAM("nghttp");
  EXPECT_THAT(output_of("nghttp -m 20 " + server_.url("/a")),
              HasSubstr("GET /a version=20 body=0 peer=none\n"));
}

}  // namespace
}  // namespace strake::http
