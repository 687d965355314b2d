#pragma once
// Conversion by the webhooks of definitions whose strategy says so, and by schemas for all others.
// Objects of a list go to the webhook together, a batch at a time. What it made of an object is
// kept with the object by whoever asked, so that nothing is converted twice.
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "admission/webhook/caller.h"
#include "api/request/schema_converter.h"

namespace strake::admission {

class WebhookConverter final : public api::Converter {
 public:
  // Both must outlive it.
  WebhookConverter(const async::Loops& loops, const Clock& clock) : caller_(loops, clock) {}
  // When the server ends: before its loops do.
  void close() { caller_.close(); }

  bool is_at_once(const api::Conversion& conversion) const override {
    return !conversion.resource.converted_by_webhook;
  }
  api::Eventual<> convert(const api::Conversion& conversion, std::span<value::Document> documents,
                          const CancelToken& cancel) const override;

 private:
  struct Webhook;
  using WebhookPtr = std::shared_ptr<const Webhook>;
  WebhookPtr webhook_of(const kinds::Resource& resource) const;
  api::AnswerTask<> ask(api::Conversion conversion, std::span<value::Document> documents,
                        CancelToken cancel) const;
  api::AnswerTask<> ask_batch(const Webhook& webhook, const api::Conversion& conversion,
                              std::span<value::Document> documents,
                              const CancelToken& cancel) const;
  // One question, with all of them.
  api::AnswerTask<> ask_once(const Webhook& webhook, const api::Conversion& conversion,
                             std::span<value::Document> documents, const CancelToken& cancel) const;

  api::SchemaConverter by_schema_;
  Caller caller_;
  mutable std::mutex mu_;
  mutable std::map<std::string, WebhookPtr, std::less<>> known_;  // by definition; guarded by mu_
};

}  // namespace strake::admission
