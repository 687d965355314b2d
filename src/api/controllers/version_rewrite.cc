#include "api/controllers/version_rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "api/controllers/controller.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/ready.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "value/document.h"

namespace strake::api {
namespace {

using value::Document;

constexpr std::size_t kAtATime = 16;

// One conversion: objects that are stored in one version.
struct Batch {
  const kinds::ServedVersion& from;
  std::vector<ObjectPtr> objects;
};

std::size_t bytes_of(const Batch& batch) {
  std::size_t sum = 0;
  for (const ObjectPtr& one : batch.objects) sum += one->bytes()->size();
  return sum;
}

Answer<std::vector<Document>> read_all(const Call& call, const Batch& batch) {
  std::vector<Document> out;
  for (const ObjectPtr& one : batch.objects) {
    if (call.is_cancelled()) return refuse(Call::cancelled());
    STRAKE_TRY(Document document, call.endpoint->read_stored(*one));
    out.push_back(std::move(document));
  }
  return out;
}

std::vector<std::string> encode_all(std::span<Document> documents) {
  std::vector<std::string> out;
  for (Document& one : documents) out.push_back(encode_as_it_is(one));
  return out;
}

// What is to be stored, in the order of the objects. All of them or none.
AnswerTask<std::vector<std::string>> convert_batch(Core& core, const Call& call,
                                                   const Batch& batch) {
  const kinds::ServedVersion& to = call.resource().storage_version();
  STRAKE_CO_CHECK(co_await compile(core, call, batch.from));
  STRAKE_CO_CHECK(co_await compile(core, call, to));
  const Conversion conversion{
      .resource = call.resource(), .from = batch.from, .to = to, .fill_defaults = true};
  const WaitCancel cancel(call);
  const bool aside = bytes_of(batch) > kDoneAtOnce;
  if (call.endpoint->converts_at_once(batch.from, to)) {
    const auto convert_them = [&]() -> Answer<std::vector<std::string>> {
      STRAKE_TRY(std::vector<Document> documents, read_all(call, batch));
      Eventual<> converted =
          call.endpoint->converter().convert(conversion, documents, cancel.token());
      STRAKE_CHECK(converted.take());
      return encode_all(documents);
    };
    co_return aside ? co_await by_worker(core, convert_them) : convert_them();
  }
  const auto read_them = [&] { return read_all(call, batch); };
  STRAKE_CO_TRY(std::vector<Document> documents,
                aside ? co_await by_worker(core, read_them) : read_them());
  Eventual<> converted = call.endpoint->converter().convert(conversion, documents, cancel.token());
  STRAKE_CO_CHECK(converted.must_wait() ? co_await converted.wait() : converted.take());
  const auto encode_them = [&] { return Answer<std::vector<std::string>>(encode_all(documents)); };
  co_return aside ? co_await by_worker(core, encode_them) : encode_them();
}

class Rewriting {
 public:
  Rewriting(Core& core, const EndpointPtr& endpoint)
      : core_(core), call_(internal_call(core, endpoint, "", "")) {
    call_.stopping = core.stopping;
  }

  boost::asio::awaitable<void> rewrite(Batch batch) {
    Answer<std::vector<std::string>> texts = co_await convert_batch(core_, call_, batch);
    if (!texts && batch.objects.size() > 1) {
      // One object that its converter refuses must not keep back the others.
      co_await async::for_each_concurrently(
          batch.objects.size(), kAtATime, [&](std::size_t i) -> boost::asio::awaitable<void> {
            return rewrite({.from = batch.from, .objects = {batch.objects[i]}});
          });
      co_return;
    }
    if (!texts) {
      note(*batch.objects.front(), texts.error().message);
      co_return;
    }
    co_await async::for_each_concurrently(
        batch.objects.size(), batch.objects.size(), [&](std::size_t i) {
          return store(batch.objects[i], std::make_shared<const std::string>((*texts)[i]));
        });
  }

  void note(const Object& object, std::string why) {
    unconverted_.push_back({.key = object.key(), .why = std::move(why)});
  }
  const Call& call() const { return call_; }
  std::vector<Unconverted> take() { return std::move(unconverted_); }

 private:
  boost::asio::awaitable<void> store(ObjectPtr object, Bytes text) {
    const Result<store::Written> written =
        co_await core_.hub.store().write({.key = object->key(),
                                          .value = std::move(text),
                                          .expected = object->revision(),
                                          .ttl = call_.resource().ttl,
                                          .cancel = core_.stopping});
    if (!written) note(*object, written.error().message());
  }

  Core& core_;
  Call call_;
  std::vector<Unconverted> unconverted_;
};

}  // namespace

bool is_stored_elsewhere(const Endpoint& endpoint, const Object& object) {
  return endpoint.strategy().wire().many_versions &&
         object.version() != endpoint.resource().storage_version().name;
}

boost::asio::awaitable<std::vector<Unconverted>> rewrite_in_storage_version(
    Core& core, EndpointPtr endpoint, std::vector<ObjectPtr> objects) {
  Rewriting rewriting(core, endpoint);
  std::map<const kinds::ServedVersion*, std::vector<ObjectPtr>> by_version;
  for (ObjectPtr& one : objects) {
    const kinds::ServedVersion* from = endpoint->resource().version(one->version());
    if (from == nullptr) {
      rewriting.note(*one, fmt::format("it is stored in {}, which spec.versions no longer has",
                                       one->api_version()));
    } else {
      by_version[from].push_back(std::move(one));
    }
  }
  for (auto& [from, batch] : by_version)
    co_await rewriting.rewrite({.from = *from, .objects = std::move(batch)});
  std::vector<Unconverted> out = rewriting.take();
  std::ranges::sort(out, {}, &Unconverted::key);
  co_return out;
}

}  // namespace strake::api
