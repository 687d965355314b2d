#pragma once
// The kinds that are questions: who am I, may I, may they, whose token is this. They are answered,
// not stored.
#include "api/answer.h"
#include "api/call.h"
#include "api/core.h"
#include "api/options.h"
#include "http/message.h"
#include "value/document.h"

namespace strake::api {

AnswerTask<http::Response> answer_review(Core& core, Call& call, value::Document document,
                                         WriteOptions options);

}  // namespace strake::api
