#include "extension/kept_objects.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "base/log.h"
#include "http/message.h"
#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::extension {
namespace {

using meta::ObjectMeta;
using value::Value;

// Applies of one object that follow each other without a pause.
constexpr std::size_t kMostAtOnce = 3;

value::Document parsed(std::string_view json) {
  auto read = value::read_json(json, value::ReadOptions::as_api_server());
  return read ? *std::move(read) : value::Document();
}

}  // namespace

bool covers(const Value& present, const Value& wanted) {
  if (wanted.is_object()) {
    if (!present.is_object()) return false;
    for (const value::Member& one : wanted.members()) {
      const Value* found = present.find(one.key);
      if (found == nullptr || !covers(*found, one.value)) return false;
    }
    return true;
  }
  if (wanted.is_array()) {
    if (!present.is_array() || present.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!covers(present.items()[i], wanted.items()[i])) return false;
    }
    return true;
  }
  return value::to_json(present) == value::to_json(wanted);
}

// What is there, once.
struct ObjectList final : kube::ObjectSink {
  void on_list(const std::vector<const Value*>& all) override {
    for (const Value* one : all)
      objects[std::string(ObjectMeta::of(*one).name())] = value::to_json(*one);
  }
  void on_set(const Value&) override {}
  void on_deleted(const Value&) override {}
  std::map<std::string, std::string> objects;
};

class KeptObjects::Sink final : public kube::ObjectSink {
 public:
  explicit Sink(KeptObjects& objects) : objects_(objects) {}

  void on_list(const std::vector<const Value*>& objects) override {
    objects_.seen_.clear();
    for (const Value* one : objects) note(*one);
    objects_.listed_ = true;
    objects_.look_again();
  }
  void on_set(const Value& object) override {
    note(object);
    changed(object);
  }
  void on_deleted(const Value& object) override {
    objects_.seen_.erase(std::string(ObjectMeta::of(object).name()));
    objects_.complained_.erase(std::string(ObjectMeta::of(object).name()));
    changed(object);
  }
  void on_trouble(const Error& why) override {
    log::get("extension")
        .error("what is registered cannot be followed",
               {{"what", objects_.options_.what}, {"error", why}});
  }
  void on_recovery() override {
    log::get("extension")
        .info("what is registered is followed again", {{"what", objects_.options_.what}});
  }

 private:
  void note(const Value& object) {
    objects_.seen_[std::string(ObjectMeta::of(object).name())] = value::to_json(object);
  }
  void changed(const Value& object) {
    objects_.settling_.mark(std::string(ObjectMeta::of(object).name()));
    objects_.settling_.wake();
  }

  KeptObjects& objects_;
};

KeptObjects::KeptObjects(Options options)
    : options_(std::move(options)),
      settling_({.settle = [this](std::string name) { return settle(std::move(name)); },
                 .failed =
                     [this](const std::string& name, const Error& why) {
                       log::get("extension")
                           .error("cannot be registered, trying again",
                                  {{"what", options_.what}, {"name", name}, {"error", why}});
                     },
                 .backoff = options_.backoff}) {}
KeptObjects::~KeptObjects() = default;

std::string KeptObjects::path() const {
  return options_.selector.empty() ? options_.collection
                                   : fmt::format("{}?{}", options_.collection, options_.selector);
}

boost::asio::awaitable<void> KeptObjects::start() {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  sink_ = std::make_unique<Sink>(*this);
  watch_ = std::make_unique<kube::ObjectWatch>(
      options_.cluster, kube::ObjectWatch::Options{.path = path(), .backoff = options_.backoff},
      *sink_);
  boost::asio::co_spawn(loop, follow(), boost::asio::detached);
  co_await settling_.start();
}

async::Task<> KeptObjects::stop() {
  if (watch_) watch_->stop();
  static_cast<void>(co_await settling_.stop());
  co_return co_await following_.close();
}

void KeptObjects::want(std::map<std::string, std::string> objects) {
  if (objects == wanted_) return;
  wanted_ = std::move(objects);
  look_again();
}

void KeptObjects::look_again() {
  if (!listed_) return;  // before they are known, nothing can be said of them
  for (const auto& [name, object] : wanted_) settling_.mark(name);
  for (const auto& [name, object] : seen_) settling_.mark(name);
  settling_.wake();
}

boost::asio::awaitable<void> KeptObjects::follow() {
  if (const async::Gate::Pass pass = following_.enter()) co_await watch_->run();
}

async::Task<bool> KeptObjects::settle(std::string name) {
  const auto wanted = wanted_.find(name);
  const auto seen = seen_.find(name);
  if (seen == seen_.end()) {
    if (wanted == wanted_.end()) co_return true;
    co_return co_await apply(name, wanted->second);
  }
  const value::Document present = parsed(seen->second);
  if (!options_.is_own(present.root())) {
    if (wanted != wanted_.end() && complained_.insert(name).second)
      log::get("extension")
          .error(
              "cannot be registered: an object of this name belongs to others, and stays as it is",
              {{"what", options_.what}, {"name", name}});
    co_return true;
  }
  const ObjectMeta metadata = ObjectMeta::of(present.root());
  if (metadata.is_being_deleted()) co_return true;
  if (wanted == wanted_.end()) {
    if (options_.may_go && !options_.may_go(present.root())) co_return true;
    STRAKE_CO_CHECK(co_await remove(name, std::string(metadata.uid()), settling_.stopping()));
    co_return true;
  }
  const value::Document next = parsed(wanted->second);
  if (covers(present.root(), next.root())) {
    tries_.erase(name);
    co_return true;
  }
  if (options_.may_become && !options_.may_become(present.root(), next.root())) co_return true;
  co_return co_await apply(name, wanted->second);
}

async::Task<bool> KeptObjects::apply(std::string name, std::string object) {
  Tries& tries = tries_[name];
  if (!tries.not_before.is_never() && !tries.not_before.expired()) co_return false;
  if (++tries.count > kMostAtOnce)
    tries.not_before = Deadline::after(async::pause_after(tries.count, options_.backoff));
  STRAKE_CO_TRY(
      const std::string answer,
      co_await options_.cluster->send(
          {.method = "PATCH",
           .path = fmt::format("{}/{}?fieldManager={}&force=true", options_.collection,
                               http::percent_encode(name), http::percent_encode(options_.manager)),
           .content_type = "application/apply-patch+yaml",
           .body = std::move(object)},
          settling_.stopping()));
  log::get("extension").info("registered", {{"what", options_.what}, {"name", name}});
  co_return true;
}

async::Task<> KeptObjects::remove(std::string name, std::string uid, CancelToken cancel) {
  std::string body = R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":)";
  value::write_json_string(uid, body);
  body += "}}";
  const Result<std::string> answer = co_await options_.cluster->send(
      {.method = "DELETE",
       .path = fmt::format("{}/{}", options_.collection, http::percent_encode(name)),
       .content_type = "application/json",
       .body = std::move(body)},
      std::move(cancel));
  if (!answer && answer.error().code() != Code::kNotFound &&
      answer.error().code() != Code::kConflict)
    co_return std::unexpected(answer.error());
  log::get("extension").info("no longer registered", {{"what", options_.what}, {"name", name}});
  co_return Result<>();
}

async::Task<> KeptObjects::remove_all(CancelToken cancel) {
  // What was seen may be old.
  ObjectList now;
  kube::ObjectWatch list(options_.cluster, {.path = path()}, now);
  const CancelRegistration registration = cancel.on_cancel([&list] { list.stop(); });
  STRAKE_CO_CHECK(co_await list.begin());
  for (const auto& [name, object] : now.objects) {
    const value::Document present = parsed(object);
    if (options_.is_own(present.root()))
      STRAKE_CO_CHECK(
          co_await remove(name, std::string(ObjectMeta::of(present.root()).uid()), cancel));
  }
  co_return Result<>();
}

}  // namespace strake::extension
