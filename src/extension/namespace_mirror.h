#pragma once
// An extension server has the namespaces of its main server: each is copied, with its labels, and
// goes when that one goes, with everything that this server has in it. So whatever asks about
// namespaces here (admission, webhooks, policies) gets the main server's answer. Namespaces that an
// administrator made here alone are left alone.
#include <map>
#include <memory>
#include <string>

#include "api/request/core.h"
#include "async/gate.h"
#include "extension/settling.h"
#include "kube/object_watch.h"

namespace strake::extension {

// The UID of the namespace of the main server that this one is a copy of.
inline constexpr std::string_view kMainUid = "extension.strake.dev/main-uid";

class NamespaceMirror {
 public:
  struct Options {
    std::shared_ptr<const kube::ClusterClient> cluster;
    async::Backoff backoff = {};
  };
  explicit NamespaceMirror(Options options);
  ~NamespaceMirror();

  // Copies those that are there, as far as they can be read: when they cannot, the log says so, and
  // it goes on trying. On the loop that calls; the core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

 private:
  struct Wanted {
    std::string uid;
    std::map<std::string, std::string> labels;
    friend bool operator==(const Wanted&, const Wanted&) = default;
  };
  class Sink;
  boost::asio::awaitable<void> follow();
  // Whether it is as it should be now.
  async::Task<bool> settle(std::string name);
  async::Task<> make(std::string name, Wanted wanted);
  async::Task<bool> put_right(std::string name, api::ObjectPtr present, Wanted wanted);
  async::Task<bool> remove(std::string name, api::ObjectPtr present);
  api::ObjectPtr present(const std::string& name) const;

  const Options options_;
  api::Core* core_ = nullptr;
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<kube::ObjectWatch> watch_;
  std::map<std::string, Wanted> wanted_;  // that are there and not going; of the loop
  Settling settling_;
  async::Gate following_;
};

}  // namespace strake::extension
