#pragma once
// The life of namespaces: a living one gets its default service account and the root certificate; a
// dying one is emptied, then let go.
#include <string>

#include "api/controllers/controller.h"

namespace strake::api {

class NamespaceController final : public Controller {
 public:
  // In kube-controller-manager 1.36 these are controllers of their own.
  struct Duties {
    bool default_account = true;  // a living namespace gets the service account `default`
    std::string root_ca = {};     // and the certificate that clients inside trust; empty for none
    bool empties = true;          // a dying one is emptied
  };
  NamespaceController(Core& core, Duties duties, const async::Executor& executor);

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         ObjectPtr object) override;
  boost::asio::awaitable<std::chrono::milliseconds> empty(std::string name, ObjectPtr object);
  boost::asio::awaitable<void> add_default_objects(std::string name);

  Duties duties_;
};

// Creates an object that the server itself needs, from JSON text, unless it is there.
boost::asio::awaitable<void> ensure_object(Core& core, std::string group, std::string plural,
                                           std::string namespace_name, std::string json);

}  // namespace strake::api
