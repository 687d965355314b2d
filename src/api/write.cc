#include "api/write.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>

#include "meta/object_meta.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

// Random bytes from the system, taken in batches: a call for each object would show.
class RandomBytes {
 public:
  std::uint8_t next() {
    if (at_ == buffer_.size()) {
      std::size_t have = 0;
      while (have < buffer_.size()) {
        const ssize_t got = ::getrandom(buffer_.data() + have, buffer_.size() - have, 0);
        if (got > 0) have += static_cast<std::size_t>(got);
      }
      at_ = 0;
    }
    return buffer_[at_++];
  }

 private:
  std::array<std::uint8_t, 1024> buffer_{};
  std::size_t at_ = 1024;
};

thread_local RandomBytes random_bytes;

}  // namespace

std::string new_uid() {
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& one : bytes) one = random_bytes.next();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += kHex[bytes[i] >> 4];
    out += kHex[bytes[i] & 15];
  }
  return out;
}

std::string name_suffix() {
  // No vowels: no words.
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string out;
  while (out.size() < 5) {
    const std::uint8_t byte = random_bytes.next();
    if (byte < 256 / kLetters.size() * kLetters.size()) out += kLetters[byte % kLetters.size()];
  }
  return out;
}

void set_meta(value::Document& document, std::string_view key, Value v) {
  Value* metadata = document.root().find("metadata");
  if (metadata == nullptr || !metadata->is_object()) {
    metadata = &document.root().set("metadata", Value::object({}), document.arena());
  }
  metadata->set(key, v, document.arena());
}

void remove_meta(value::Document& document, std::string_view key) {
  if (Value* metadata = document.root().find("metadata")) metadata->remove(key);
}

std::string encode_for_store(const Call& call, value::Document& document) {
  remove_meta(document, "resourceVersion");
  remove_meta(document, "selfLink");
  const std::string_view storage = call.resource().storage_version().name;
  const Value request_version = *document.root().find("apiVersion");
  if (call.version->name != storage) {
    const std::string text =
        meta::GroupVersion{call.resource().group, std::string(storage)}.to_string();
    document.root().set("apiVersion", Value::string(document.arena().copy(text)), document.arena());
  }
  std::string out;
  const kinds::Hooks* hooks = call.endpoint->hooks();
  if (hooks != nullptr && call.resource().group == "events.k8s.io") {
    // Stored in the form of core events; the answer keeps its own.
    value::Document stored;
    stored.root() = value::deep_copy(document.root(), stored.arena());
    hooks->to_stored(stored.root(), stored.arena());
    value::write_json(stored.root(), out);
  } else {
    value::write_json(document.root(), out);
  }
  out += '\n';
  document.root().set("apiVersion", request_version, document.arena());
  return out;
}

Bytes encode_with_version(value::Document& document, Revision revision) {
  if (revision > 0) {
    set_meta(document, "resourceVersion",
             Value::string(document.arena().copy(fmt::format("{}", revision))));
  }
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

Status store_failure(const Error& error, const meta::GroupResource& resource,
                     std::string_view operation) {
  if (error.code() == Code::kRequestTooLarge) return Status::raw_error(error.message());
  if (error.code() == Code::kServiceUnavailable || error.code() == Code::kTimeout) {
    return Status::server_timeout(resource, operation);
  }
  return Status::internal_error(error.message());
}

}  // namespace strake::api
