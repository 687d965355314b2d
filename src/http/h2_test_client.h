#pragma once
// An HTTP/2 client for tests: several requests at a time over one TestClient, with flow control in
// the test's hand.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "http/test_client.h"

namespace strake::http::testing {

class H2TestClient {
 public:
  struct Reply {
    int status = 0;
    std::vector<int> interim;  // such as 100
    Headers headers;
    std::string body;
    bool closed = false;
    std::uint32_t error = 0;  // of the stream, when closed
  };

  // With `auto_window` off, the server may send 64 KiB and no more.
  explicit H2TestClient(TestClient client, bool auto_window = true);
  ~H2TestClient();

  std::int32_t get(std::string_view path, Headers headers = {}, std::string_view method = "GET");
  std::int32_t send(std::string_view method, std::string_view path, std::string body,
                    Headers headers = {});
  // A request whose body never comes.
  std::int32_t begin(std::string_view method, std::string_view path, Headers headers = {});
  void reset(std::int32_t id);
  void send_raw(std::string_view bytes);

  // Reads and writes until it holds, or the connection ends, or nothing comes for long.
  bool run_until(const std::function<bool()>& condition);
  bool run_until_closed(std::int32_t id);
  Reply& reply(std::int32_t id) { return replies_[id]; }
  bool got_goaway() const { return goaway_; }
  std::uint32_t goaway_code() const { return goaway_code_; }

 private:
  struct Callbacks;
  struct Impl;
  std::int32_t submit(std::string_view method, std::string_view path, const Headers& headers,
                      bool has_body);
  void flush();

  TestClient client_;
  std::unique_ptr<Impl> impl_;
  std::map<std::int32_t, Reply> replies_;
  std::map<std::int32_t, std::string> bodies_;
  bool goaway_ = false;
  std::uint32_t goaway_code_ = 0;
};

}  // namespace strake::http::testing
