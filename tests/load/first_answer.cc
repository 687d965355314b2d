// Starts a test server again and again, and prints for each start the milliseconds from exec until
// it is ready and until its first answer to a client, which is this program, and how many of them
// the client took to read its certificates: a line of three numbers.
//
// usage: strake_first_answer COUNT PROGRAM ARGUMENT...    such as: 200 build/release/strake
// testserver
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "value/fields.h"
#include "value/json_reader.h"

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
using strake::value::text_of;

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "strake_first_answer: %s\n", why);
  std::exit(1);
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

struct Running {
  pid_t pid = 0;
  int input = -1;
  int output = -1;
};

Running start(char** command) {
  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) give_up("no pipes");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  Running made;
  if (::posix_spawn(&made.pid, command[0], &actions, nullptr, command, environ) != 0)
    give_up("the program cannot be started");
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  made.input = in[1];
  made.output = out[0];
  return made;
}

std::string read_line(int from) {
  std::string line;
  char buffer[4096];
  while (!line.ends_with('\n')) {
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got <= 0) give_up("the server did not say how to reach it");
    line.append(buffer, static_cast<std::size_t>(got));
  }
  return line;
}

// The client's side of TLS is set up before the server starts, but for what the server makes: how
// long it takes to read that.
Clock::duration ask(SSL_CTX* context, const strake::value::Value& told) {
  const std::string url(text_of(told, "url"));
  const auto port = static_cast<std::uint16_t>(std::atoi(url.c_str() + url.rfind(':') + 1));
  const std::string authority(text_of(told, "certificateAuthority"));
  const std::string certificate(text_of(told, "clientCertificate"));
  const std::string key(text_of(told, "clientKey"));
  const Clock::time_point begin = Clock::now();
  if (SSL_CTX_load_verify_file(context, authority.c_str()) != 1 ||
      SSL_CTX_use_certificate_file(context, certificate.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    give_up("the certificates cannot be used");
  const Clock::duration reading = Clock::now() - begin;
  const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int at_once = 1;
  ::setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up("cannot connect");
  SSL* tls = SSL_new(context);
  SSL_set_fd(tls, peer);
  if (SSL_connect(tls) != 1) give_up("the handshake failed");
  constexpr std::string_view kRequest =
      "GET /api/v1/namespaces/default HTTP/1.1\r\nHost: localhost\r\nAccept: "
      "application/json\r\n\r\n";
  std::string answer;
  char buffer[16384];
  if (SSL_write(tls, kRequest.data(), static_cast<int>(kRequest.size())) <= 0)
    give_up("cannot write");
  const int got = SSL_read(tls, buffer, sizeof buffer);
  if (got <= 0 ||
      !std::string_view(buffer, static_cast<std::size_t>(got)).starts_with("HTTP/1.1 200"))
    give_up("the first request was not answered with 200");
  SSL_free(tls);
  ::close(peer);
  return reading;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) give_up("usage: strake_first_answer COUNT PROGRAM ARGUMENT...");
  for (int left = std::atoi(arguments[1]); left > 0; --left) {
    SSL_CTX* context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    const Clock::time_point began = Clock::now();
    const Running server = start(arguments + 2);
    const std::string line = read_line(server.output);
    const Clock::time_point ready = Clock::now();
    const auto told = strake::value::read_json(line);
    if (!told) give_up("the server did not say how to reach it");
    const Clock::duration reading = ask(context, told->root());
    std::printf("%.3f %.3f %.3f\n", milliseconds(ready - began), milliseconds(Clock::now() - began),
                milliseconds(reading));
    ::close(server.input);
    ::close(server.output);
    ::waitpid(server.pid, nullptr, 0);
    SSL_CTX_free(context);
  }
  return 0;
}
