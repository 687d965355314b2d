// The client against servers that do it wrong: each says exactly what the test tells it, and the
// client must tell what it was, keep to its limits, and work on.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/assert.h"
#include "http/test_http_client.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using namespace strake::http::testing;
using namespace std::string_view_literals;
using std::chrono::milliseconds;

// One accepted connection, in the hands of a script.
class Peer {
 public:
  explicit Peer(int socket) : socket_(socket) {}
  ~Peer() { close(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  // What comes until the mark, or the end, or ten seconds of nothing.
  std::string read_until(std::string_view mark) {
    std::string all;
    while (mark.empty() || all.find(mark) == std::string::npos) {
      pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
      char buffer[4096];
      if (::poll(&ready, 1, 10'000) <= 0) break;
      const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
      if (size <= 0) break;
      all.append(buffer, static_cast<std::size_t>(size));
    }
    return all;
  }
  std::string read_some() {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    char buffer[65536];
    if (::poll(&ready, 1, 10'000) <= 0) return {};
    const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
    return size <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(size));
  }
  std::string read_exactly(std::size_t size) {
    std::string all(size, '\0');
    const ssize_t got = ::recv(socket_, all.data(), size, MSG_WAITALL);
    all.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return all;
  }
  void finish() { ::shutdown(socket_, SHUT_WR); }
  // HTTP/2: the preface, and frames up to the first with headers.
  void read_h2_head() {
    read_exactly(24);
    while (true) {
      const std::string head = read_exactly(9);
      if (head.size() < 9) return;
      const auto byte = [&head](std::size_t i) { return static_cast<unsigned char>(head[i]); };
      read_exactly((byte(0) << 16U) + (byte(1) << 8U) + byte(2));
      if (byte(3) == 1) return;
    }
  }
  std::string read_head() { return read_until("\r\n\r\n"); }
  void reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close();
  }
  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

 private:
  int socket_;
};

// Runs the script for each connection, one after the other.
class ScriptedServer {
 public:
  using Script = std::function<void(Peer&, int)>;  // and the number of the connection, from 1
  explicit ScriptedServer(Script script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    STRAKE_ASSERT(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
    STRAKE_ASSERT(::listen(listener_, 64) == 0);
    socklen_t size = sizeof(address);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] {
      for (int count = 1;; ++count) {
        const int socket = ::accept(listener_, nullptr, nullptr);
        if (socket < 0 || stopped_) {
          if (socket >= 0) ::close(socket);
          break;
        }
        connections_ = count;
        Peer peer(socket);
        current_ = socket;
        if (!stopped_) script_(peer, count);
        current_ = -1;
      }
    });
  }
  ~ScriptedServer() {
    stopped_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    // A script that waits for more waits no longer.
    if (const int socket = current_; socket >= 0) ::shutdown(socket, SHUT_RD);
    thread_.join();
    ::close(listener_);
  }

  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }

 private:
  Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> connections_ = 0;
  std::atomic<int> current_ = -1;
  std::thread thread_;
};

constexpr std::string_view kFine = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine";

class FaultyH1 : public HttpClient {
 protected:
  // What one answer, and then the end of the connection, look like to the client.
  Reply answered(std::string_view bytes, ClientRequest request = {}) {
    ScriptedServer server([bytes](Peer& peer, int) {
      peer.read_head();
      peer.send(bytes);
    });
    request.to = to_port(server.port());
    return ask(std::move(request));
  }
};

INSTANTIATE_TEST_SUITE_P(One, FaultyH1, ::testing::Values(Way::kH1),
                         [](const auto& way) { return std::string(name_of(way.param)); });

TEST_P(FaultyH1, TellsWhatIsWrongWithAnAnswer) {
  const struct {
    std::string_view name;
    std::string bytes;
    Fault fault;
  } cases[] = {
      {"nothing", "", Fault::kClosed},
      {"half a head", "HTTP/1.1 200 OK\r\nContent-Le", Fault::kClosed},
      {"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", Fault::kClosed},
      {"half a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
       Fault::kClosed},
      {"no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
       Fault::kClosed},
      {"garbage", "SSH-2.0-OpenSSH\r\n", Fault::kProtocol},
      {"HTTP/2's settings", std::string("\0\0\0\4\0\0\0\0\0", 9), Fault::kProtocol},
      {"HTTP/0.9", "<html></html>", Fault::kProtocol},
      {"HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", Fault::kProtocol},
      {"HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n", Fault::kProtocol},
      {"status of letters", "HTTP/1.1 abc OK\r\n\r\n", Fault::kProtocol},
      {"status of two digits", "HTTP/1.1 20\r\n\r\n", Fault::kProtocol},
      {"status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", Fault::kProtocol},
      {"status 000", "HTTP/1.1 000 No\r\n\r\n", Fault::kProtocol},
      {"bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", Fault::kProtocol},
      {"folded header", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", Fault::kProtocol},
      {"space before colon", "HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\nfine", Fault::kProtocol},
      {"NUL in a value", std::string("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", 27), Fault::kProtocol},
      {"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine!",
       Fault::kProtocol},
      {"the same length twice",
       "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nfine", Fault::kProtocol},
      {"a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nfine",
       Fault::kProtocol},
      {"a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nfine", Fault::kProtocol},
      {"a length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\nfine",
       Fault::kProtocol},
      {"a length past all", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
       Fault::kProtocol},
      {"length and chunks",
       "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       Fault::kProtocol},
      {"chunked twice",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
       "0\r\n\r\n",
       Fault::kProtocol},
      {"gzip and chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
       Fault::kProtocol},
      {"chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       Fault::kProtocol},
      {"a chunk that is too long",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
       Fault::kProtocol},
      {"a chunk size of words",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n", Fault::kProtocol},
      {"a chunk size past all",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc\r\n",
       Fault::kProtocol},
      {"an upgrade that nobody wants",
       "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
       Fault::kProtocol},
  };
  for (const auto& one : cases) {
    const Reply reply = answered(one.bytes);
    ASSERT_FALSE(reply) << one.name;
    EXPECT_EQ(reply.error().fault, one.fault) << one.name << ": " << reply.error().message;
    EXPECT_FALSE(reply.error().message.empty()) << one.name;
  }
}

TEST_P(FaultyH1, TakesWhatIsOddButClear) {
  const struct {
    std::string_view name;
    std::string_view bytes;
    std::string_view body;
  } cases[] = {
      {"until the end", "HTTP/1.1 200 OK\r\n\r\nall of it", "all of it"},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nold", "old"},
      {"no words", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"},
      {"interim answers first",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
       "ok"},
      {"extensions of chunks",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n", "ok"},
      {"204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", ""},
  };
  for (const auto& one : cases) {
    const Reply reply = answered(one.bytes);
    ASSERT_TRUE(reply) << one.name << ": " << reply.error().message;
    EXPECT_EQ(reply->body, one.body) << one.name;
  }
}

TEST_P(FaultyH1, HoldsItsLimitsOfHeaders) {
  use({.max_header_bytes = 8000, .max_headers = 100});
  const std::string large(9000, 'h');
  EXPECT_EQ(fault_of(answered("HTTP/1.1 200 OK\r\nA: " + large + "\r\n\r\n")), Fault::kTooLarge);
  EXPECT_EQ(fault_of(answered("HTTP/1.1 200 OK\r\nA: " + large)), Fault::kTooLarge);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 101; ++i) many += "A: b\r\n";
  EXPECT_EQ(fault_of(answered(many + "\r\n")), Fault::kTooLarge);
  std::string interim;
  for (int i = 0; i < 20; ++i)
    interim += "HTTP/1.1 103 Hints\r\nA: " + std::string(500, 'h') + "\r\n\r\n";
  EXPECT_EQ(fault_of(answered(interim)), Fault::kTooLarge);
}

TEST_P(FaultyH1, EndsEndlessAnswers) {
  // Until the client has had enough.
  const auto forever = [this](std::string first, std::string part) {
    ScriptedServer server([&](Peer& peer, int) {
      peer.read_head();
      peer.send(first);
      while (peer.send(part)) {
      }
    });
    return ask({.to = to_port(server.port()), .max_body = 1'000'000});
  };
  EXPECT_EQ(fault_of(forever("", "HTTP/1.1 100 Continue\r\n\r\n")), Fault::kProtocol);
  EXPECT_EQ(fault_of(forever("HTTP/1.1 200 OK\r\n", "A: b\r\n")), Fault::kTooLarge);
  EXPECT_EQ(fault_of(forever("HTTP/1.1 200 OK\r\n\r\n", std::string(1000, 'b'))), Fault::kTooLarge);
  EXPECT_EQ(fault_of(forever("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                             "3e8\r\n" + std::string(1000, 'b') + "\r\n")),
            Fault::kTooLarge);
  EXPECT_EQ(fault_of(forever("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                             "Trailer: x\r\n")),
            Fault::kProtocol);
  EXPECT_EQ(fault_of(forever("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;", "x")),
            Fault::kProtocol);
}

TEST_P(FaultyH1, WaitsForTheSlowNoLongerThanItMay) {
  std::atomic<bool> stop = false;
  ScriptedServer server([&](Peer& peer, int) {
    peer.read_head();
    for (const char c : kFine) {
      if (stop) return;
      peer.send({&c, 1});
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  EXPECT_EQ(ask({.to = to_port(server.port())})->body, "fine") << "byte by byte";
  EXPECT_EQ(fault_of(ask({.to = to_port(server.port()), .try_timeout = milliseconds(30)})),
            Fault::kTimeout);
  stop = true;
}

TEST_P(FaultyH1, TellsAReset) {
  ScriptedServer server([](Peer& peer, int count) {
    peer.read_head();
    if (count == 2) peer.send("HTTP/1.1 200 OK\r\n\r\nhalf");
    peer.reset();
  });
  const Reply first = ask({.to = to_port(server.port())});
  EXPECT_EQ(fault_of(first), Fault::kClosed);
  EXPECT_TRUE(first.error().unanswered);
  EXPECT_FALSE(first.error().unprocessed) << "nobody knows";
  EXPECT_EQ(fault_of(ask({.to = to_port(server.port())})), Fault::kClosed)
      << "not taken for the end of the body";
  EXPECT_EQ(server.connections(), 2) << "a new connection's failure is not tried again";
}

// The first connection serves one request and is closed when the second arrives.
void close_when_kept(Peer& peer, int count) {
  peer.read_head();
  peer.send(kFine);
  if (count == 1) {
    peer.read_head();
    peer.reset();
  } else {
    peer.read_until({});
  }
}

TEST_P(FaultyH1, TriesAgainOnlyWhatChangesNothing) {
  {
    ScriptedServer server(close_when_kept);
    ASSERT_TRUE(ask({.to = to_port(server.port())}));
    EXPECT_EQ(ask({.to = to_port(server.port())})->body, "fine");
    EXPECT_EQ(stats().retries, 1u);
    use({});
  }
  {
    ScriptedServer server(close_when_kept);
    ASSERT_TRUE(ask({.to = to_port(server.port())}));
    const Reply reply = ask({.to = to_port(server.port()), .method = "POST", .body = "once"});
    EXPECT_EQ(fault_of(reply), Fault::kClosed);
    EXPECT_TRUE(reply.error().unanswered);
    EXPECT_EQ(stats().retries, 0u);
    use({});
  }
}

TEST_P(FaultyH1, DoesNotTakeUpAConnectionThatWasSaidToClose) {
  ScriptedServer server([](Peer& peer, int) {
    peer.read_head();
    peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfine");
    peer.read_until({});
  });
  EXPECT_TRUE(ask({.to = to_port(server.port())}));
  EXPECT_TRUE(ask({.to = to_port(server.port()), .method = "POST"}));
  EXPECT_EQ(server.connections(), 2);
}

TEST_P(FaultyH1, GivesNoOneTheAnswerOfAnother) {
  // Two answers to one request: the second must not be taken for that of the next. They come
  // together: one that comes after the next request was sent cannot be told from its answer.
  ScriptedServer server([](Peer& peer, int count) {
    peer.read_head();
    std::string answers = fmt::format("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", count);
    if (count == 1) answers += "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    peer.send(answers);
    peer.read_until({});
  });
  EXPECT_EQ(ask({.to = to_port(server.port())})->body, "1");
  EXPECT_EQ(ask({.to = to_port(server.port())})->body, "2");
}

TEST_P(FaultyH1, SendsNothingOnAKeptConnectionThatWasClosed) {
  std::atomic<bool> closed = false;
  ScriptedServer server([&](Peer& peer, int count) {
    peer.read_head();
    peer.send(kFine);
    if (count == 1) {
      peer.close();
      closed = true;
    } else {
      peer.read_until({});
    }
  });
  ASSERT_TRUE(ask({.to = to_port(server.port())}));
  ASSERT_TRUE(eventually([&] { return closed.load(); }));
  EXPECT_TRUE(ask({.to = to_port(server.port()), .method = "POST", .body = "once"}))
      << "nothing was sent there, so it is safe to use another";
}

TEST_P(FaultyH1, HearsARefusalWhileItSends) {
  ScriptedServer server([](Peer& peer, int) {
    peer.read_head();
    peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
    peer.read_until({});
  });
  const std::string large(20'000'000, 'x');  // NOLINT(bugprone-string-constructor)
  const Reply reply = ask({.to = to_port(server.port()), .method = "POST", .body = large});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 413);
}

// ---- HTTP/2

std::string frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  std::string out;
  out += static_cast<char>(payload.size() >> 16);
  out += static_cast<char>(payload.size() >> 8);
  out += static_cast<char>(payload.size());
  out += static_cast<char>(type);
  out += static_cast<char>(flags);
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(stream >> shift);
  return out.append(payload);
}
std::string number(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  return out;
}
constexpr std::uint8_t kData = 0;
constexpr std::uint8_t kHeaders = 1;
constexpr std::uint8_t kReset = 3;
constexpr std::uint8_t kSettings = 4;
constexpr std::uint8_t kGoaway = 7;
constexpr std::uint8_t kEndStream = 1;
constexpr std::uint8_t kEndHeaders = 4;
const std::string kStatus200("\x88", 1);  // of HPACK's static table

std::string settings() { return frame(kSettings, 0, 0, {}); }
std::string fine(std::uint32_t stream) {
  return frame(kHeaders, kEndHeaders, stream, kStatus200) +
         frame(kData, kEndStream, stream, "fine");
}
std::string goaway(std::uint32_t last, std::uint32_t code) {
  return frame(kGoaway, 0, 0, number(last) + number(code));
}
std::string literal_header(std::string_view name, std::string_view value) {
  std::string out("\0", 1);
  out += static_cast<char>(name.size());
  out += name;
  out += static_cast<char>(value.size());
  return out.append(value);
}

class FaultyH2 : public HttpClient {
 protected:
  // Hears the preface and a request's head, and says this.
  Reply answered(const std::string& bytes, ClientRequest request = {}) {
    ScriptedServer server([&bytes](Peer& peer, int) {
      peer.read_h2_head();
      peer.send(bytes);
      peer.read_until({});
    });
    request.to = to_port(server.port());
    request.deadline = Deadline::after(std::chrono::seconds(5));
    Reply reply = ask(std::move(request));
    use({});  // closes what is kept, so that the script ends
    return reply;
  }
};

INSTANTIATE_TEST_SUITE_P(One, FaultyH2, ::testing::Values(Way::kH2),
                         [](const auto& way) { return std::string(name_of(way.param)); });

TEST_P(FaultyH2, TellsWhatIsWrongWithAnAnswer) {
  const struct {
    std::string_view name;
    std::string bytes;
    Fault fault;
  } cases[] = {
      {"HTTP/1.1", "HTTP/1.1 400 Bad Request\r\n\r\n", Fault::kProtocol},
      {"garbage", std::string(100, 'g'), Fault::kProtocol},
      {"a reset", settings() + frame(kReset, 0, 1, number(8)), Fault::kClosed},
      {"a reset in the middle",
       settings() + frame(kHeaders, kEndHeaders, 1, kStatus200) + frame(kData, 0, 1, "ha") +
           frame(kReset, 0, 1, number(2)),
       Fault::kClosed},
      {"GOAWAY with an error", settings() + goaway(1, 2) + frame(kReset, 0, 1, number(2)),
       Fault::kClosed},
      {"no status",
       settings() + frame(kHeaders, kEndHeaders | kEndStream, 1, literal_header("a", "b")),
       Fault::kProtocol},
      {"names in capitals",
       settings() +
           frame(kHeaders, kEndHeaders | kEndStream, 1, kStatus200 + literal_header("A", "b")),
       Fault::kProtocol},
      {"Connection",
       settings() + frame(kHeaders, kEndHeaders | kEndStream, 1,
                          kStatus200 + literal_header("connection", "close")),
       Fault::kProtocol},
      {"a body longer than it says",
       settings() +
           frame(kHeaders, kEndHeaders, 1, kStatus200 + literal_header("content-length", "2")) +
           frame(kData, kEndStream, 1, "long"),
       Fault::kProtocol},
      {"a body shorter than it says",
       settings() +
           frame(kHeaders, kEndHeaders, 1, kStatus200 + literal_header("content-length", "9")) +
           frame(kData, kEndStream, 1, "short"),
       Fault::kProtocol},
      {"two lengths",
       settings() +
           frame(kHeaders, kEndHeaders, 1,
                 kStatus200 + literal_header("content-length", "4") +
                     literal_header("content-length", "4")) +
           frame(kData, kEndStream, 1, "fine"),
       Fault::kProtocol},
      {"data before headers", settings() + frame(kData, kEndStream, 1, "fine"), Fault::kProtocol},
      {"data past the window",
       settings() + frame(kHeaders, kEndHeaders, 1, kStatus200) +
           [] {
             std::string flood;
             for (int i = 0; i < 600; ++i) flood += frame(kData, 0, 1, std::string(16384, 'f'));
             return flood;
           }(),
       Fault::kProtocol},
      {"broken compression", settings() + frame(kHeaders, kEndHeaders, 1, "\xff\xff\xff\xff\xff"),
       Fault::kProtocol},
  };
  for (const auto& one : cases) {
    const Reply reply = answered(one.bytes);
    ASSERT_FALSE(reply) << one.name;
    // What breaks the rules of flow may be seen as a stream or a connection that was given up.
    EXPECT_TRUE(reply.error().fault == one.fault)
        << one.name << ": " << to_string(reply.error().fault) << " " << reply.error().message;
  }
}

TEST_P(FaultyH2, EndsEndlessInterimAnswers) {
  std::string bytes = settings();
  for (int i = 0; i < 100; ++i) {
    bytes += frame(kHeaders, kEndHeaders, 1, literal_header(":status", "103"));
  }
  EXPECT_EQ(fault_of(answered(bytes)), Fault::kProtocol);
  EXPECT_EQ(answered(settings() +
                     frame(kHeaders, kEndHeaders, 1, literal_header(":status", "103")) + fine(1))
                ->body,
            "fine");
}

TEST_P(FaultyH2, HoldsItsLimitsOfHeaders) {
  use({.max_header_bytes = 2000});
  std::string block = kStatus200;
  for (int i = 0; i < 100; ++i) block += literal_header("a", std::string(100, 'v'));
  EXPECT_EQ(fault_of(answered(settings() + frame(kHeaders, kEndHeaders | kEndStream, 1, block))),
            Fault::kTooLarge);
}

TEST_P(FaultyH2, TriesAgainWhatWasRefused) {
  // What is refused is safe to send again, whatever the method: by REFUSED_STREAM, by a GOAWAY
  // that leaves it out. The GOAWAY behind the former keeps the second try off a connection that is
  // about to end.
  for (const std::string& refusal :
       {settings() + frame(kReset, 0, 1, number(7)) + goaway(1, 0), settings() + goaway(0, 0)}) {
    ScriptedServer server([&refusal](Peer& peer, int count) {
      peer.read_h2_head();
      peer.send(count == 1 ? refusal : settings() + fine(1));
      // With bytes unread a close would be a reset, which may overtake the refusal.
      if (count == 1) peer.finish();
      peer.read_until({});
    });
    ClientRequest request{.to = to_port(server.port()), .method = "POST", .body = "twice"};
    const Reply reply = ask(std::move(request));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->body, "fine");
    EXPECT_EQ(server.connections(), 2);
    use({});
  }
}

TEST_P(FaultyH2, GivesUpWhenAllRefuse) {
  ScriptedServer server([](Peer& peer, int) {
    peer.read_h2_head();
    peer.send(settings() + frame(kReset, 0, 1, number(7)));
    peer.read_until({});
  });
  use({.max_connections_per_host = 1});
  ClientRequest request{.to = to_port(server.port()),
                        .deadline = Deadline::after(milliseconds(500))};
  EXPECT_FALSE(ask(std::move(request)));
  use({});
}

TEST_P(FaultyH2, FinishesWhatAGoawayLeavesIn) {
  ScriptedServer server([](Peer& peer, int count) {
    peer.read_h2_head();
    peer.send(settings() + (count == 1 ? goaway(1, 0) : "") + fine(1));
    peer.read_until({});
  });
  for (int i = 1; i <= 2; ++i) {
    ClientRequest request{.to = to_port(server.port())};
    const Reply reply = ask(std::move(request));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(server.connections(), i) << "and takes no more requests there";
  }
  use({});
}

TEST_P(FaultyH2, ADeadConnectionIsNotUsedAgain) {
  // It takes requests and never says anything, as when the network lost its way.
  ScriptedServer server([](Peer& peer, int count) {
    peer.read_h2_head();
    if (count > 1) peer.send(settings() + fine(1));
    peer.read_until({});
  });
  for (int i = 1; i <= 2; ++i) {
    ClientRequest request{.to = to_port(server.port())};
    request.try_timeout = milliseconds(i == 1 ? 100 : 10'000);
    EXPECT_EQ(ask(std::move(request)).has_value(), i == 2);
  }
  use({});
}

// ---- Proxies

class ProxiedClient : public HttpClient {};

INSTANTIATE_TEST_SUITE_P(All, ProxiedClient, ::testing::Values(Way::kH1, Way::kH1Tls, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  STRAKE_ASSERT(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  return socket;
}

// Passes bytes between both until they end.
void relay(Peer& peer, std::uint16_t port) {
  Peer other(connect_to(port));
  std::thread back([&] {
    for (std::string part = other.read_some(); !part.empty(); part = other.read_some()) {
      peer.send(part);
    }
    peer.finish();
  });
  for (std::string part = peer.read_some(); !part.empty(); part = peer.read_some()) {
    other.send(part);
  }
  other.finish();
  back.join();
}

TEST_P(ProxiedClient, GoesThroughAnHttpProxy) {
  TestServer server = serve(echo);
  std::string asked;
  ScriptedServer proxy([&](Peer& peer, int) {
    asked = peer.read_head();
    if (!asked.starts_with("CONNECT")) {
      peer.send(kFine);
      return;
    }
    peer.send("HTTP/1.1 200 Connection established\r\n\r\n");
    relay(peer, server.server().port());
  });
  Upstream there = to(server);
  there.host = "localhost";
  there.port = 4321;
  there.proxy = Proxy{
      .host = "127.0.0.1", .port = proxy.port(), .user_name = "me", .password = Secret("s3cret")};
  const Reply reply = ask({.to = there, .target = "/a"});
  use({});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(asked, HasSubstr("Proxy-Authorization: Basic bWU6czNjcmV0\r\n"));
  if (is_tls()) {
    EXPECT_THAT(asked, ::testing::StartsWith("CONNECT localhost:4321 HTTP/1.1\r\n"));
    EXPECT_THAT(reply->body, HasSubstr("GET /a"));
  } else {
    EXPECT_THAT(asked, ::testing::StartsWith("GET http://localhost:4321/a HTTP/1.1\r\n"));
    EXPECT_EQ(reply->body, "fine");
  }
}

// A plain request would ask the proxy itself.
class ProxiedTlsClient : public HttpClient {};

INSTANTIATE_TEST_SUITE_P(One, ProxiedTlsClient, ::testing::Values(Way::kH1Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

TEST_P(ProxiedTlsClient, TellsThatTheProxyRefused) {
  ScriptedServer proxy([](Peer& peer, int) {
    peer.read_head();
    peer.send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
  });
  Upstream there = to_port(443);
  there.proxy = Proxy{.host = "127.0.0.1", .port = proxy.port()};
  const Reply reply = ask({.to = there});
  EXPECT_EQ(fault_of(reply), Fault::kProxy);
  EXPECT_THAT(reply.error().message, HasSubstr("407"));
}

TEST_P(ProxiedClient, GoesThroughASocksProxy) {
  TestServer server = serve(echo);
  std::string asked;
  ScriptedServer proxy([&](Peer& peer, int) {
    peer.read_exactly(4);
    peer.send("\x05\x02"sv);
    peer.read_exactly(1 + 1 + 2 + 1 + 6);
    peer.send("\x01\x00"sv);
    asked = peer.read_exactly(5 + 9 + 2);
    peer.send("\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"sv);
    relay(peer, server.server().port());
  });
  Upstream there = to(server);
  there.host = "localhost";
  there.port = 258;
  there.proxy = Proxy{.kind = Proxy::Kind::kSocks5,
                      .host = "127.0.0.1",
                      .port = proxy.port(),
                      .user_name = "me",
                      .password = Secret("s3cret")};
  const Reply reply = ask({.to = there, .target = "/a"});
  use({});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(reply->body, HasSubstr("GET /a"));
  EXPECT_EQ(asked, "\x05\x01\x00\x03\x09localhost\x01\x02"sv);
}

}  // namespace
}  // namespace strake::http
