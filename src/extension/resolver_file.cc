#include "extension/resolver_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "base/input_file.h"
#include "base/owned_fd.h"
#include "base/replacement_file.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::extension {
namespace {

constexpr std::uint64_t kMostAddressBytes = 4 << 20;
constexpr std::size_t kMostAddresses = 10'000;

Result<ServiceAddresses> read_addresses_from(const std::string& file) {
  const Result<InputFile> opened = InputFile::open(file, Pipes::kRefused);
  if (!opened && opened.error().code() == Code::kNotFound) return ServiceAddresses();
  if (!opened) return std::unexpected(opened.error());
  STRAKE_TRY(const std::string text, opened->read_all(kMostAddressBytes));
  return read_service_addresses(text);
}

Result<> set_under_lock(const std::string& file, const std::string& service,
                        const std::string& address) {
  const std::string lock_name = file + ".lock";
  const OwnedFd lock(::open(lock_name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  // Held for the moment that a small file takes to write.
  if (!lock || ::flock(lock.get(), LOCK_EX) != 0)
    return fail(Code::kIo, "{}: {}", lock_name, std::strerror(errno));
  STRAKE_TRY(ServiceAddresses addresses, read_addresses_from(file));
  const auto found = addresses.find(service);
  if (found == addresses.end() ? address.empty() : found->second == address) return {};
  if (address.empty()) {
    addresses.erase(service);
  } else {
    addresses[service] = address;
  }
  STRAKE_TRY(ReplacementFile next, ReplacementFile::unique(file));
  return next.replace(write_service_addresses(addresses), 0644);
}

}  // namespace

Result<ServiceAddresses> read_service_addresses(std::string_view text) {
  STRAKE_TRY(const value::Document read, value::read_yaml(text));
  if (read.root().is_null()) return ServiceAddresses();
  if (!read.root().is_object())
    return fail(Code::kInvalid, "must be an object of NAMESPACE/NAME to HOST:PORT");
  if (read.root().size() > kMostAddresses)
    return fail(Code::kLimit, "more than {} services", kMostAddresses);
  ServiceAddresses out;
  for (const value::Member& one : read.root().members()) {
    if (!one.value.is_string())
      return fail(Code::kInvalid, "{}: must be a string such as 127.0.0.1:8443", one.key);
    out.emplace(one.key, one.value.as_string());
  }
  return out;
}

std::string write_service_addresses(const ServiceAddresses& addresses) {
  std::string out = "{";
  for (const auto& [service, address] : addresses) {
    out += out.size() > 1 ? ",\n  " : "\n  ";
    value::write_json_string(service, out);
    out += ": ";
    value::write_json_string(address, out);
  }
  out += addresses.empty() ? "}\n" : "\n}\n";
  return out;
}

Result<> set_service_address(const std::string& file, const std::string& service,
                             const std::string& address) {
  Result<> set = set_under_lock(file, service, address);
  if (!set) return std::unexpected(std::move(set).error().in(file));
  return set;
}

}  // namespace strake::extension
