#pragma once
// What a verb comes to: a value, or the Status that the client gets.
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <utility>

#include "base/result.h"
#include "meta/status.h"

namespace strake::api {

template <typename T = void>
using Answer = std::expected<T, meta::Status>;
template <typename T = void>
using AnswerTask = boost::asio::awaitable<Answer<T>>;

inline std::unexpected<meta::Status> refuse(meta::Status status) {
  return std::unexpected(std::move(status));
}

// An error of the layers below, as the client is told.
template <typename T>
Answer<T> answer(Result<T> result) {
  if (!result) return refuse(meta::Status::from_error(result.error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

}  // namespace strake::api
