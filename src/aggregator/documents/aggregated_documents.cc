#include "aggregator/documents/aggregated_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "async/cancellable.h"
#include "base/log.h"
#include "publish/openapi.h"
#include "publish/openapi_v2_to_v3.h"
#include "value/json_reader.h"

namespace strake::aggregator {
namespace {

// The users as which kube-apiserver 1.36 asks.
constexpr std::string_view kDiscoveryUser = "system:kube-aggregator";
constexpr std::string_view kOpenApiUser = "system:aggregator";

// Servers built with older libraries know the second alone. A plain list is not asked for here: a
// server that has neither says so.
constexpr std::string_view kAcceptDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
constexpr std::string_view kAcceptJson = "application/json";

constexpr std::size_t kMostIndexBytes = std::size_t{1} << 20;

Text share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

std::string document_path(const RemoteService& service) {
  return fmt::format("apis/{}/{}", service.group, service.version);
}

Error unexpected_status(int status) {
  return {Code::kServiceUnavailable, fmt::format("the server answered with status {}", status)};
}

// What a discovery document says of each of the services; nothing when it is no such document.
using Resources = std::vector<Result<std::optional<std::string>>>;
Result<std::optional<Resources>> read_aggregated(std::string text,
                                                 const std::vector<RemoteService>& services,
                                                 const publish::RemoteDiscoveryLimits& limits) {
  STRAKE_TRY(const value::Document document, publish::read_remote_json(std::move(text), limits));
  if (!publish::is_aggregated_discovery(document.root())) return std::nullopt;
  Resources out;
  for (const RemoteService& service : services) {
    out.push_back(
        publish::resources_in_aggregated(document.root(), service.group, service.version, limits));
  }
  return out;
}

Result<std::string> read_list(std::string text, const RemoteService& service,
                              const publish::RemoteDiscoveryLimits& limits) {
  STRAKE_TRY(const value::Document document, publish::read_remote_json(std::move(text), limits));
  return publish::resources_in_list(document.root(), service.group, service.version, limits);
}

// The hash of each service's v3 document; nothing where there is none.
using Hashes = std::vector<std::optional<std::string>>;
Result<Hashes> read_index(std::string text, const std::vector<RemoteService>& services,
                          const publish::RemoteDiscoveryLimits& limits) {
  STRAKE_TRY(const value::Document document, publish::read_remote_json(std::move(text), limits));
  Hashes out;
  for (const RemoteService& service : services) {
    STRAKE_TRY(std::optional<std::string> hash,
               publish::hash_in_v3_index(document.root(), document_path(service)));
    out.push_back(std::move(hash));
  }
  return out;
}

Result<std::string> check_v3(std::string text, const publish::RemoteOpenApiLimits& limits) {
  value::ReadOptions options;
  options.limits.bytes = limits.bytes;
  options.limits.nodes = limits.nodes;
  options.limits.depth = limits.depth;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  STRAKE_TRY(const value::Document document, value::read_json_borrowed(text, options));
  if (!document.root().is_object())
    return fail(Code::kInvalid, "an OpenAPI document must be an object");
  return text;
}

}  // namespace

AggregatedDocuments::AggregatedDocuments(DocumentFetcher& fetcher, async::Workers& workers,
                                         async::Executor executor, Options options)
    : fetcher_(fetcher),
      workers_(workers),
      executor_(std::move(executor)),
      options_(options),
      known_(options.kept_v2_bytes),
      signal_(std::make_shared<async::Signal>(executor_)),
      servers_(options.servers_at_a_time),
      openapi_(options.openapi_at_a_time) {}

AggregatedDocuments::~AggregatedDocuments() = default;

void AggregatedDocuments::set_services(std::vector<RemoteService> services) {
  std::set<std::string> to_ask = known_.set_services(std::move(services));
  if (to_ask.empty()) return;
  {
    const std::lock_guard lock(due_mu_);
    // Something about them is new, and they may be well now.
    for (const std::string& server : to_ask) conduct_.erase(server);
    due_.merge(to_ask);
  }
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

void AggregatedDocuments::refresh() {
  std::set<std::string> all = known_.servers();
  {
    const std::lock_guard lock(due_mu_);
    due_.merge(all);
  }
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

void AggregatedDocuments::start() {
  boost::asio::co_spawn(executor_, run(), boost::asio::detached);
}

async::Task<> AggregatedDocuments::stop() {
  stopping_.cancel();
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
  co_return co_await gate_.close();
}

async::Task<> AggregatedDocuments::settled() {
  async::OneShot<> done;
  {
    const std::lock_guard lock(due_mu_);
    settling_.push_back(done);
  }
  boost::asio::post(executor_, [this] { end_if_settled(); });
  co_return co_await done.wait();
}

void AggregatedDocuments::end_if_settled() {
  const std::lock_guard lock(due_mu_);
  if (!due_.empty() || !under_way_.empty()) return;
  for (async::OneShot<>& one : settling_) one.set({});
  settling_.clear();
}

boost::asio::awaitable<void> AggregatedDocuments::run() {
  const async::Gate::Pass pass = gate_.enter();
  const std::shared_ptr<async::Signal> signal = signal_;
  Deadline next_round = Deadline::after(options_.period);
  while (pass && !stopping_.cancelled()) {
    const Result<bool> notified = co_await signal->wait(next_round);
    if (!notified || stopping_.cancelled()) break;
    if (next_round.expired()) {
      next_round = Deadline::after(options_.period);
      std::set<std::string> all = known_.servers();
      const std::lock_guard lock(due_mu_);
      std::erase_if(conduct_, [&all](const auto& one) { return !all.contains(one.first); });
      due_.merge(all);
    }
    ask_those_due();
  }
  {
    const std::lock_guard lock(due_mu_);
    due_.clear();
  }
  end_if_settled();
}

void AggregatedDocuments::ask_those_due() {
  std::vector<std::string> now;
  {
    const std::lock_guard lock(due_mu_);
    for (auto next = due_.begin(); next != due_.end();) {
      // One that is being asked is asked again afterwards.
      if (!under_way_.insert(*next).second) {
        ++next;
        continue;
      }
      now.push_back(*next);
      next = due_.erase(next);
    }
  }
  for (std::string& server : now)
    boost::asio::co_spawn(executor_, ask(std::move(server)), boost::asio::detached);
}

boost::asio::awaitable<void> AggregatedDocuments::ask(std::string server) {
  const async::Gate::Pass pass = gate_.enter();
  if (!pass) co_return;
  std::vector<RemoteService> services = known_.services_of(server);
  // Who does not tell even what it serves in time is not asked for what is larger.
  if (!services.empty() && co_await ask_discovery(services) == Outcome::kDone &&
      !is_paused(server, services)) {
    const Outcome outcome = co_await ask_openapi(services);
    remember(server, std::move(services), outcome);
  }
  {
    const std::lock_guard lock(due_mu_);
    under_way_.erase(server);
  }
  if (stopping_.cancelled()) {
    const std::lock_guard lock(due_mu_);
    due_.clear();
  }
  ask_those_due();
  end_if_settled();
}

boost::asio::awaitable<AggregatedDocuments::Outcome> AggregatedDocuments::ask_openapi(
    std::vector<RemoteService> services) {
  if (co_await ask_openapi_v3(services) == Outcome::kTimedOut) co_return Outcome::kTimedOut;
  co_return co_await ask_openapi_v2(std::move(services));
}

AggregatedDocuments::Outcome AggregatedDocuments::not_had(const Error& error) {
  return error.code() == Code::kTimeout ? Outcome::kTimedOut : Outcome::kDone;
}

bool AggregatedDocuments::is_paused(const std::string& server,
                                    const std::vector<RemoteService>& services) {
  const SteadyTime now = options_.clock->steady_now();
  const std::lock_guard lock(due_mu_);
  const auto known = conduct_.find(server);
  return known != conduct_.end() && now < known->second.paused_until &&
         known->second.late == services;
}

void AggregatedDocuments::remember(const std::string& server, std::vector<RemoteService> services,
                                   Outcome outcome) {
  const SteadyTime now = options_.clock->steady_now();
  const std::lock_guard lock(due_mu_);
  if (outcome == Outcome::kDone) {
    if (const auto known = conduct_.find(server); known != conduct_.end()) known->second.pause = {};
    return;
  }
  Conduct& conduct = conduct_[server];
  conduct.pause = std::max<std::chrono::nanoseconds>(
      options_.period,
      std::min<std::chrono::nanoseconds>(conduct.pause * 2, options_.longest_pause));
  conduct.paused_until = now + conduct.pause;
  conduct.late = std::move(services);
}

void AggregatedDocuments::ask_again(const std::string& server) {
  const SteadyTime now = options_.clock->steady_now();
  {
    const std::lock_guard lock(due_mu_);
    std::optional<SteadyTime>& last = conduct_[server].asked_again;
    if (last && now < *last + options_.least_interval) return;
    last = now;
    due_.insert(server);
  }
  signal_->notify();
}

template <typename Function>
auto AggregatedDocuments::on_worker(Function function)
    -> boost::asio::awaitable<std::invoke_result_t<Function&>> {
  co_return co_await workers_.run(
      [function = std::move(function)]() mutable -> std::invoke_result_t<Function&> {
        try {
          return function();
        } catch (...) {
          return fail(Code::kLimit, "the document takes too much memory");  // docs/adr/0003
        }
      });
}

DocumentRequest AggregatedDocuments::request(const RemoteService& service,
                                             std::string target) const {
  DocumentRequest out;
  out.group = service.group;
  out.version = service.version;
  out.target = std::move(target);
  out.accept = kAcceptJson;
  out.cancel = stopping_.token();
  return out;
}

void AggregatedDocuments::report(const std::vector<RemoteService>& services, std::string_view what,
                                 const Error& error) {
  bool is_news = false;
  for (const RemoteService& service : services) is_news |= known_.learn_failure(service);
  if (!is_news || stopping_.cancelled()) return;
  log::get("aggregator")
      .warn(
          "the documents of an APIService cannot be had",
          {{"apiservice", services.front().name}, {"document", what}, {"error", error.message()}});
}

// --- discovery

boost::asio::awaitable<AggregatedDocuments::Outcome> AggregatedDocuments::ask_discovery(
    std::vector<RemoteService> services) {
  std::optional<Slots::Held> slot;
  slot.emplace(co_await servers_.take());
  if (stopping_.cancelled()) co_return Outcome::kDone;
  DocumentRequest asked = request(services.front(), "/apis");
  asked.accept = kAcceptDiscovery;
  asked.etag = known_.discovery_etag(services);
  const bool may_be_unchanged = !asked.etag.empty();
  asked.user = kDiscoveryUser;
  asked.groups = {"system:masters"};
  asked.deadline = Deadline::after(options_.discovery_timeout);
  asked.max_bytes = options_.discovery.bytes;
  Result<FetchedDocument> got = co_await fetcher_.fetch(std::move(asked));
  // It went meanwhile: that says nothing of the others that its server has.
  if (!got && got.error().code() == Code::kNotFound) co_return Outcome::kDone;
  if (!got) {
    report(services, "discovery", got.error());
    co_return not_had(got.error());
  }
  if (got->status == 304 && may_be_unchanged) {
    for (const RemoteService& service : services) known_.learn_no_change(service);
    co_return Outcome::kDone;
  }
  std::optional<Resources> read;
  if (got->status == 200) {
    Result<std::optional<Resources>> outcome = co_await on_worker(
        [text = std::move(got->body), services, limits = options_.discovery]() mutable {
          return read_aggregated(std::move(text), services, limits);
        });
    if (!outcome) {
      report(services, "discovery", outcome.error());
      co_return Outcome::kDone;
    }
    read = *std::move(outcome);
  } else if (got->status != 406 && got->status != 404) {
    report(services, "discovery", unexpected_status(got->status));
    co_return Outcome::kDone;
  }
  slot.reset();
  if (!read) {
    for (const RemoteService& service : services) {
      if (co_await ask_list(service) == Outcome::kTimedOut) co_return Outcome::kTimedOut;
    }
    co_return Outcome::kDone;
  }
  for (std::size_t i = 0; i < services.size(); ++i) {
    Result<std::optional<std::string>>& one = (*read)[i];
    if (!one) {
      report({services[i]}, "discovery", one.error());
      continue;
    }
    // A server that does not name the version has nothing in it.
    known_.learn_resources(services[i], share(std::move(*one).value_or("[]")), got->etag);
  }
  co_return Outcome::kDone;
}

boost::asio::awaitable<AggregatedDocuments::Outcome> AggregatedDocuments::ask_list(
    RemoteService service) {
  const Slots::Held slot = co_await servers_.take();
  if (stopping_.cancelled()) co_return Outcome::kDone;
  DocumentRequest asked =
      request(service, fmt::format("/apis/{}/{}", service.group, service.version));
  asked.user = kDiscoveryUser;
  asked.groups = {"system:masters"};
  asked.deadline = Deadline::after(options_.discovery_timeout);
  asked.max_bytes = options_.discovery.bytes;
  Result<FetchedDocument> got = co_await fetcher_.fetch(std::move(asked));
  if (!got) {
    report({service}, "discovery", got.error());
    co_return not_had(got.error());
  }
  if (got->status != 200) {
    report({service}, "discovery", unexpected_status(got->status));
    co_return Outcome::kDone;
  }
  Result<std::string> read = co_await on_worker(
      [text = std::move(got->body), service, limits = options_.discovery]() mutable {
        return read_list(std::move(text), service, limits);
      });
  if (!read) {
    report({service}, "discovery", read.error());
    co_return Outcome::kDone;
  }
  known_.learn_resources(service, share(*std::move(read)), {});
  co_return Outcome::kDone;
}

// --- OpenAPI

boost::asio::awaitable<AggregatedDocuments::Outcome> AggregatedDocuments::ask_openapi_v3(
    std::vector<RemoteService> services) {
  std::optional<Slots::Held> slot;
  slot.emplace(co_await openapi_.take());
  if (stopping_.cancelled()) co_return Outcome::kDone;
  DocumentRequest asked = request(services.front(), "/openapi/v3");
  asked.etag = known_.v3_etag(services);
  asked.user = kOpenApiUser;
  asked.deadline = Deadline::after(options_.openapi_timeout);
  asked.max_bytes = kMostIndexBytes;
  Result<FetchedDocument> got = co_await fetcher_.fetch(std::move(asked));
  // The last hashes stay when there is nothing new.
  if (!got) co_return not_had(got.error());
  if (got->status == 304) co_return Outcome::kDone;
  if (got->status != 200) {
    if (got->status != 404) co_return Outcome::kDone;
    for (const RemoteService& service : services) known_.learn_v3_is_made_of_v2(service);
    co_return Outcome::kDone;
  }
  Result<Hashes> read = co_await on_worker(
      [text = std::move(got->body), services, limits = options_.discovery]() mutable {
        return read_index(std::move(text), services, limits);
      });
  if (!read) co_return Outcome::kDone;
  slot.reset();
  for (std::size_t i = 0; i < services.size(); ++i) {
    const RemoteService& service = services[i];
    std::optional<std::string>& hash = (*read)[i];
    if (!hash) {
      known_.learn_v3(service, {}, got->etag);
    } else if (!hash->empty()) {
      known_.learn_v3(service, *std::move(hash), got->etag);
    } else {
      // The index does not tell: the document itself does. Asked for again next time.
      const Slots::Held held = co_await openapi_.take();
      if (stopping_.cancelled()) co_return Outcome::kDone;
      const auto document = co_await fetch_v3(service, document_path(service), {});
      if (!document && not_had(document.error()) == Outcome::kTimedOut)
        co_return Outcome::kTimedOut;
      if (!document) continue;
      const std::lock_guard lock(v3_mu_);
      keep_v3(document_path(service), *document);
      known_.learn_v3(service, document->hash, {});
    }
  }
  co_return Outcome::kDone;
}

boost::asio::awaitable<AggregatedDocuments::Outcome> AggregatedDocuments::ask_openapi_v2(
    std::vector<RemoteService> services) {
  const Slots::Held slot = co_await openapi_.take();
  if (stopping_.cancelled()) co_return Outcome::kDone;
  DocumentRequest asked = request(services.front(), "/openapi/v2");
  asked.etag = known_.v2_etag(services);
  asked.user = kOpenApiUser;
  asked.deadline = Deadline::after(options_.openapi_timeout);
  asked.max_bytes = options_.openapi.bytes;
  Result<FetchedDocument> got = co_await fetcher_.fetch(std::move(asked));
  if (!got) co_return not_had(got.error());
  if (got->status == 304) co_return Outcome::kDone;
  if (got->status != 200) {
    if (got->status != 404) co_return Outcome::kDone;
    for (const RemoteService& service : services) known_.learn_v2(service, nullptr, {}, {});
    co_return Outcome::kDone;
  }
  const Text whole = share(std::move(got->body));
  for (const RemoteService& service : services) {
    Result<std::string> part = co_await on_worker([whole, service, limits = options_.openapi]() {
      return publish::openapi_v2_part(*whole, service.group, service.version, limits);
    });
    if (!part) continue;
    std::string hash = publish::is_empty_part(*part) ? "" : publish::document_hash(*part);
    known_.learn_v2(service, share(*std::move(part)), std::move(hash), got->etag);
  }
  co_return Outcome::kDone;
}

async::Task<api::RemoteDocument> AggregatedDocuments::fetch_v3(RemoteService service,
                                                               std::string path, std::string hash) {
  std::string target = "/openapi/v3/" + path;
  if (!hash.empty()) target += "?hash=" + hash;
  DocumentRequest asked = request(service, std::move(target));
  asked.user = kOpenApiUser;
  asked.deadline = Deadline::after(options_.document_timeout);
  asked.max_bytes = options_.openapi.bytes;
  STRAKE_CO_TRY(FetchedDocument got, co_await fetcher_.fetch(std::move(asked)));
  if (got.status != 200) co_return std::unexpected(unexpected_status(got.status));
  auto read = co_await on_worker([text = std::move(got.body), limits = options_.openapi]() mutable {
    return check_v3(std::move(text), limits);
  });
  if (!read) co_return std::unexpected(std::move(read).error());
  if (hash.empty()) hash = publish::document_hash(*read);
  co_return api::RemoteDocument{.hash = std::move(hash), .text = share(*std::move(read))};
}

async::Task<api::RemoteDocument> AggregatedDocuments::made_of_v2(Text part) {
  Result<std::string> made = co_await on_worker(
      [part, limits = options_.openapi] { return publish::openapi_v3_of_v2(*part, limits); });
  if (!made) co_return std::unexpected(std::move(made).error());
  co_return api::RemoteDocument{.hash = publish::document_hash(*part),
                                .text = share(*std::move(made))};
}

void AggregatedDocuments::keep_v3(const std::string& path, const api::RemoteDocument& document) {
  // As with this server's own: only some are held.
  if (v3_bytes_ + document.text->size() > options_.kept_v3_bytes) {
    v3_.clear();
    v3_bytes_ = 0;
  }
  api::RemoteDocument& kept = v3_[path];
  if (kept.text != nullptr) v3_bytes_ -= kept.text->size();
  v3_bytes_ += document.text->size();
  kept = document;
}

async::Task<api::RemoteDocument> AggregatedDocuments::openapi_v3(std::string path,
                                                                 CancelToken cancel) {
  async::OneShot<api::RemoteDocument> done;
  bool is_first = false;
  {
    const api::RemoteSnapshotPtr now = known_.snapshot();
    const auto current = now->openapi_v3.find(path);
    const std::lock_guard lock(v3_mu_);
    const auto kept = v3_.find(path);
    if (kept != v3_.end() && current != now->openapi_v3.end() &&
        kept->second.hash == current->second) {
      co_return kept->second;
    }
    auto& waiting = v3_waiting_[path];
    is_first = waiting.empty();
    waiting.push_back(done);
  }
  if (is_first) boost::asio::co_spawn(executor_, get_v3(path), boost::asio::detached);
  const CancelRegistration registration = async::end_wait_when(cancel, done);
  co_return co_await done.wait();
}

// For all who wait for it.
boost::asio::awaitable<void> AggregatedDocuments::get_v3(std::string path) {
  const async::Gate::Pass pass = gate_.enter();
  Result<api::RemoteDocument> got =
      fail(Code::kServiceUnavailable, "nobody serves the document any more");
  const std::optional<RemoteService> service = known_.service_of_path(path);
  if (pass && service) {
    const api::RemoteSnapshotPtr now = known_.snapshot();
    const auto hash = now->openapi_v3.find(path);
    const Text v2 = known_.v2_instead_of_v3(path);
    if (v2 != nullptr) {
      got = co_await made_of_v2(v2);
    } else if (service->available && hash != now->openapi_v3.end()) {
      got = co_await fetch_v3(*service, path, hash->second);
    }
    // It may have changed since its hash was told: which is to be asked for again.
    if (!got && service->available && !stopping_.cancelled()) {
      log::get("aggregator")
          .info("an OpenAPI document of an APIService cannot be had",
                {{"apiservice", service->name}, {"error", got.error().message()}});
      ask_again(service->server);
    }
  }
  std::vector<async::OneShot<api::RemoteDocument>> waiting;
  {
    const std::lock_guard lock(v3_mu_);
    waiting.swap(v3_waiting_[path]);
    v3_waiting_.erase(path);
    if (got) {
      keep_v3(path, *got);
    } else if (const auto last = v3_.find(path); last != v3_.end()) {
      got = last->second;
    }
  }
  for (async::OneShot<api::RemoteDocument>& one : waiting) one.set(got);
}

}  // namespace strake::aggregator
