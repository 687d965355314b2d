#pragma once
// Admission policies from files, asked about objects that are checked: what a server with these
// policies would make of them, and what it would refuse. What they refer to is looked for among the
// files: bindings, parameters, namespaces. A policy that nothing binds is asked all the same.
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admission/match/match.h"
#include "admission/policy/binding.h"
#include "base/result.h"
#include "cli/io/disk_files.h"
#include "kinds/resource.h"
#include "policy/mutating_policy.h"
#include "policy/validating_policy.h"
#include "validate/catalog.h"
#include "validate/checker.h"
#include "validate/judge.h"
#include "validate/parsed_file.h"

namespace strake::cli {

class OfflinePolicies final : public validate::Reviewer {
 public:
  // Says how kinds are served; must outlive it.
  explicit OfflinePolicies(const validate::Catalog& catalog);
  ~OfflinePolicies() override;

  // The objects of a file. Fails with kInvalid, naming the policy and the field, when a policy has
  // expressions that a server would refuse. Before the first review.
  Result<> add(const validate::ParsedFile& file);
  std::size_t count() const { return policies_.size() + mutating_.size(); }

  Change change(const validate::Subject& subject, const schema::Node* schema) const override;
  std::vector<validate::Fault> review(const validate::Subject& subject) const override;
  // The same for an object of a real request, an AdmissionRequest: expressions see who asks.
  std::vector<validate::Fault> review(const validate::Subject& subject,
                                      const value::Value* request) const;

  // What the policies that validate are about: the resourceRules of all of them.
  std::vector<const value::Value*> resource_rules() const;

 private:
  struct Policy;
  struct Validating;
  struct Mutating;
  struct Passes;
  class Namespaces;
  using Bindings = std::multimap<std::string, admission::Binding, std::less<>>;  // by policy

  // A request for the object of a subject, as a policy sees it. Views.
  struct Request {
    admission::Attributes about;
    const value::Value* asked = nullptr;  // an AdmissionRequest; null when there is none
  };
  Result<> add(value::Document document, const std::string& file);
  const kinds::Resource& resource_of(const meta::GroupVersionKind& gvk) const;
  // Nothing when no policy is about such objects.
  std::optional<Request> request_for(const validate::Subject& subject,
                                     const value::Value* asked) const;
  // Calls with each binding that lets the policy have a say, and with the version in which it has;
  // with null when there is no binding.
  template <typename Ask>
  void for_each_binding(const Policy& policy, const Bindings& bindings,
                        const admission::Attributes& request, Ask ask) const;
  // Null stands for none; nothing when they are missing and may be.
  Result<std::vector<const value::Value*>> params_of(const Policy& policy,
                                                     const admission::Binding* binding,
                                                     std::string_view namespace_name) const;
  // What expressions see of `request` and `namespaceObject`.
  struct Surroundings;
  void ask(const Validating& policy, const admission::Binding* binding, const Request& request,
           const kinds::ServedVersion& version, const validate::Subject& subject,
           std::vector<validate::Fault>& out) const;
  void pass(const validate::Subject& subject, const schema::Node* schema, Passes& passes,
            Change& change) const;
  void mutate(const Mutating& policy, const admission::Binding* binding, const Request& request,
              const kinds::ServedVersion& version, const schema::Node* schema, Arena& arena,
              Passes& passes, Change& change) const;

  const validate::Catalog& catalog_;
  std::deque<value::Document> documents_;
  std::vector<std::unique_ptr<const Validating>> policies_;
  std::multimap<std::string, std::unique_ptr<const Mutating>> mutating_;  // by name: their order
  Bindings bindings_;
  Bindings mutating_bindings_;
  std::vector<const value::Value*> objects_;  // that may be parameters
  std::unique_ptr<Namespaces> namespaces_;
  mutable std::mutex mu_;
  // Guarded by mu_; what is in it stays.
  mutable std::map<meta::GroupVersionKind, std::unique_ptr<const kinds::Resource>> resources_;
};

// The policies of files, folders and patterns. Fails when there are none.
Result<> add_policy_files(std::span<const std::string> operands, const DiskFiles& files,
                          const validate::CheckOptions& options, OfflinePolicies& policies);

}  // namespace strake::cli
