#pragma once
// What an etcd of one member answers: KV (Range, Put, DeleteRange, Txn, Compact), and of
// Maintenance and Cluster what clients ask to see whether it is well. No leases, no watches. The
// words of refusals are those of etcd 3.6. One thread.
#include <expected>
#include <string>
#include <string_view>

#include "etcd/key_values.h"
#include "etcd/messages.h"

namespace strake::etcd {

// With gRPC's number.
struct Refusal {
  enum Code : std::uint8_t {
    kInvalidArgument = 3,
    kNotFound = 5,
    kResourceExhausted = 8,
    kOutOfRange = 11,
    kUnimplemented = 12,
  };
  Code code = kInvalidArgument;
  std::string message;
};
template <typename T = void>
using Answer = std::expected<T, Refusal>;

inline constexpr std::string_view kVersion = "3.6.0";

class Service {
 public:
  // A call, and the messages of its request and its response.
  struct Method {
    std::string_view grpc;  // "/etcdserverpb.KV/Range"
    std::string_view json;  // "/v3/kv/range"
    const Message* request;
    const Message* response;
    Answer<value::Document> (Service::*call)(const value::Value&);
  };
  static const Method* find_method(std::string_view path);

  // The URL is where clients reach it, as the list of members shows it.
  Service(std::string name, std::string client_url)
      : name_(std::move(name)), client_url_(std::move(client_url)) {}
  // The request as JSON has it; so is the response.
  Answer<value::Document> call(const Method& method, const value::Value& request) {
    return (this->*method.call)(request);
  }

 private:
  friend struct Methods;
  Answer<value::Document> range(const value::Value& request);
  Answer<value::Document> put(const value::Value& request);
  Answer<value::Document> delete_range(const value::Value& request);
  Answer<value::Document> txn(const value::Value& request);
  Answer<value::Document> compact(const value::Value& request);
  Answer<value::Document> status(const value::Value& request);
  Answer<value::Document> alarm(const value::Value& request);
  Answer<value::Document> member_list(const value::Value& request);

  KeyValues keys_;
  const std::string name_;
  const std::string client_url_;
};

}  // namespace strake::etcd
