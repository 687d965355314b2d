#include "cli/webhook/admission_review.h"

#include <fmt/format.h>

#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using value::Document;
using value::text_of;
using value::Value;

// An object of a cluster is nested less deeply by far; reading it takes stack.
constexpr std::size_t kMostDepth = 1'000;
// kube-apiserver 1.36 cuts warnings at 256 bytes, and drops them past 4096 together.
constexpr std::size_t kMostWarnings = 20;

Result<> check_review(const Value& review) {
  if (text_of(review, "apiVersion") != "admission.k8s.io/v1" ||
      text_of(review, "kind") != "AdmissionReview")
    return fail(Code::kBadRequest, "wants an AdmissionReview of admission.k8s.io/v1");
  const Value& request = review.get("request");
  if (!request.is_object()) return fail(Code::kBadRequest, "the AdmissionReview has no request");
  if (text_of(request, "uid").empty()) return fail(Code::kBadRequest, "the request has no uid");
  return {};
}

}  // namespace

Result<ReviewAnswer> answer_review(std::string_view text, const WebhookJudge& judge) {
  value::ReadOptions options;
  options.limits.depth = kMostDepth;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  auto review = value::read_json(text, options);
  if (!review) return fail(Code::kBadRequest, "{}", review.error().message());
  STRAKE_CHECK(check_review(review->root()));
  const Value& request = review->root().get("request");
  WebhookJudge::Verdict verdict = judge.judge(request);

  Document out;
  Arena& arena = out.arena();
  out.root() = Value::object({});
  out.root().set("apiVersion", Value::string("admission.k8s.io/v1"), arena);
  out.root().set("kind", Value::string("AdmissionReview"), arena);
  Value& response = out.root().set("response", Value::object({}), arena);
  response.set("uid", Value::string(arena.copy(text_of(request, "uid"))), arena);
  response.set("allowed", Value::boolean(!verdict.refused), arena);
  if (verdict.refused) {
    STRAKE_TRY(const Document status, value::read_json(verdict.refused->to_json()));
    response.set("status", value::deep_copy(status.root(), arena), arena);
  }
  if (!verdict.warnings.empty()) {
    Value list = Value::array({});
    for (std::size_t i = 0; i < std::min(verdict.warnings.size(), kMostWarnings); ++i)
      list.append(Value::string(arena.copy(verdict.warnings[i])), arena);
    response.set("warnings", list, arena);
  }
  return ReviewAnswer{.json = value::to_json(out.root()), .allowed = !verdict.refused};
}

}  // namespace strake::cli
