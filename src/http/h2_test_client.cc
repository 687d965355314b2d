#include "http/h2_test_client.h"

#include <nghttp2/nghttp2.h>

#include <charconv>
#include <cstring>

#include "base/assert.h"
#include "http/h2_fields.h"

namespace strake::http::testing {
namespace {}  // namespace

struct H2TestClient::Impl {
  nghttp2_session* session = nullptr;
};

struct H2TestClient::Callbacks {
  static H2TestClient& self(void* user) { return *static_cast<H2TestClient*>(user); }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                    std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                    std::uint8_t, void* user) {
    Reply& reply = self(user).replies_[frame->hd.stream_id];
    if (view(name, name_size) != ":status") {
      reply.headers.add(view(name, name_size), view(value, value_size));
      return 0;
    }
    if (reply.status != 0) reply.interim.push_back(reply.status);
    const std::string_view text = view(value, value_size);
    std::from_chars(text.data(), text.data() + text.size(), reply.status);
    return 0;
  }
  static int data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes,
                  std::size_t size, void* user) {
    self(user).replies_[id].body += view(bytes, size);
    return 0;
  }
  static int closed(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
    self(user).replies_[id].closed = true;
    self(user).replies_[id].error = code;
    return 0;
  }
  static int frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type == NGHTTP2_GOAWAY) {
      self(user).goaway_ = true;
      self(user).goaway_code_ = frame->goaway.error_code;
    }
    return 0;
  }
  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* to, std::size_t size,
                           std::uint32_t* flags, nghttp2_data_source* source, void* user) {
    if (source->ptr == nullptr) return NGHTTP2_ERR_DEFERRED;
    std::string& body = self(user).bodies_[id];
    const std::size_t part = std::min(size, body.size());
    std::memcpy(to, body.data(), part);
    body.erase(0, part);
    if (body.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(part);
  }
};

H2TestClient::H2TestClient(TestClient client, bool auto_window)
    : client_(std::move(client)), impl_(std::make_unique<Impl>()) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::closed);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Callbacks::frame);
  nghttp2_option* option = nullptr;
  nghttp2_option_new(&option);
  nghttp2_option_set_no_auto_window_update(option, auto_window ? 0 : 1);
  STRAKE_ASSERT(nghttp2_session_client_new2(&impl_->session, callbacks, this, option) == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(impl_->session, NGHTTP2_FLAG_NONE, nullptr, 0);
}

H2TestClient::~H2TestClient() { nghttp2_session_del(impl_->session); }

std::int32_t H2TestClient::submit(std::string_view method, std::string_view path,
                                  const Headers& headers, bool has_body) {
  std::vector<nghttp2_nv> head{name_value(":method", method), name_value(":path", path),
                               name_value(":scheme", "https"),
                               name_value(":authority", "test.example")};
  for (const Header& header : headers.all()) head.push_back(name_value(header.name, header.value));
  nghttp2_data_provider provider{};
  provider.read_callback = Callbacks::read_body;
  provider.source.ptr = has_body ? this : nullptr;
  return nghttp2_submit_request(impl_->session, nullptr, head.data(), head.size(), &provider,
                                nullptr);
}

std::int32_t H2TestClient::get(std::string_view path, Headers headers, std::string_view method) {
  std::vector<nghttp2_nv> head{name_value(":method", method), name_value(":path", path),
                               name_value(":scheme", "https"),
                               name_value(":authority", "test.example")};
  for (const Header& header : headers.all()) head.push_back(name_value(header.name, header.value));
  const std::int32_t id =
      nghttp2_submit_request(impl_->session, nullptr, head.data(), head.size(), nullptr, nullptr);
  flush();
  return id;
}

std::int32_t H2TestClient::send(std::string_view method, std::string_view path, std::string body,
                                Headers headers) {
  const std::int32_t id = submit(method, path, headers, true);
  bodies_[id] = std::move(body);
  flush();
  return id;
}

std::int32_t H2TestClient::begin(std::string_view method, std::string_view path, Headers headers) {
  const std::int32_t id = submit(method, path, headers, false);
  flush();
  return id;
}

void H2TestClient::reset(std::int32_t id) {
  nghttp2_submit_rst_stream(impl_->session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  flush();
}

void H2TestClient::send_raw(std::string_view bytes) {
  flush();
  client_.send(bytes);
}

void H2TestClient::flush() {
  std::string all;
  while (true) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(impl_->session, &bytes);
    if (size <= 0) break;
    all += view(bytes, static_cast<std::size_t>(size));
  }
  client_.send(all);
}

bool H2TestClient::run_until(const std::function<bool()>& condition) {
  while (!condition()) {
    flush();
    const std::string bytes = client_.read_some();
    if (bytes.empty()) return condition();
    const ssize_t size = nghttp2_session_mem_recv(
        impl_->session, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (size < 0) return false;
    flush();
  }
  return true;
}

bool H2TestClient::run_until_closed(std::int32_t id) {
  return run_until([&] { return replies_[id].closed; });
}

}  // namespace strake::http::testing
