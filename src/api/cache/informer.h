#pragma once
// A current view of other resources, for whoever must know them to do its own work: stages and
// verbs read it, controllers follow it. What matters about an object (its facts) is read once for
// each change, kept by key and found by indexes. All that one informer follows belongs together:
// a view shows several resources as they stood at one revision.
//
//   Informer<Binding> bindings(hub, {.prefixes = {kRoleBindings, kClusterRoleBindings},
//                                    .read = read_binding,
//                                    .indexes = {{"subject", &Binding::subject_names}}});
//   bindings.view().for_each("subject", user, [&](const auto& binding) { ... });
//
// The thread of the store only notes which objects have changed. Facts are read by the next who
// asks, so a commit waits neither for parsing nor for readers, an object that changed many times
// is read once, and whoever was told of a write finds it in the view. Readers share a lock rather
// than take an immutable copy: a change costs what it changes, however many objects there are.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cache/hub.h"
#include "async/signal.h"
#include "base/hash.h"
#include "base/result.h"

namespace strake::api {

// What does not depend on the type of the facts.
class InformerBase {
 public:
  InformerBase(const InformerBase&) = delete;
  InformerBase& operator=(const InformerBase&) = delete;

  // The view has everything that was there when it began.
  bool synced() const { return changed() > 0; }
  // The newest change to what it follows; 0 until it is synced.
  Revision changed() const { return changed_.load(std::memory_order_acquire); }
  const std::vector<std::string>& prefixes() const { return rules_.prefixes; }

  // What has become of one key since a follower last asked.
  struct Note {
    std::string key = {};
    ResourceCache* cache = nullptr;
    Revision since = 0;  // its first change; 0 for what was there when the follower began
    std::shared_ptr<const void> before = {};  // its facts before that; see Informer::before
    std::vector<ObjectPtr> gone = {};         // the last state before each deletion
  };

  // Tells a controller what has changed, beginning with all that is there. A key comes once,
  // however often it changed, in the order of first changes. Must not outlive the informer.
  class Follower {
   public:
    // The signal, which belongs to the executor, is notified when there is something to take: once,
    // however much it is.
    Follower(InformerBase& informer, async::Executor executor,
             std::shared_ptr<async::Signal> signal);
    ~Follower();
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    struct Taken {
      std::vector<Note> notes;
      Revision revision = 0;  // they tell every change up to here; 0 until the informer is synced
    };
    Taken take();

   private:
    friend class InformerBase;
    void wake();

    InformerBase& informer_;
    async::Executor executor_;
    std::shared_ptr<async::Signal> signal_;
    std::atomic<bool> woken_{false};
    std::vector<Note> notes_;                             // guarded by informer_.mu_
    std::unordered_map<std::string, std::size_t> place_;  // of a key in notes_; guarded likewise
  };

 protected:
  using AnyFacts = std::shared_ptr<const void>;
  struct Entry {
    ResourceCache* cache = nullptr;
    Revision revision = 0;  // of the object that the facts are from
    AnyFacts facts;         // null when the object is set aside
  };
  using Entries = std::unordered_map<std::string, Entry, TextHash, std::equal_to<>>;
  struct ByKey {
    using is_transparent = void;
    bool operator()(const Entries::value_type* a, const Entries::value_type* b) const {
      return a->first < b->first;
    }
    bool operator()(std::string_view a, const Entries::value_type* b) const { return a < b->first; }
    bool operator()(const Entries::value_type* a, std::string_view b) const { return a->first < b; }
  };
  using Bucket = std::set<const Entries::value_type*, ByKey>;
  struct AnyIndex {
    std::string name;
    std::function<std::vector<std::string>(const void* facts)> values;
    std::unordered_map<std::string, Bucket, TextHash, std::equal_to<>> buckets = {};
  };
  struct Rules {
    std::vector<std::string> prefixes;
    std::function<Result<AnyFacts>(const Object&)> read;
    std::function<bool(const Object&)> wants;
    bool every_deletion = false;
    std::vector<AnyIndex> indexes;
  };
  InformerBase(Hub& hub, Rules rules);
  ~InformerBase();

  // Holds what is there as it is: not over a co_await, nor while another view of the same informer
  // is held.
  class Reading {
   public:
    explicit Reading(InformerBase& informer);
    // Every change up to here, and none after it.
    Revision revision() const { return revision_; }

   protected:
    const Entries::value_type* find(std::string_view key) const;
    const Bucket& bucket(std::string_view index, std::string_view value) const;

   private:
    const InformerBase& informer_;
    Revision revision_;
    std::shared_lock<std::shared_mutex> lock_;
  };

 private:
  // What the store's thread has told of one key, to be taken in.
  struct Pending {
    std::string key;
    ResourceCache* cache;
    ObjectPtr object;  // as it stands; null when it is gone or not wanted
    std::vector<ObjectPtr> gone;
    Revision since;
  };

  // An object of its own, because the hub calls it while classes derived from this one are still
  // being made or are going.
  class Listener final : public HubListener {
   public:
    explicit Listener(InformerBase& informer) : informer_(informer) {}
    void on_change(ResourceCache& cache, const Change& change) override {
      informer_.on_change(cache, change);
    }
    void on_told(Revision revision) override { informer_.on_told(revision); }

   private:
    InformerBase& informer_;
  };
  void on_change(ResourceCache& cache, const Change& change);
  void on_told(Revision revision);
  void take_in();  // under mu_, alone
  AnyFacts replace(const Pending& change);
  AnyFacts read(const Object& object) const;
  void set_indexed(const Entries::value_type& entry, bool there);

  Hub& hub_;
  Listener listener_{*this};
  Rules rules_;  // indexes: guarded by mu_
  std::atomic<Revision> changed_{0};
  std::atomic<bool> dirty_{false};  // something is pending

  std::vector<Pending> told_;  // of the step that is being told; the store's thread alone
  bool wanted_any_ = false;    // the store's thread alone

  std::shared_mutex mu_;   // before incoming_mu_
  Entries entries_;        // guarded by mu_
  Revision revision_ = 0;  // guarded by mu_

  std::mutex incoming_mu_;
  std::vector<Pending> pending_;                        // guarded by incoming_mu_
  std::unordered_map<std::string, std::size_t> place_;  // in pending_; guarded by incoming_mu_
  Revision told_to_ = 0;                                // guarded by incoming_mu_
  std::vector<Follower*> followers_;  // changed under both mutexes, read under either
};

template <typename Facts>
class Informer : public InformerBase {
 public:
  struct Index {
    std::string name;
    // Under which values an object is found. Depends on the facts alone.
    std::function<std::vector<std::string>(const Facts&)> values;
  };
  struct Options {
    std::vector<std::string> prefixes = {};  // of the store; none for all that there are
    // Called by whoever asks first after a change: must be quick. An object whose facts cannot be
    // read is set aside until it changes, with a line in the log, and the others are not affected.
    std::function<Result<Facts>(const Object&)> read;
    std::vector<Index> indexes = {};
    // Which objects have facts; all of them without it. Called on the thread of the store.
    std::function<bool(const Object&)> wants = {};
    // Followers are told of the deletions of all other objects too, once any object was wanted.
    bool every_deletion = false;
  };
  // Follows until it is destroyed; the hub must outlive it, and may be started later.
  Informer(Hub& hub, Options options) : InformerBase(hub, without_type(std::move(options))) {}

  // The facts of one object; valid as long as the view. Empty when there is none.
  class Known {
   public:
    explicit Known(const Entries::value_type* entry) : entry_(entry) {}
    explicit operator bool() const { return entry_ != nullptr && entry_->second.facts != nullptr; }
    const std::string& key() const { return entry_->first; }
    ResourceCache& cache() const { return *entry_->second.cache; }
    Revision revision() const { return entry_->second.revision; }  // of the object
    const Facts& operator*() const {
      return *static_cast<const Facts*>(entry_->second.facts.get());
    }
    const Facts* operator->() const { return &**this; }
    std::shared_ptr<const Facts> share() const {
      return std::static_pointer_cast<const Facts>(entry_->second.facts);
    }

   private:
    const Entries::value_type* entry_;
  };

  class View : public Reading {
   public:
    using Reading::Reading;
    Known find(std::string_view key) const { return Known(Reading::find(key)); }
    bool has(std::string_view index, std::string_view value) const {
      return !this->bucket(index, value).empty();
    }
    // Calls f(known) for those that the index has under the value, by key.
    template <typename F>
    void for_each(std::string_view index, std::string_view value, F&& f) const {
      for (const Entries::value_type* entry : this->bucket(index, value)) f(Known(entry));
    }
    // The same for `most` of them at most, those that come after a key.
    template <typename F>
    void for_each_after(std::string_view index, std::string_view value, std::string_view key,
                        std::size_t most, F&& f) const {
      const Bucket& all = this->bucket(index, value);
      for (auto at = all.upper_bound(key); at != all.end() && most > 0; ++at, --most) f(Known(*at));
    }
    // Looks until one passes the test.
    template <typename Test>
    bool any_of(std::string_view index, std::string_view value, Test&& test) const {
      return std::ranges::any_of(this->bucket(index, value), [&](const Entries::value_type* entry) {
        return test(Known(entry));
      });
    }
  };
  // Everything that the hub has told so far. Wait for a revision with Hub::wait_for.
  View view() { return View(*this); }

  // Null when it had none.
  static std::shared_ptr<const Facts> before(const Note& note) {
    return std::static_pointer_cast<const Facts>(note.before);
  }

 private:
  static Rules without_type(Options options) {
    Rules out{.prefixes = std::move(options.prefixes),
              .read = [read = std::move(options.read)](const Object& object) -> Result<AnyFacts> {
                STRAKE_TRY(Facts facts, read(object));
                return std::make_shared<const Facts>(std::move(facts));
              },
              .wants = std::move(options.wants),
              .every_deletion = options.every_deletion,
              .indexes = {}};
    for (Index& one : options.indexes) {
      out.indexes.push_back({.name = std::move(one.name),
                             .values = [values = std::move(one.values)](const void* facts) {
                               return values(*static_cast<const Facts*>(facts));
                             }});
    }
    return out;
  }
};

}  // namespace strake::api
