#pragma once
// The kinds that are questions: who am I, may I, may they, whose token is this. They are answered,
// not stored.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/options.h"
#include "http/message.h"
#include "value/document.h"

namespace strake::api {

AnswerTask<http::Response> answer_review(Core& core, Call& call, value::Document document,
                                         WriteOptions options);

}  // namespace strake::api
