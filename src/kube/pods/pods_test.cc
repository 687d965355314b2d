// Streams of pods through a whole API server and its kubelet, and through one that speaks SPDY
// alone.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/this_coro.hpp>
#include <csignal>
#include <thread>

#include "async/signal.h"
#include "base/owned_fd.h"
#include "kube/own_loop.h"
#include "kube/pods/command_end.h"
#include "kube/pods/descriptors.h"
#include "kube/pods/exec.h"
#include "kube/pods/logs.h"
#include "kube/pods/port_forward.h"
#include "kube/stream/websocket.h"
#include "kube/test_cluster.h"

namespace strake::kube {
namespace {

using ::testing::ElementsAre;
using testing::FakeKubelet;
using ::testing::HasSubstr;
using testing::TestCluster;

class TextInput final : public InputStream {
 public:
  explicit TextInput(std::vector<std::string> parts) : parts_(std::move(parts)) {}
  async::Task<std::string> read() override {
    if (next_ == parts_.size()) co_return std::string();
    co_return parts_[next_++];
  }

 private:
  std::vector<std::string> parts_;
  std::size_t next_ = 0;
};

// A person who says nothing.
class SilentInput final : public InputStream {
 public:
  async::Task<std::string> read() override {
    async::Signal never(co_await boost::asio::this_coro::executor);
    STRAKE_CO_TRY(const bool woken, co_await never.wait(Deadline::never()));
    static_cast<void>(woken);
    co_return std::string();
  }
};

class BrokenInput final : public InputStream {
 public:
  async::Task<std::string> read() override { co_return fail(Code::kIo, "no input"); }
};

class TextOutput final : public OutputStream {
 public:
  Result<> write(std::string_view bytes) override {
    text += bytes;
    if (on_write) return on_write();
    return {};
  }
  std::string text;
  std::function<Result<>()> on_write;
};

class OneSize final : public WindowSizes {
 public:
  async::Task<WindowSize> next() override {
    if (std::exchange(told_, true)) co_return fail(Code::kUnsupported, "it does not change");
    co_return WindowSize{.width = 132, .height = 43};
  }

 private:
  bool told_ = false;
};

PodTarget pod(std::string container = "") {
  return {.namespace_name = "default", .pod = "a", .container = std::move(container)};
}

// Each test runs by WebSocket and by SPDY.
class PodCommand : public ::testing::TestWithParam<bool> {
 protected:
  PodCommand() {
    if (GetParam()) {
      cluster_ = std::make_unique<TestCluster>();
      cluster_->add_pod("a");
      client_.emplace(cluster_->access(), ClientOptions{});
    } else {
      ::setenv("no_proxy", "127.0.0.1", 1);
      old_ = FakeKubelet::old_api_server();
      Access access;
      access.server = old_->url("");
      client_.emplace(std::move(access), ClientOptions{});
    }
  }
  Result<int> run(std::vector<std::string> command, InputStream* input = nullptr) {
    out_.text.clear();
    error_.text.clear();
    return exec(*client_, {.in = pod(),
                           .command = std::move(command),
                           .input = input,
                           .output = &out_,
                           .error = &error_});
  }

  std::unique_ptr<TestCluster> cluster_;
  std::unique_ptr<http::testing::TestServer> old_;
  std::optional<Client> client_;
  TextOutput out_;
  TextOutput error_;
};

INSTANTIATE_TEST_SUITE_P(By, PodCommand, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "WebSocket" : "Spdy"; });

TEST_P(PodCommand, GivesItsOutputAndItsEnd) {
  const Result<int> code = run({"echo", "a b", "&c"});
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(*code, 0);
  EXPECT_EQ(out_.text, "echo a b &c\n");
  EXPECT_EQ(error_.text, "");
}

TEST_P(PodCommand, GivesItsExitCodeAndItsErrors) {
  const Result<int> code = run({"fail", "42"});
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(*code, 42);
  EXPECT_EQ(out_.text, "");
  EXPECT_EQ(error_.text, "it failed\n");
}

TEST_P(PodCommand, ReadsItsInputToTheEnd) {
  const std::string much(300'000, 'x');
  TextInput input({"one ", much, " three"});
  const Result<int> code = run({"cat"}, &input);
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(*code, 0);
  EXPECT_EQ(out_.text, "one " + much + " three");
}

TEST_P(PodCommand, EndsWhileItsInputIsStillOpen) {
  SilentInput input;
  const Result<int> code = run({"hello"}, &input);
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(out_.text, "hello\n");
}

TEST_P(PodCommand, IsToldTheSizeOfTheTerminal) {
  OneSize sizes;
  const Result<int> code = exec(*client_, {.in = pod("c"),
                                           .command = {"size"},
                                           .tty = true,
                                           .output = &out_,
                                           .error = &error_,
                                           .sizes = &sizes});
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(out_.text, R"({"Width":132,"Height":43})");
}

TEST_P(PodCommand, IsAttachedTo) {
  TextInput input({"to the one that runs"});
  const Result<int> code = attach(*client_, {.in = pod(), .input = &input, .output = &out_});
  ASSERT_TRUE(code) << code.error().to_string();
  EXPECT_EQ(out_.text, "to the one that runs");
}

TEST_P(PodCommand, EndsWhenTheCallerGivesUp) {
  CancelSource source;
  const Client mine = client_->within(source.token(), Deadline::never());
  TextInput input({"begun"});
  SilentInput silent;
  out_.on_write = [&] {
    source.cancel();
    return Result<>();
  };
  // The command is under way when it has answered.
  class Both final : public InputStream {
   public:
    Both(InputStream& first, InputStream& then) : first_(first), then_(then) {}
    async::Task<std::string> read() override {
      STRAKE_CO_TRY(std::string out, co_await first_.read());
      if (!out.empty()) co_return out;
      co_return co_await then_.read();
    }

   private:
    InputStream& first_;
    InputStream& then_;
  } both(input, silent);
  const Result<int> code =
      exec(mine, {.in = pod(), .command = {"cat"}, .input = &both, .output = &out_});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code(), Code::kCancelled) << code.error().to_string();
  EXPECT_EQ(out_.text, "begun");
}

TEST_P(PodCommand, EndsAtTheDeadline) {
  const Client mine = client_->within({}, Deadline::after(std::chrono::milliseconds(200)));
  const Result<int> code = exec(mine, {.in = pod(), .command = {"wait"}, .output = &out_});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code(), Code::kTimeout) << code.error().to_string();
}

TEST_P(PodCommand, FailsWithItsStreams) {
  out_.on_write = [] { return Result<>(fail(Code::kIo, "the disk is full")); };
  EXPECT_EQ(run({"hello"}).error().message(), "the disk is full");
  out_.on_write = {};
  BrokenInput input;
  EXPECT_EQ(run({"cat"}, &input).error().message(), "no input");
}

TEST_P(PodCommand, NeedsAStreamAndACommand) {
  EXPECT_EQ(exec(*client_, {.in = pod(), .command = {"ls"}}).error().code(), Code::kUsage);
  EXPECT_EQ(exec(*client_, {.in = pod(), .output = &out_}).error().code(), Code::kUsage);
  EXPECT_EQ(attach(*client_, {.in = pod(), .command = {"ls"}, .output = &out_}).error().code(),
            Code::kUsage);
}

TEST(PodCommandRefusal, IsWhatTheServerSays) {
  TestCluster cluster;
  cluster.add_pod("a");
  const Client client = cluster.client();
  TextOutput out;
  const auto refused = [&](PodTarget in) {
    return exec(client, {.in = std::move(in), .command = {"ls"}, .output = &out}).error();
  };
  PodTarget missing = pod();
  missing.pod = "none";
  EXPECT_EQ(refused(missing).code(), Code::kNotFound);
  EXPECT_THAT(refused(missing).message(), HasSubstr("pods \"none\" not found"));
  EXPECT_THAT(refused(pod("zz")).message(), HasSubstr("container zz is not valid for pod a"));
}

TEST(CommandEnd, IsReadFromItsStatus) {
  EXPECT_EQ(command_end(R"({"status":"Success"})"), 0);
  EXPECT_EQ(command_end(R"({"status":"Failure","reason":"NonZeroExitCode","message":"m","details":)"
                        R"({"causes":[{"reason":"ExitCode","message":"255"}]}})"),
            255);
  EXPECT_EQ(command_end(R"({"status":"Failure","message":"no such program"})").error().message(),
            "no such program");
  for (const char* cause : {"256", "-1", "x", ""}) {
    EXPECT_FALSE(command_end(fmt::format(
        R"({{"status":"Failure","reason":"NonZeroExitCode","details":{{"causes":[{{"reason":"ExitCode","message":"{}"}}]}}}})",
        cause)))
        << cause;
  }
  EXPECT_EQ(command_end("bye").error().code(), Code::kParse);
}

// A server that agrees to WebSocket and then says what the test wants.
Result<int> exec_with_server_that_says(std::string bytes, bool right_accept = true) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  http::testing::TestServer server(
      [&](http::Request request) -> boost::asio::awaitable<http::Response> {
        http::Response out = accept_websocket(request, "v5.channel.k8s.io").value();
        if (!right_accept) out.headers.set("Sec-WebSocket-Accept", "bm90IHRoaXM=");
        out.upgrade =
            [bytes](std::unique_ptr<http::RawStream> stream) -> boost::asio::awaitable<void> {
          static_cast<void>(co_await stream->write(bytes));
          stream->finish_writing();
          static_cast<void>(co_await stream->read());
        };
        co_return out;
      });
  Access access;
  access.server = server.url("");
  TextOutput out;
  return exec(Client(access, {}), {.in = pod(), .command = {"ls"}, .output = &out});
}

TEST(PodCommandServer, IsNotTrustedToKeepToTheProtocol) {
  const auto binary = [](std::string_view payload) {
    return websocket_frame(WebSocketOpcode::kBinary, payload);
  };
  EXPECT_EQ(exec_with_server_that_says(binary("\x03{\"status\":\"Success\"}")).value(), 0);
  EXPECT_EQ(exec_with_server_that_says(binary("\x01half")).error().message(),
            "the connection was closed before the command ended");
  EXPECT_THAT(exec_with_server_that_says("\xC2\x01x").error().message(),
              HasSubstr("a frame has bits of no extension"));
  EXPECT_THAT(exec_with_server_that_says(binary("\x09x")).error().message(),
              HasSubstr("the server speaks of channel 9"));
  EXPECT_EQ(exec_with_server_that_says(binary("\x03" + std::string(70'000, 'x'))).error().code(),
            Code::kLimit);
  EXPECT_THAT(exec_with_server_that_says("", false).error().message(),
              HasSubstr("agreed to a protocol that was not asked for"));
}

TEST(PodLogs, AreReadAsTheyAreAskedFor) {
  TestCluster cluster;
  cluster.add_pod("a");
  TextOutput out;
  const Result<> read = read_log(cluster.client(),
                                 {.of = pod("c"),
                                  .follow = true,
                                  .tail = 200,
                                  .since = std::chrono::seconds(60),
                                  .timestamps = true},
                                 out);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(out.text, "log?follow=true&sinceSeconds=60&tailLines=200&timestamps=true\n");
  EXPECT_EQ(read_log(cluster.client(), {.of = pod("zz")}, out).error().code(), Code::kBadRequest);
  out.on_write = [] { return Result<>(fail(Code::kIo, "nobody reads")); };
  EXPECT_EQ(read_log(cluster.client(), {.of = pod()}, out).error().message(), "nobody reads");
}

// What one connection to a local port gets back; empty when it was closed.
class LocalConnection {
 public:
  explicit LocalConnection(std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  bool connected() const { return connected_; }
  void send(std::string_view text) {
    EXPECT_EQ(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  void finish() { ::shutdown(socket_.get(), SHUT_WR); }
  std::string read(std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) {
      char chunk[4096];
      const ssize_t count =
          ::recv(socket_.get(), chunk, std::min(sizeof(chunk), bytes - out.size()), 0);
      if (count <= 0) break;
      out.append(chunk, static_cast<std::size_t>(count));
    }
    return out;
  }
  std::string read_all() { return read(std::string::npos); }

 private:
  OwnedFd socket_;
  bool connected_ = false;
};

// Works with the ports on a thread of its own, and cancels in the end.
class Visitor final : public ForwardEvents {
 public:
  using Visit = std::function<void(const std::vector<ForwardedPort>& ports)>;
  Visitor(CancelSource& source, Visit visit) : source_(source), visit_(std::move(visit)) {}
  ~Visitor() override {
    if (thread_.joinable()) thread_.join();
  }
  void on_listening(const std::string& address, const std::vector<ForwardedPort>& ports) override {
    EXPECT_EQ(address, "127.0.0.1");
    thread_ = std::thread([this, ports] {
      visit_(ports);
      source_.cancel();
    });
  }
  void on_failure(const ForwardedPort& port, const Error& why) override {
    failures.push_back(fmt::format("{}: {}", port.pod, why.message()));
  }
  std::vector<std::string> failures;

 private:
  CancelSource& source_;
  Visit visit_;
  std::thread thread_;
};

class PortForward : public PodCommand {
 protected:
  Result<> forward(std::vector<ForwardedPort> ports, Visitor::Visit visit) {
    Visitor visitor(source_, std::move(visit));
    const Client mine = client_->within(source_.token(), Deadline::after(std::chrono::minutes(1)));
    Result<> out = forward_ports(
        mine, {.namespace_name = "default", .pod = "a", .ports = std::move(ports)}, visitor);
    failures_ = visitor.failures;
    return out;
  }
  CancelSource source_;
  std::vector<std::string> failures_;
};

INSTANTIATE_TEST_SUITE_P(By, PortForward, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "WebSocket" : "Spdy"; });

TEST_P(PortForward, CarriesManyConnectionsAtATime) {
  const std::string much(500'000, 'y');
  const std::string capitals(much.size(), 'Y');
  const Result<> ended = forward({{.pod = 80}, {.pod = 81}}, [&](const auto& ports) {
    std::vector<std::unique_ptr<LocalConnection>> open;
    for (int i = 0; i < 6; ++i) {
      open.push_back(std::make_unique<LocalConnection>(ports[i % 2].local));
      open.back()->send(fmt::format("hello {}", i));
    }
    for (int i = 5; i >= 0; --i) {
      EXPECT_EQ(open[i]->read(10), fmt::format("{} HELLO {}", 80 + i % 2, i));
      open[i]->finish();
      EXPECT_EQ(open[i]->read_all(), "");
    }
    LocalConnection large(ports[0].local);
    std::thread writer([&] {
      large.send(much);
      large.finish();
    });
    std::string back = large.read_all();
    writer.join();
    for (std::size_t at = 0; (at = back.find("80 ")) != std::string::npos;) back.erase(at, 3);
    EXPECT_TRUE(back == capitals) << back.size();
  });
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), Code::kCancelled) << ended.error().to_string();
  EXPECT_THAT(failures_, ElementsAre());
}

TEST_P(PortForward, TellsOfPortsThatAreClosedAndGoesOn) {
  const Result<> ended = forward({{.pod = 1}, {.pod = 80}}, [&](const auto& ports) {
    LocalConnection closed(ports[0].local);
    EXPECT_EQ(closed.read_all(), "");
    LocalConnection open(ports[1].local);
    open.send("x");
    EXPECT_EQ(open.read(4), "80 X");
  });
  EXPECT_EQ(ended.error().code(), Code::kCancelled);
  EXPECT_THAT(failures_, ElementsAre("1: port 1 is closed"));
}

TEST(PortForwardRefusal, ComesBeforeAnythingListens) {
  TestCluster cluster;
  CancelSource source;
  Visitor visitor(source, [](const auto&) { ADD_FAILURE(); });
  const auto refused = [&](PortForwardRequest request) {
    return forward_ports(cluster.client(), request, visitor).error();
  };
  EXPECT_EQ(refused({.namespace_name = "default", .pod = "none", .ports = {{.pod = 80}}}).code(),
            Code::kNotFound);
  EXPECT_EQ(refused({.namespace_name = "default", .pod = "a"}).code(), Code::kUsage);
  cluster.add_pod("a");
  EXPECT_EQ(
      refused(
          {.namespace_name = "default", .pod = "a", .ports = {{.pod = 80}}, .address = "localhost"})
          .code(),
      Code::kUsage);
  EXPECT_EQ(
      refused(
          {.namespace_name = "default", .pod = "a", .ports = {{.pod = 80}}, .address = "192.0.2.1"})
          .code(),
      Code::kIo);
}

TEST(PortForwardEnd, ComesWhenThePodIsGone) {
  TestCluster cluster;
  cluster.add_pod("a");
  CancelSource source;
  Visitor visitor(source, [&](const std::vector<ForwardedPort>& ports) {
    cluster.server().remove("/api/v1/namespaces/default/pods/a", R"({"gracePeriodSeconds":0})");
    // The first takes the connection that was made before.
    LocalConnection first(ports[0].local);
    LocalConnection second(ports[0].local);
    EXPECT_EQ(second.read_all(), "");
  });
  const Result<> ended = forward_ports(
      cluster.client(), {.namespace_name = "default", .pod = "a", .ports = {{.pod = 80}}}, visitor);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), Code::kNotFound) << ended.error().to_string();
}

TEST(PodStreams, HearCancellationAtEveryCall) {
  const auto set_up = [](TestCluster& cluster) { cluster.add_pod("a"); };
  testing::expect_cancelled_at_every_call(
      set_up, [](TestCluster&, const Client& client) -> Result<> {
        TextOutput out;
        STRAKE_CHECK(read_log(client, {.of = pod()}, out));
        STRAKE_TRY(const int code, exec(client, {.in = pod(), .command = {"ls"}, .output = &out}));
        EXPECT_EQ(code, 0);
        CancelSource done;
        Visitor visitor(done, [](const std::vector<ForwardedPort>& ports) {
          LocalConnection one(ports[0].local);
          LocalConnection two(ports[0].local);
          if (one.connected()) one.send("x");
          if (two.connected()) two.send("x");
          one.finish();
          two.finish();
          static_cast<void>(one.read_all());
          static_cast<void>(two.read_all());
        });
        const Result<> ended = forward_ports(
            client.within(done.token(), Deadline::never()),
            {.namespace_name = "default", .pod = "a", .ports = {{.pod = 80}}}, visitor);
        // Unless it was the visitor who had enough.
        if (!client.check()) return ended;
        EXPECT_EQ(ended.error().code(), Code::kCancelled) << ended.error().to_string();
        return {};
      });
}

TEST(DescriptorStreams, ReadAndWritePipes) {
  int to_input[2];
  int from_output[2];
  ASSERT_EQ(::pipe(to_input), 0);
  ASSERT_EQ(::pipe(from_output), 0);
  const OwnedFd read_end(to_input[0]);
  OwnedFd write_end(to_input[1]);
  const OwnedFd out_read(from_output[0]);
  const OwnedFd out_write(from_output[1]);
  ASSERT_EQ(::write(write_end.get(), "through pipes", 13), 13);
  write_end.close();
  TestCluster cluster;
  cluster.add_pod("a");
  DescriptorInput input(read_end.get());
  DescriptorOutput output(out_write.get(), {});
  const Result<int> code =
      exec(cluster.client(), {.in = pod(), .command = {"cat"}, .input = &input, .output = &output});
  ASSERT_TRUE(code) << code.error().to_string();
  char buffer[64];
  const ssize_t count = ::read(out_read.get(), buffer, sizeof(buffer));
  EXPECT_EQ(std::string_view(buffer, static_cast<std::size_t>(count)), "through pipes");
}

TEST(DescriptorStreams, StopWaitingWhenTheyAreCancelled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const OwnedFd read_end(ends[0]);
  const OwnedFd write_end(ends[1]);
  TestCluster cluster;
  cluster.add_pod("a");
  // Nobody ever writes to the input: the command ends all the same.
  DescriptorInput input(read_end.get());
  TextOutput out;
  EXPECT_TRUE(
      exec(cluster.client(), {.in = pod(), .command = {"ls"}, .input = &input, .output = &out}));
  // Nobody reads the output, which is full at some time.
  CancelSource source;
  DescriptorOutput full(write_end.get(), source.token());
  std::thread canceller([&] {
    pollfd waiting{.fd = write_end.get(), .events = POLLOUT, .revents = 0};
    while (::poll(&waiting, 1, 0) > 0) std::this_thread::yield();
    source.cancel();
  });
  const Result<> written = full.write(std::string(1 << 20, 'x'));
  canceller.join();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Code::kCancelled);
}

// A terminal, as a person would have one.
class Terminal {
 public:
  Terminal() : far_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    EXPECT_EQ(::grantpt(far_.get()), 0);
    EXPECT_EQ(::unlockpt(far_.get()), 0);
    near_ = OwnedFd(::open(::ptsname(far_.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  }
  int descriptor() const { return near_.get(); }
  void resize(std::uint16_t width, std::uint16_t height) {
    const winsize size{.ws_row = height, .ws_col = width, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(::ioctl(far_.get(), TIOCSWINSZ, &size), 0);
  }
  bool echoes() const {
    termios now{};
    EXPECT_EQ(::tcgetattr(near_.get(), &now), 0);
    return (now.c_lflag & ECHO) != 0;
  }

 private:
  OwnedFd far_;
  OwnedFd near_;
};

TEST(Terminals, TellTheirSizeAndWhenItChanges) {
  Terminal terminal;
  terminal.resize(80, 24);
  TerminalSizes sizes(terminal.descriptor());
  std::atomic<bool> done = false;
  OwnLoop loop;
  const auto next = [&] {
    const auto size = loop.run(sizes.next());
    return size ? fmt::format("{}x{}", size->width, size->height) : size.error().message();
  };
  EXPECT_EQ(next(), "80x24");
  terminal.resize(132, 43);
  EXPECT_EQ(next(), "132x43") << "it has changed meanwhile";
  std::thread user([&] {
    // Once it is listened for; before that nothing happens.
    ::kill(::getpid(), SIGWINCH);
    terminal.resize(100, 30);
    while (!done) {
      ::kill(::getpid(), SIGWINCH);
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(next(), "100x30");
  done = true;
  user.join();
  TerminalSizes none(-1);
  EXPECT_EQ(loop.run(none.next()).error().code(), Code::kIo);
}

TEST(Terminals, AreRawAsLongAsACommandHasThem) {
  Terminal terminal;
  ASSERT_TRUE(terminal.echoes());
  {
    const TerminalMode raw(terminal.descriptor());
    EXPECT_FALSE(terminal.echoes());
  }
  EXPECT_TRUE(terminal.echoes());
  const TerminalMode of_no_terminal(-1);
}

}  // namespace
}  // namespace strake::kube
