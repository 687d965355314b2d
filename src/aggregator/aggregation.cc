#include "aggregator/aggregation.h"

namespace strake::aggregator {

Aggregation::Aggregation(api::Hub& hub, Options options)
    : services_(hub),
      addresses_(hub, std::move(options.detour)),
      backends_(hub.loops(), addresses_, std::move(options.user_headers)),
      availability_(services_, addresses_, backends_),
      local_(services_),
      route_(services_, backends_, availability_) {}

async::Task<> Aggregation::start(api::Core& core) {
  STRAKE_CO_CHECK(co_await local_.start(core));
  co_return co_await availability_.start(core);
}

async::Task<> Aggregation::stop() {
  static_cast<void>(co_await availability_.stop());
  static_cast<void>(co_await local_.stop());
  backends_.close();
  co_return Result<>();
}

}  // namespace strake::aggregator
