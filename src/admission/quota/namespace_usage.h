#pragma once
// What one namespace uses of everything that its quotas limit. Only the lane of the namespace
// (quotas.h) touches it. Objects whose amounts matter are read once when a quota first asks about
// them, and then again when they change; all others are only counted, by Usage.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "admission/quota/measured.h"
#include "admission/quota/standing.h"
#include "admission/quota/usage.h"
#include "api/request/core.h"

namespace strake::admission {

class NamespaceUsage {
 public:
  // The core must outlive it.
  NamespaceUsage(api::Core& core, std::shared_ptr<Usage> usage, std::string namespace_name);
  ~NamespaceUsage();
  NamespaceUsage(const NamespaceUsage&) = delete;
  NamespaceUsage& operator=(const NamespaceUsage&) = delete;

  // Takes in all that was told up to now, as far as these quotas ask about it. Fails when the
  // server does not follow its store.
  async::Task<> refresh(std::vector<std::shared_ptr<const QuotaFacts>> quotas);

  // Of that amount, by objects in these scopes, as of the last refresh; nothing for what no quota
  // counts.
  std::optional<Quantity> used(const std::string& name, const Scopes& scopes) const;
  // Counts a write of the namespace until its charge ends. Null when it will fail.
  std::unique_ptr<Usage::Charge> charge(const Demand& demand);
  // When it changes although nothing is written.
  std::optional<Instant> next_change() const;

 private:
  struct Resource {
    const kinds::QuotaEvaluator* evaluator;
    api::EndpointPtr endpoint;
    std::unique_ptr<Measured> measured;  // null while no quota asks
  };
  using Objects = std::vector<std::pair<std::string, api::ObjectPtr>>;  // by key; null: gone

  async::Task<> measure_all(Resource& resource, std::vector<Scopes> sets);
  async::Task<> take_news(Resource& resource, Measured& measured);
  boost::asio::awaitable<void> take_in(Measured& measured, const Objects& objects);

  api::Core& core_;
  const std::shared_ptr<Usage> usage_;
  const std::string namespace_name_;
  std::vector<Resource> resources_;
};

}  // namespace strake::admission
