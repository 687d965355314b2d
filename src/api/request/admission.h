#pragma once
// Who may object to a write beside the kind itself: the server's own checks (NamespaceLifecycle),
// policies and webhooks. As in Kubernetes there are two phases: the mutating one may change the
// object before it is prepared and checked, the validating one sees what will be stored.
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/request/call.h"
#include "api/request/eventual.h"
#include "api/request/options.h"
#include "value/document.h"

namespace strake::api {

// Views, valid until the outcome is there, waited for or not. Objects of a subresource that has a
// kind of its own (scale) are of that kind.
struct AdmissionRequest {
  enum class Phase : std::uint8_t { kMutating, kValidating };
  enum class Operation : std::uint8_t { kCreate, kUpdate, kDelete, kConnect };
  Phase phase;
  Operation operation;
  std::string_view name;  // empty while it is to be generated, and for the objects of a collection
  std::string_view subresource = {};
  // Null on a delete; changed by the mutating phase alone. Of a connect, its options.
  value::Document* object = nullptr;
  const value::Value* old = nullptr;  // null on a create and a connect
  // The version of the old object; null where it is the call's. What is deleted is seen as it is
  // stored: whoever wants it in another version converts it.
  const kinds::ServedVersion* old_version = nullptr;
  bool dry_run = false;
  // The one of them that belongs to the operation; null when nobody gave any.
  const WriteOptions* write_options = nullptr;
  const DeleteOptions* delete_options = nullptr;
};

std::string_view to_string(AdmissionRequest::Operation operation);  // "CREATE"

// CreateOptions, UpdateOptions or DeleteOptions, as the client gave them. As in kube-apiserver 1.36
// a patch has those of the update or the create that it comes to. A connect has none: null.
value::Value options_of(const AdmissionRequest& request, Arena& arena);

// The namespace that a request is about: of a Namespace, its own name. Empty outside of namespaces.
std::string_view namespace_of(const Call& call, const AdmissionRequest& request);

class Admission {
 public:
  virtual ~Admission() = default;
  // Lets it pass, refuses it, or gives something to wait for, which ends when the call is
  // cancelled. Warnings go to the call. On the loop of the call: what takes long is a worker's.
  virtual Eventual<> admit(Call& call, const AdmissionRequest& request) const = 0;
};

// Asks each in turn, until one refuses.
class AdmissionChain final : public Admission {
 public:
  // They must outlive it.
  explicit AdmissionChain(std::vector<const Admission*> parts) : parts_(std::move(parts)) {}
  Eventual<> admit(Call& call, const AdmissionRequest& request) const override;

 private:
  AnswerTask<> admit_rest(Call& call, AdmissionRequest request, Eventual<> waiting,
                          std::size_t next) const;
  std::vector<const Admission*> parts_;
};

}  // namespace strake::api
