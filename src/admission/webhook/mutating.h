#pragma once
// The mutating phase: webhooks are asked in their order, each sees what those before it made of the
// object. When one has changed it, those before it that wish so are asked again, once.
#include <optional>
#include <set>

#include "admission/match/match.h"
#include "admission/webhook/conversation.h"
#include "admission/webhook/hook_list.h"

namespace strake::admission {

// One request on its way. What is given must outlive it.
class Mutation {
 public:
  Mutation(api::Core& core, const Caller& caller, const Namespaces& namespaces, api::Call& call,
           const api::AdmissionRequest& request, HooksPtr hooks);
  Mutation(const Mutation&) = delete;
  Mutation& operator=(const Mutation&) = delete;

  // Both rounds, when nobody else changes the object.
  api::AnswerTask<> run();
  // One of them. In the second (1) only those are asked who were asked before a change.
  api::AnswerTask<> run_round(int round);
  bool has_changed() const { return has_changed_; }  // the object, in any round
  // Somebody else has changed the object.
  void note_change();
  void finish();  // after the last round

 private:
  api::AnswerTask<> ask_in_order(int round);
  // Whether it changed the object. An inner error is for the failure policy.
  using Changed = std::expected<bool, std::string>;
  api::AnswerTask<Changed> invoke(const HookPtr& hook, const kinds::ServedVersion& version,
                                  VersionedObjects::Seen seen);
  api::AnswerTask<Changed> apply(const Hook& hook, const ReviewAnswer& answer);
  api::Answer<bool> patch_object(const value::Value& operations);
  // What a patch made is read again in its version, and gets the defaults of that.
  api::Answer<> settle(value::Document& document) const;
  api::Answer<> read_again(value::Document& document, const kinds::ServedVersion& version) const;

  // The object in the version that was looked at last.
  value::Document* object() { return at_ == call_.version ? request_.object : &versioned_; }
  Attributes attributes();
  // Both objects, in the version that change_version() has gone to.
  api::AnswerTask<VersionedObjects::Seen> look(const kinds::ServedVersion& version);
  api::AnswerTask<> change_version(const kinds::ServedVersion& version);
  api::AnswerTask<> take_back();
  void check_managed_fields();

  api::Core& core_;
  const Caller& caller_;
  const Namespaces& namespaces_;
  api::Call& call_;
  api::AdmissionRequest request_;
  HooksPtr hooks_;

  const kinds::ServedVersion* at_;
  value::Document versioned_;                      // where at_ is not the version of the call
  value::Document versioned_old_;                  // the old object, likewise
  bool dirty_ = false;                             // versioned_ was changed since it was converted
  std::optional<value::Document> managed_before_;  // metadata.managedFields before the first change

  // By position.
  std::set<std::size_t> invoked_;  // that wish to be asked again
  std::set<std::size_t> again_;    // that will be
  bool has_changed_ = false;
};

}  // namespace strake::admission
