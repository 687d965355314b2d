#pragma once
// What all writes share: the fields that the server fills in, ownership of fields, judgement, and
// the store's answer.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/options.h"
#include "api/verbs/field_versions.h"
#include "value/document.h"

namespace strake::api {

struct WriteOutcome {
  Bytes bytes;  // the object in the call's version, with its resource version
  bool created = false;
  bool deleted = false;  // the last finalizer went, and the object with it
};

// Creates the object of the document, which has been decoded and defaulted. Fills metadata, judges,
// stores.
AnswerTask<WriteOutcome> create_object(Core& core, Call& call, value::Document document,
                                       WriteOptions options);

// How an update comes about.
struct UpdatePlan {
  std::string name;
  std::string subresource;
  WriteOptions options;
  std::string manager_override;  // "" for fieldManager or the User-Agent
  // The new object from the present one, both in the call's version. Called again when someone else
  // was faster.
  std::function<Answer<value::Document>(const value::Value& current)> make;
  bool retry_conflicts = false;  // the client did not say which version it changes
  bool is_patch = false;
  // When the object is missing and may be created by an update: makes it from nothing.
  std::function<Answer<value::Document>()> make_new;
  // A subresource with a kind of its own, which is what admission sees: `make` gives an object of
  // that kind.
  struct OwnKind {
    std::string subresource;
    // The present object as that kind, owners included, after `make`; and any object, without them.
    std::function<const value::Value*()> before;
    std::function<Answer<value::Document>(const value::Document& object)> view;
    // The new object from the present one and what was made.
    std::function<Answer<value::Document>(const value::Value& current, const value::Document& made)>
        settle;
  };
  std::optional<OwnKind> own_kind = {};
  // For `make` too: it may be called again when something had to be converted.
  std::shared_ptr<FieldVersions> versions = {};
};
AnswerTask<WriteOutcome> update_object(Core& core, Call& call, UpdatePlan plan);

// A change of the server's own to the object that the call names, as it stands. `apply` is called
// again when someone else was faster; what it refers to must live until then.
struct Edit {
  std::string subresource = {};
  std::string manager;
  std::function<void(value::Document&)> apply;
};
AnswerTask<WriteOutcome> edit_object(Core& core, Call& call, Edit edit);

// The document as the store keeps it: in the storage version, without its resource version. What
// the storage version has no field for is not kept, so it leaves the document as well: the answer
// shows what a later read will. Only where nothing has to be waited for.
Answer<std::string> encode_for_store(const Call& call, value::Document& document);
// Whether something has to be, and the same when it has: the conversion may ask somebody else.
// `current` is what stands there now, null when nothing does.
bool must_wait_to_store(const Call& call);
AnswerTask<std::string> encode_for_store_later(Core& core, const Call& call,
                                               value::Document& document, const Object* current);
// Whether a write must go to the store even if it changes nothing: what stands there is of an
// older storage version.
bool is_stored_elsewhere(const Call& call, const Object& current);
// The same of a document that keeps its version: for writes that change metadata alone.
std::string encode_as_it_is(value::Document& document);
// The document as the client gets it.
Bytes encode_with_version(value::Document& document, Revision revision);
// The same for what was written at that revision, `stored` being the text that the store was given:
// from the cache, where it has been put together already, if the answer is of the stored form.
Bytes written_object(const Call& call, value::Document& document, const std::string& key,
                     const Bytes& stored, Revision revision);

std::string new_uid();
std::string name_suffix();  // five characters behind a generateName

// What the store's failures look like to clients.
meta::Status store_failure(const Error& error, const meta::GroupResource& resource,
                           std::string_view operation);

// Sets a member of metadata, making metadata when there is none.
void set_meta(value::Document& document, std::string_view key, value::Value v);
void remove_meta(value::Document& document, std::string_view key);

}  // namespace strake::api
