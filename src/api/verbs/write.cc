#include "api/verbs/write.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "api/verbs/by_worker.h"
#include "api/verbs/judge.h"
#include "api/verbs/ready.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

// Random bytes from the system, taken in batches: a call for each object would show.
class RandomBytes {
 public:
  template <std::size_t count>
  std::array<std::uint8_t, count> next() {
    static_assert(count <= kBatch);
    if (kBatch - at_ < count) refill();
    std::array<std::uint8_t, count> out;
    std::memcpy(out.data(), buffer_.data() + at_, count);
    at_ += count;
    return out;
  }

 private:
  static constexpr std::size_t kBatch = 1024;
  void refill() {
    std::size_t have = 0;
    while (have < kBatch) {
      const ssize_t got = ::getrandom(buffer_.data() + have, kBatch - have, 0);
      if (got > 0) have += static_cast<std::size_t>(got);
    }
    at_ = 0;
  }
  std::array<std::uint8_t, kBatch> buffer_{};
  std::size_t at_ = kBatch;
};

thread_local RandomBytes random_bytes;

}  // namespace

std::string new_uid() {
  auto bytes = random_bytes.next<16>();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out(36, '-');
  std::size_t at = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) ++at;
    out[at++] = kHex[bytes[i] >> 4];
    out[at++] = kHex[bytes[i] & 15];
  }
  return out;
}

std::string name_suffix() {
  // No vowels: no words.
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string out;
  while (out.size() < 5) {
    const std::uint8_t byte = random_bytes.next<1>()[0];
    if (byte < 256 / kLetters.size() * kLetters.size()) out += kLetters[byte % kLetters.size()];
  }
  return out;
}

void set_meta(value::Document& document, std::string_view key, Value v) {
  resource::set_meta(document.root(), key, v, document.arena());
}

void remove_meta(value::Document& document, std::string_view key) {
  resource::remove_meta(document.root(), key);
}

std::string encode_as_it_is(value::Document& document) {
  const Value* metadata = document.root().find("metadata");
  const Value* given = metadata != nullptr ? metadata->find("resourceVersion") : nullptr;
  const std::optional<Value> version = given != nullptr ? std::optional(*given) : std::nullopt;
  remove_meta(document, "resourceVersion");
  remove_meta(document, "selfLink");
  std::string out;
  value::write_json(document.root(), out);
  out += '\n';
  if (version) set_meta(document, "resourceVersion", *version);
  return out;
}

Answer<std::string> encode_for_store(const Call& call, value::Document& document) {
  if (call.resource().stored_as) {
    // Stored in another form; the answer keeps its own.
    value::Document stored;
    stored.root() = value::deep_copy(document.root(), stored.arena());
    call.strategy().to_stored(stored.root(), stored.arena());
    return encode_as_it_is(stored);
  }
  const kinds::ServedVersion& storage = call.resource().storage_version();
  if (call.version == &storage) return encode_as_it_is(document);
  STRAKE_CHECK(call.endpoint->convert_at_once(document, *call.version, storage, true));
  std::string out = encode_as_it_is(document);
  STRAKE_CHECK(call.endpoint->convert_at_once(document, storage, *call.version, false));
  return out;
}

bool must_wait_to_store(const Call& call) {
  if (call.resource().stored_as) return false;
  const kinds::ServedVersion& storage = call.resource().storage_version();
  return must_wait_to_convert(call, *call.version, storage) ||
         must_wait_to_convert(call, storage, *call.version);
}

AnswerTask<std::string> encode_for_store_later(Core& core, const Call& call,
                                               value::Document& document, const Object* current) {
  const kinds::ServedVersion& storage = call.resource().storage_version();
  STRAKE_CO_CHECK(co_await convert(core, call, document, *call.version, storage, true));
  const std::size_t bytes =
      std::max(call.request.body.size(), current != nullptr ? current->bytes()->size() : 0);
  const auto encode_it = [&] { return Answer<std::string>(encode_as_it_is(document)); };
  STRAKE_CO_TRY(std::string out,
                is_large(call, bytes) ? co_await by_worker(core, encode_it) : encode_it());
  STRAKE_CO_CHECK(co_await convert(core, call, document, storage, *call.version, false));
  co_return out;
}

bool is_stored_elsewhere(const Call& call, const Object& current) {
  const kinds::Resource& resource = call.resource();
  return current.version() !=
         (resource.stored_as ? resource.stored_as->version : resource.storage_version().name);
}

Bytes encode_with_version(value::Document& document, Revision revision) {
  if (revision > 0) {
    set_meta(document, "resourceVersion",
             Value::string(document.arena().copy(fmt::format("{}", revision))));
  }
  return std::make_shared<const std::string>(value::to_json(document.root()));
}

Bytes written_object(const Call& call, value::Document& document, const std::string& key,
                     const Bytes& stored, Revision revision) {
  const bool as_stored =
      !call.resource().stored_as && call.version == &call.resource().storage_version();
  if (!as_stored) return encode_with_version(document, revision);
  if (const ObjectPtr object = call.endpoint->cache().get(key);
      object && object->revision() == revision) {
    return object->bytes();
  }
  // Somebody has changed it again.
  Result<std::string> text = with_resource_version(*stored, revision);
  if (!text) return encode_with_version(document, revision);
  return std::make_shared<const std::string>(*std::move(text));
}

Status store_failure(const Error& error, const meta::GroupResource& resource,
                     std::string_view operation) {
  if (error.code() == Code::kCancelled) return Call::cancelled();
  if (error.code() == Code::kRequestTooLarge) return Status::raw_error(error.message());
  if (error.code() == Code::kServiceUnavailable || error.code() == Code::kTimeout) {
    return Status::server_timeout(resource, operation);
  }
  return Status::internal_error(error.message());
}

}  // namespace strake::api
