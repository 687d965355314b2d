#pragma once
// A connection after its upgrade, of either side. Internal to http.
#include <memory>

#include "http/byte_stream.h"
#include "http/transport.h"

namespace strake::http {

// Takes the transport over: it must have no listener and no coroutine any more. `keeps` lives until
// the stream is closed.
std::unique_ptr<RawStream> make_raw_stream(std::shared_ptr<Transport> transport,
                                           std::shared_ptr<void> keeps);

}  // namespace strake::http
