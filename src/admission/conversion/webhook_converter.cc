#include "admission/conversion/webhook_converter.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "admission/conversion/conversion_review.h"
#include "admission/webhook/metrics.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "resource/settle.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::Conversion;
using api::refuse;
using meta::Status;
using value::Document;
using value::Value;

// The time that kube-apiserver 1.36 gives a conversion webhook.
constexpr std::chrono::seconds kTime{30};
constexpr std::size_t kMostInBatch = 100;
constexpr std::size_t kMostAtOnce = 4;  // batches of one request
constexpr std::size_t kMostKnown = 10'000;

// "conversion webhook for example.com/v1, Kind=Widget"
std::string webhook_for(const Conversion& conversion) {
  return fmt::format(
      "conversion webhook for {}, Kind={}",
      meta::GroupVersion{conversion.resource.group, conversion.from.name}.to_string(),
      conversion.resource.kind);
}

std::unexpected<Status> failed(const Conversion& conversion, std::string_view why) {
  return refuse(Status::raw_error(fmt::format("{} failed: {}", webhook_for(conversion), why)));
}

// Settled as what was stored is when it is read in that version.
Answer<> settle(const Conversion& conversion, Document& document) {
  STRAKE_TRY(const resource::Kind* kind, api::answer(conversion.to.kind()));
  return api::answer(resource::settle(
      document.root(), *kind, document.arena(), nullptr,
      {.apply_defaults = conversion.fill_defaults, .drop_malformed_metadata = true}));
}

Answer<> take_all(const Conversion& conversion, const Document& converted,
                  std::span<Document> documents) {
  const auto objects = converted.root().items();
  if (objects.size() != documents.size()) {
    return refuse(
        Status::raw_error(fmt::format("{} returned {} objects, expected {}",
                                      webhook_for(conversion), objects.size(), documents.size())));
  }
  const meta::GroupVersion to{conversion.resource.group, conversion.to.name};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    Document made;
    made.root() = value::deep_copy(objects[i], made.arena());
    if (!made.root().is_object()) made.root() = Value::object({});
    if (const auto fault = take_over(documents[i].root(), to, made))
      return refuse(
          Status::raw_error(fmt::format("{} returned {}", webhook_for(conversion), *fault)));
    if (conversion.settle) STRAKE_CHECK(settle(conversion, made));
    documents[i] = std::move(made);
  }
  return {};
}

ReviewVersion first_known(const Value& versions) {
  for (const Value& one : versions.items()) {
    if (value::text_of(one) == "v1") return ReviewVersion::kV1;
    if (value::text_of(one) == "v1beta1") return ReviewVersion::kV1beta1;
  }
  return ReviewVersion::kNone;
}

}  // namespace

struct WebhookConverter::Webhook {
  std::string text;  // that it was read from
  Target target;
  ReviewVersion version = ReviewVersion::kNone;
};

WebhookConverter::WebhookPtr WebhookConverter::webhook_of(const kinds::Resource& resource) const {
  const std::string_view name = resource.definition ? resource.definition->name : resource.plural;
  const std::lock_guard lock(mu_);
  const auto found = known_.find(name);
  if (found != known_.end() && found->second->text == resource.conversion_webhook)
    return found->second;
  auto made = std::make_shared<Webhook>();
  made->text = resource.conversion_webhook;
  if (const auto read = value::read_json(made->text)) {
    made->target = Target::of(read->root().get("clientConfig"));
    made->version = first_known(read->root().get("conversionReviewVersions"));
  }
  if (known_.size() >= kMostKnown) known_.clear();
  return known_.insert_or_assign(std::string(name), std::move(made)).first->second;
}

api::Eventual<> WebhookConverter::convert(const Conversion& conversion,
                                          std::span<Document> documents,
                                          const CancelToken& cancel) const {
  if (!conversion.resource.converted_by_webhook)
    return by_schema_.convert(conversion, documents, cancel);
  if (documents.empty()) return Answer<>();
  return ask(conversion, documents, cancel);
}

api::AnswerTask<> WebhookConverter::ask(Conversion conversion, std::span<Document> documents,
                                        CancelToken cancel) const {
  const WebhookPtr webhook = webhook_of(conversion.resource);
  const std::size_t batches = (documents.size() + kMostInBatch - 1) / kMostInBatch;
  std::optional<Status> refusal;
  const auto ask_one = [&](std::size_t i) -> boost::asio::awaitable<void> {
    if (refusal) co_return;
    const std::size_t begin = i * kMostInBatch;
    const Answer<> done = co_await ask_batch(
        *webhook, conversion,
        documents.subspan(begin, std::min(kMostInBatch, documents.size() - begin)), cancel);
    if (!done && !refusal) refusal = done.error();
  };
  co_await async::for_each_concurrently(batches, kMostAtOnce, ask_one);
  if (refusal) co_return refuse(*std::move(refusal));
  co_return Answer<>();
}

api::AnswerTask<> WebhookConverter::ask_batch(const Webhook& webhook, const Conversion& conversion,
                                              std::span<Document> documents,
                                              const CancelToken& cancel) const {
  const Answer<> together = co_await ask_once(webhook, conversion, documents, cancel);
  if (together || documents.size() == 1 || cancel.cancelled()) co_return together;
  // kube-apiserver 1.36 asks for one object at a time when it reads from its store: its messages
  // are about one. What was converted before the fault stays as it is.
  const std::string to =
      meta::GroupVersion{conversion.resource.group, conversion.to.name}.to_string();
  for (Document& one : documents) {
    if (value::text_of(one.root(), "apiVersion") == to) continue;
    STRAKE_CO_CHECK(co_await ask_once(webhook, conversion, std::span(&one, 1), cancel));
  }
  co_return Answer<>();
}

api::AnswerTask<> WebhookConverter::ask_once(const Webhook& webhook, const Conversion& conversion,
                                             std::span<Document> documents,
                                             const CancelToken& cancel) const {
  if (webhook.version == ReviewVersion::kNone)
    co_return refuse(Status::raw_error("no supported conversion review versions"));
  const std::string uid = api::new_uid();
  const std::string to =
      meta::GroupVersion{conversion.resource.group, conversion.to.name}.to_string();
  std::string question = write_conversion_review(
      {.uid = uid, .version = webhook.version, .to = to, .objects = documents});
  const SteadyTime begun = system_clock().steady_now();
  const auto text = co_await caller_.post(webhook.target, std::move(question), kTime, cancel);
  const auto count = [&](std::string_view why) {
    const std::chrono::nanoseconds time = system_clock().steady_now() - begun;
    count_conversion_call(time, why);
    count_conversion(conversion.resource.group_resource().to_string(), conversion.from.name,
                     conversion.to.name, time, why.empty());
  };
  if (!text) {
    count("conversion_webhook_call_failure");
    co_return failed(conversion, text.error().message);
  }
  const auto converted = read_conversion_review(*text, uid, webhook.version);
  if (!converted) {
    count("conversion_webhook_malformed_response_failure");
    co_return failed(conversion, converted.error());
  }
  Answer<> taken = take_all(conversion, *converted, documents);
  count(taken ? "" : "conversion_webhook_invalid_converted_object_failure");
  co_return taken;
}

}  // namespace strake::admission
