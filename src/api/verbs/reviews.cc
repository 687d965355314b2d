#include "api/verbs/reviews.h"

#include <fmt/format.h>

#include "api/request/request_selectors.h"
#include "api/verbs/judge.h"
#include "api/verbs/respond.h"
#include "api/verbs/write.h"

namespace strake::api {
namespace {

using kinds::Review;
using meta::Status;
using value::Document;
using value::Value;

std::string text(const Value* object, std::string_view key) {
  const Value* v = object != nullptr ? object->find(key) : nullptr;
  return v != nullptr && v->is_string() ? std::string(v->as_string()) : std::string();
}

std::vector<std::string> texts(const Value* object, std::string_view key) {
  std::vector<std::string> out;
  const Value* v = object != nullptr ? object->find(key) : nullptr;
  if (v == nullptr || !v->is_array()) return out;
  for (const Value& one : v->items()) {
    if (one.is_string()) out.emplace_back(one.as_string());
  }
  return out;
}

Value list_of(const std::vector<std::string>& from, Arena& arena) {
  Value out = Value::array({});
  for (const std::string& one : from) out.append(Value::string(arena.copy(one)), arena);
  return out;
}

// A user as TokenReview and SelfSubjectReview show it.
Value user_info(const User& user, Arena& arena) {
  Value out = Value::object({});
  out.set("username", Value::string(arena.copy(user.name)), arena);
  if (!user.uid.empty()) out.set("uid", Value::string(arena.copy(user.uid)), arena);
  if (!user.groups.empty()) out.set("groups", list_of(user.groups, arena), arena);
  if (!user.extra.empty()) {
    Value extra = Value::object({});
    for (const auto& [key, values] : user.extra)
      extra.set(arena.copy(key), list_of(values, arena), arena);
    out.set("extra", extra, arena);
  }
  return out;
}

User subject_of(const Value* spec) {
  User out;
  out.name = text(spec, "user");
  out.uid = text(spec, "uid");
  out.groups = texts(spec, "groups");
  const Value* extra = spec != nullptr ? spec->find("extra") : nullptr;
  if (extra == nullptr || !extra->is_object()) return out;
  for (const value::Member& one : extra->members())
    out.extra.emplace(one.key, texts(extra, one.key));
  return out;
}

// What is asked about, in the form in which requests are authorised.
RequestInfo question_of(const Value* spec) {
  RequestInfo out;
  if (const Value* at = spec != nullptr ? spec->find("nonResourceAttributes") : nullptr) {
    out.path = text(at, "path");
    out.verb = text(at, "verb");
    return out;
  }
  const Value* at = spec != nullptr ? spec->find("resourceAttributes") : nullptr;
  out.is_resource = true;
  out.verb = text(at, "verb");
  out.group = text(at, "group");
  out.version = text(at, "version");
  if (out.version.empty()) out.version = "*";
  out.resource = text(at, "resource");
  out.subresource = text(at, "subresource");
  out.namespace_name = text(at, "namespace");
  out.name = text(at, "name");
  if (at != nullptr) out.selectors = read_selectors(*at);
  return out;
}

// What kube-apiserver 1.36 says of an authorizer that failed, and of selectors that it cannot read;
// it goes on without them.
std::string evaluation_error(const Authorizer::Decision& decision, const RequestInfo& asked) {
  std::string out = decision.error;
  const auto add = [&out](std::string_view name, const std::string& error, bool partially) {
    if (error.empty()) return;
    if (!out.empty()) out += "; ";
    out += fmt::format("spec.resourceAttributes.{} {}ignored due to parse error", name,
                       partially ? "partially " : "");
  };
  if (asked.selectors == nullptr) return out;
  add("fieldSelector", asked.selectors->field_error, !asked.selectors->fields.empty());
  add("labelSelector", asked.selectors->label_error, !asked.selectors->labels.empty());
  return out;
}

Value access_status(const Authorizer::Decision& decision, const RequestInfo& asked, Arena& arena) {
  Value out = Value::object({});
  out.set("allowed", Value::boolean(decision.allowed), arena);
  if (decision.denied) out.set("denied", Value::boolean(true), arena);
  if (!decision.reason.empty())
    out.set("reason", Value::string(arena.copy(decision.reason)), arena);
  if (const std::string wrong = evaluation_error(decision, asked); !wrong.empty())
    out.set("evaluationError", Value::string(arena.copy(wrong)), arena);
  return out;
}

// Whether somebody may do something.
boost::asio::awaitable<Value> access_of(const Core& core, const Call& call, User user,
                                        const Value* spec, Arena& arena) {
  const RequestInfo asked = question_of(spec);
  Authorizer::Decision decision = core.authorizer.authorize(user, asked);
  if (decision.open) {
    const WaitCancel cancel(call);
    decision = co_await core.authorizer.ask(std::move(user), asked, cancel.token());
  }
  co_return access_status(decision, asked, arena);
}

Value rules_status(const Authorizer& authorizer, const User& user, const Value* spec,
                   Arena& arena) {
  const Authorizer::Rules rules = authorizer.rules_of(user, text(spec, "namespace"));
  Value out = Value::object({});
  if (!rules.error.empty())
    out.set("evaluationError", Value::string(arena.copy(rules.error)), arena);
  out.set("incomplete", Value::boolean(rules.incomplete), arena);
  out.set("nonResourceRules", write_rules(rules.non_resource_rules, arena), arena);
  out.set("resourceRules", write_rules(rules.resource_rules, arena), arena);
  return out;
}

// As in kube-apiserver 1.36, what the review says already stays where the answer says nothing: a
// forged user beside the error that refuses the token.
Value token_status(const TokenReviewer::Review* found, const Value& review, Arena& arena) {
  const Value& given = review.get("status");
  Value out = given.is_object() ? given : Value::object({});
  out.remove("authenticated");
  out.object_at("user", arena);
  if (found == nullptr) return out;
  if (!found->error.empty()) out.set("error", Value::string(arena.copy(found->error)), arena);
  if (!found->user) return out;
  out.set("authenticated", Value::boolean(true), arena);
  out.set("user", user_info(*found->user, arena), arena);
  out.remove("audiences");
  if (!found->audiences.empty()) out.set("audiences", list_of(found->audiences, arena), arena);
  return out;
}

// All but that of a token, which others may be asked about.
boost::asio::awaitable<Value> status_of(Core& core, const Call& call, const Value& review,
                                        Arena& arena) {
  const Value* spec = review.find("spec");
  switch (*call.resource().review) {
    case Review::kSelf: {
      Value out = Value::object({});
      out.set("userInfo", user_info(*call.user, arena), arena);
      co_return out;
    }
    case Review::kOwnRules: co_return rules_status(core.authorizer, *call.user, spec, arena);
    case Review::kOwnAccess: co_return co_await access_of(core, call, *call.user, spec, arena);
    case Review::kToken:
    case Review::kTokenRequest:  // each answered by its own verb
    case Review::kBinding:
    case Review::kEviction:
    case Review::kAccess: break;
  }
  co_return co_await access_of(core, call, subject_of(spec), spec, arena);
}

}  // namespace

AnswerTask<http::Response> answer_review(Core& core, Call& call, Document document,
                                         WriteOptions options) {
  Value& root = document.root();
  const bool asks_who = call.resource().review == Review::kSelf;
  if (!asks_who) own_fields(call, document, nullptr, "", manager_of(call, options));
  AdmissionRequest asked{.phase = AdmissionRequest::Phase::kMutating,
                         .operation = AdmissionRequest::Operation::kCreate,
                         .name = {},
                         .object = &document,
                         .dry_run = options.dry_run,
                         .write_options = &options};
  Eventual<> admitted = core.admission->admit(call, asked);
  STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  const std::string now = call.now_text();
  const kinds::WriteRequest request = call.write_request(now);
  call.strategy().prepare_create(root, document.arena(), request);
  if (asks_who) {
    // The answer is all new: nothing of the question is in it.
    root.set("metadata", Value::object({}), document.arena());
    set_meta(document, "creationTimestamp", Value::string(document.arena().copy(now)));
  }
  if (call.resource().review == Review::kToken && text(root.find("spec"), "token").empty())
    co_return refuse(Status::bad_request("token is required for TokenReview in authentication"));
  STRAKE_CO_TRY(const resource::Verdict verdict,
                answer(call.strategy().check_create(root, request)));
  if (!verdict.errors.empty())
    co_return refuse(
        Status::invalid(call.strategy().refused_as(root, request), "", verdict.errors));
  if (call.resource().review == Review::kOwnRules && text(root.find("spec"), "namespace").empty())
    co_return refuse(Status::bad_request("no namespace on request"));
  asked.phase = AdmissionRequest::Phase::kValidating;
  Eventual<> validated = core.admission->admit(call, asked);
  STRAKE_CO_CHECK(validated.must_wait() ? co_await validated.wait() : validated.take());
  if (call.resource().review == Review::kToken) {
    std::optional<TokenReviewer::Review> found;
    if (core.token_reviewer != nullptr) {
      const WaitCancel cancel(call);
      const Value* spec = root.find("spec");
      found = co_await core.token_reviewer->review(Secret(std::string(text(spec, "token"))),
                                                   texts(spec, "audiences"), cancel.token());
      if (found->user && found->user->notes) note_login(call, *found->user->notes);
    }
    root.set("status", token_status(found ? &*found : nullptr, root, document.arena()),
             document.arena());
  } else {
    const Value status = co_await status_of(core, call, root, document.arena());
    root.set("status", status, document.arena());
  }
  if (call.resource().review == Review::kOwnRules) {
    // kube-apiserver 1.36 answers with a new object that has nothing of the one that was sent.
    root.set("metadata", Value::object({}), document.arena());
    root.set("spec", Value::object({}), document.arena());
  }
  co_return object_response(call, 201, encode_with_version(document, 0));
}

}  // namespace strake::api
