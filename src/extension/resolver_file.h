#pragma once
// The file of a main server's --service-resolver-file: where services are that have no address of
// their own, as an object of "NAMESPACE/NAME" to "HOST:PORT". Extension servers beside it put their
// own entry in and leave those of others.
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::extension {

using ServiceAddresses = std::map<std::string, std::string>;  // by NAMESPACE/NAME[:PORT]

// JSON or YAML; an empty text is an empty map. Fails with kParse or kInvalid, naming the entry.
Result<ServiceAddresses> read_service_addresses(std::string_view text);
// As JSON, an entry a line.
std::string write_service_addresses(const ServiceAddresses& addresses);

// Changes one entry; an empty address takes it out. The file is replaced whole, one writer at a
// time, and made when it is not there. Fails with kIo, or as reading does: then it stays as it is.
Result<> set_service_address(const std::string& file, const std::string& service,
                             const std::string& address);

}  // namespace strake::extension
