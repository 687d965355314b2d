#pragma once
// Whether the server of an APIService can be used now: its service, the endpoints, and whether it
// answers.
#include <boost/asio/awaitable.hpp>

#include "aggregator/backend.h"
#include "aggregator/services/service_addresses.h"

namespace strake::aggregator {

struct Checked {
  Availability condition;
  // It did not answer, which nobody else will tell of: to be tried again before long.
  bool unanswered = false;
};

// Takes six seconds at most. Asks five times at once, and one good answer will do.
boost::asio::awaitable<Checked> check_availability(ApiServicePtr service,
                                                   ServiceAddresses& addresses, Backends& backends,
                                                   CancelToken cancel);

}  // namespace strake::aggregator
