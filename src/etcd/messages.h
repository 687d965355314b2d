#pragma once
// The messages of etcd's API, v3: protobuf in gRPC, JSON in its gateway. In memory they are the
// JSON: bytes in base64, 64-bit numbers as text, enumerations by name, what is zero left out.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace strake::etcd {

struct Message;

struct Field {
  enum class Form : std::uint8_t { kBytes, kText, kInt64, kUint64, kBool, kEnum, kMessage };
  std::uint32_t number;
  std::string_view name;
  Form form = Form::kBytes;
  const Message* message = nullptr;                // of kMessage
  std::span<const std::string_view> choices = {};  // of kEnum, by number
  bool repeated = false;
};

struct Message {
  std::span<const Field> fields;
};

// Transactions in transactions end there.
inline constexpr std::size_t kMostDepth = 16;

// Fields that the message does not have are passed over. Fails with kBadRequest.
Result<value::Document> decode(std::string_view bytes, const Message& message);
// Members that the message does not have are left out.
std::string encode(const value::Value& body, const Message& message);

extern const Message kRangeRequest, kRangeResponse, kPutRequest, kPutResponse, kDeleteRangeRequest,
    kDeleteRangeResponse, kTxnRequest, kTxnResponse, kCompactionRequest, kCompactionResponse,
    kStatusRequest, kStatusResponse, kAlarmRequest, kAlarmResponse, kMemberListRequest,
    kMemberListResponse;

}  // namespace strake::etcd
