#pragma once
// The verbs of a resource, one file each. The call has been authorised and its endpoint found.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/options.h"
#include "api/verbs/respond.h"
#include "http/message.h"

namespace strake::api {

AnswerTask<http::Response> get(Core& core, Call& call);
// A long list is made by workers, which go on reading the call, and so does the stream of a watch:
// whoever needs it longer takes it over.
AnswerTask<http::Response> list(Core& core, std::shared_ptr<Call> call);
AnswerTask<http::Response> watch(Core& core, std::shared_ptr<Call> call);
AnswerTask<http::Response> create(Core& core, Call& call);
AnswerTask<http::Response> update(Core& core, Call& call);
AnswerTask<http::Response> patch(Core& core, Call& call);
AnswerTask<http::Response> remove(Core& core, Call& call);
// The request goes on to what the object stands for (kinds::Subresource::connection).
AnswerTask<http::Response> connect(Core& core, Call& call);
AnswerTask<http::Response> remove_collection(Core& core, std::shared_ptr<Call> call);

// The object is gone from the store (Status), or waits for its finalizers (the object).
struct Removed {
  bool gone = false;
  Bytes bytes;  // the object as it stands, in the call's version; when it is gone its last state
  std::string uid;
};
inline constexpr std::size_t kMostRemovals = 64;  // of a collection, sharing commits
AnswerTask<Removed> remove_object(Core& core, Call& call, std::string name, DeleteOptions options);

// Which objects a list or watch is about.
class Selection {
 public:
  // Fails when a field selector names a field that the resource does not offer.
  static Answer<Selection> of(const Call& call, const ListOptions& options);

  // Whether the object is selected, as far as can be told at once: for a field of its content it
  // may have to be made ready first (ready.h). Fails when it cannot be read in the version.
  enum class Match : std::uint8_t { kNo, kYes, kMustWait };
  Answer<Match> matches(const Object& object, const Endpoint& endpoint,
                        const kinds::ServedVersion& version) const;
  // Whether it could be, by its key and its labels alone.
  bool may_match(const Object& object) const;
  // Whether a match depends on more than the key and the labels.
  bool needs_content() const { return needs_content_; }
  // The fields beyond name and namespace that must have a certain text.
  std::vector<meta::FieldSelector::Requirement> required_content() const;
  bool selects_everything() const { return labels_.empty() && fields_.empty() && name_.empty(); }
  // The one name or namespace that can match, when the selector asks for one.
  std::optional<std::string_view> single_name() const {
    return fields_.required_value("metadata.name");
  }
  std::optional<std::string_view> single_namespace() const {
    return fields_.required_value("metadata.namespace");
  }

 private:
  meta::LabelSelector labels_;
  meta::FieldSelector fields_;
  std::string name_;            // of the one object that is watched; empty for a collection
  bool needs_content_ = false;  // a field beyond name and namespace is asked for
};

// What a list with these options has, where all of it can be shown in the call's version. Many
// objects are looked at by a worker.
struct Chosen {
  std::vector<ObjectPtr> objects;
  ListMeta meta;
};
AnswerTask<Chosen> choose_listed(Core& core, std::shared_ptr<const Call> call,
                                 const ListOptions& options, Selection selection);

// Waits until the caches have the revision; after three seconds fails as kube-apiserver 1.36 does.
AnswerTask<> wait_for_revision(Core& core, const Call& call, Revision revision);

}  // namespace strake::api
