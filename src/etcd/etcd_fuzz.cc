// Any bytes as a request of each method: it is read or refused. What was read is written as bytes
// that read as the same, and is answered or refused by a server that has some keys.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "etcd/handler.h"
#include "etcd/messages.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  etcd::Service service("fuzz", "http://127.0.0.1:2379");
  for (const char* path :
       {"/etcdserverpb.KV/Put", "/etcdserverpb.KV/Range", "/etcdserverpb.KV/Txn",
        "/etcdserverpb.KV/DeleteRange", "/etcdserverpb.KV/Compact", "/etcdserverpb.KV/Range"}) {
    const etcd::Service::Method* method = etcd::Service::find_method(path);
    STRAKE_ASSERT(method != nullptr);
    const auto message = etcd::decode(bytes, *method->request);
    if (!message) continue;
    const auto again =
        etcd::decode(etcd::encode(message->root(), *method->request), *method->request);
    STRAKE_ASSERT(again && value::equal(again->root(), message->root()));
    const auto answer = service.call(*method, message->root());
    if (answer) {
      STRAKE_ASSERT(
          etcd::decode(etcd::encode(answer->root(), *method->response), *method->response));
    } else {
      STRAKE_ASSERT(!answer.error().message.empty());
    }
  }
  return 0;
}
