#pragma once
// Objects that this server keeps in another one: made there by server-side apply, put right when
// somebody changes or deletes them, deleted when they are not wanted any more. Objects of others
// that have the same name stay as they are, and the log says so once. Only calls that every
// Kubernetes API has.
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "async/gate.h"
#include "extension/settling.h"
#include "kube/object_watch.h"

namespace strake::extension {

// Whether all that `wanted` says stands in `present`: members of objects, and lists item by item.
bool covers(const value::Value& present, const value::Value& wanted);

class KeptObjects {
 public:
  struct Options {
    std::shared_ptr<const kube::ClusterClient> cluster;
    std::string what;           // "APIService", for the log
    std::string collection;     // "/apis/apiregistration.k8s.io/v1/apiservices"
    std::string selector = {};  // "fieldSelector=metadata.name%3Da": what is looked at of it
    // Whether an object that is there belongs to this server.
    std::function<bool(const value::Value&)> is_own;
    // Whether an own object that is not wanted may go; without it, all may.
    std::function<bool(const value::Value&)> may_go = {};
    // Whether an own object that is there may become the one that is wanted; without it, all may.
    std::function<bool(const value::Value& there, const value::Value& wanted)> may_become = {};
    std::string manager;  // of the fields that it applies
    async::Backoff backoff = {};
  };
  explicit KeptObjects(Options options);
  ~KeptObjects();

  // On the loop that calls, on which all else is called too. Goes on until stop().
  boost::asio::awaitable<void> start();
  // The objects that there shall be, as JSON by name.
  void want(std::map<std::string, std::string> objects);
  // May_go or may_become has changed its mind.
  void look_again();
  async::Task<> stop();
  // Instead of start(), or after stop(): deletes what is this server's own, whatever was wanted.
  // Fails with what the other server says, and with kCancelled.
  async::Task<> remove_all(CancelToken cancel = {});
  // Everything that was wanted is there, or belongs to somebody else.
  bool is_settled() const { return listed_ && settling_.is_done(); }

 private:
  class Sink;
  std::string path() const;
  boost::asio::awaitable<void> follow();
  async::Task<bool> settle(std::string name);
  async::Task<bool> apply(std::string name, std::string object);
  async::Task<> remove(std::string name, std::string uid, CancelToken cancel);

  const Options options_;
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<kube::ObjectWatch> watch_;
  bool listed_ = false;
  std::map<std::string, std::string> wanted_;
  std::map<std::string, std::string> seen_;  // what is there, as JSON by name
  // How often an object was applied since it was last seen to be right. Whoever changes it back
  // each time is not answered at once for ever.
  struct Tries {
    std::size_t count = 0;
    Deadline not_before;
  };
  std::map<std::string, Tries> tries_;
  std::set<std::string> complained_;  // of whose owners the log has told
  Settling settling_;                 // of names that are wanted or seen, once they were listed
  async::Gate following_;
};

}  // namespace strake::extension
