#pragma once
// Makes an extension server known to its main server: an APIService for each version of each group
// that it serves, as definitions come and go, and the Service and EndpointSlice that lead to it
// where it has an address that others reach.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/informer.h"
#include "extension/kept_objects.h"
#include "extension/service_name.h"

namespace strake::extension {

// What it carries that belongs to an extension server: the label with the server's id.
inline constexpr std::string_view kServerLabel = "extension.strake.dev/server";

// Where the main server's connections go.
struct ReachableAddress {
  std::string ip;
  std::uint16_t port = 0;
};
// Nothing when it is no address, or one that only this machine reaches.
std::optional<ReachableAddress> reachable(std::string_view host, std::uint16_t port);

// What a definition serves: nothing until its names are accepted.
struct Served {
  std::string group;
  std::vector<std::string> versions;
  static Served by(const value::Value& definition);
};

struct RegistrationOptions {
  std::shared_ptr<const kube::ClusterClient> cluster;
  std::string label{kServerLabel};
  std::string server_id;  // its value
  ServiceName service;
  std::string ca_pem;  // of the authorities that have signed the serving certificate
  // Without one, no Service is made: the main server has to know the way by itself.
  std::optional<ReachableAddress> address;
  // Which groups are registered, when they are defined.
  std::function<bool(std::string_view group)> shows;
  async::Backoff backoff = {};
};

// The objects as they are applied, as JSON.
std::string api_service_json(const RegistrationOptions& options, std::string_view group,
                             std::string_view version);
std::string service_json(const RegistrationOptions& options);
std::string endpoint_slice_json(const RegistrationOptions& options);

class Registration {
 public:
  // Follows the definitions of the hub, which must outlive it.
  Registration(RegistrationOptions options, api::Hub& hub);
  ~Registration();

  // On the loop that calls.
  boost::asio::awaitable<void> start();
  // With `remove`, what was registered is deleted at the main server first, until it is cancelled.
  async::Task<> stop(bool remove, CancelToken cancel = {});

 private:
  static Result<Served> read(const api::Object& object);
  boost::asio::awaitable<void> follow();
  void tell(std::map<std::string, Served> definitions);

  const RegistrationOptions options_;
  api::Informer<Served> definitions_;
  std::unique_ptr<KeptObjects> api_services_;
  std::unique_ptr<KeptObjects> services_;  // null without an address
  std::unique_ptr<KeptObjects> slices_;
  std::shared_ptr<async::Signal> signal_;
  CancelSource stopping_;
  async::Gate running_;
};

// Deletes everything that a server of that id has registered: for one that does not run.
async::Task<> remove_registration(RegistrationOptions options);

}  // namespace strake::extension
