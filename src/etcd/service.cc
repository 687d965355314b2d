#include "etcd/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/base64.h"
#include "value/fields.h"

namespace strake::etcd {
namespace {

using value::Document;
using value::flag_of;
using value::text_of;
using value::Value;

constexpr std::size_t kMostOperations = 128;
constexpr std::uint64_t kClusterId = 0xcdf818194e3a8c32;
constexpr std::uint64_t kMemberId = 0x8e9e05c52164694d;
constexpr int kTerm = 2;

std::unexpected<Refusal> refuse(Refusal::Code code, std::string message) {
  return std::unexpected(Refusal{.code = code, .message = "etcdserver: " + std::move(message)});
}

Answer<std::string> bytes_of(const Value& request, std::string_view key) {
  Result<std::string> out = base64_decode(text_of(request, key));
  if (!out) return refuse(Refusal::kInvalidArgument, fmt::format("{} is not in base64", key));
  return *std::move(out);
}

// 64-bit numbers are text, or numbers, in JSON.
Answer<std::int64_t> number_of(const Value& request, std::string_view key) {
  const Value& found = request.get(key);
  if (found.is_null()) return 0;
  if (found.type() == value::Type::kInt) return found.as_int();
  const std::string_view text = text_of(found);
  std::int64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return refuse(Refusal::kInvalidArgument, fmt::format("{} is not a number", key));
  return out;
}

// By name or by number; the first choice unless it is given. Choices are those of the tables.
Answer<std::string> choice_of(const Value& request, std::string_view key,
                              std::span<const std::string_view> choices) {
  const Value& found = request.get(key);
  if (found.is_null()) return std::string(choices.front());
  if (found.type() == value::Type::kInt && found.as_int() >= 0 &&
      static_cast<std::size_t>(found.as_int()) < choices.size())
    return std::string(choices[static_cast<std::size_t>(found.as_int())]);
  if (std::ranges::find(choices, text_of(found)) != choices.end() && found.is_string())
    return std::string(found.as_string());
  return refuse(Refusal::kInvalidArgument, fmt::format("{} is none of the choices", key));
}

Answer<Span> span_of(const Value& request) {
  auto key = bytes_of(request, "key");
  auto end = bytes_of(request, "range_end");
  if (!key || !end) return std::unexpected(key ? end.error() : key.error());
  if (key->empty()) return refuse(Refusal::kInvalidArgument, "key is not provided");
  return Span{.key = *std::move(key), .end = *std::move(end)};
}

std::span<const std::string_view> choices_of(const Message& message, std::string_view field) {
  const auto found = std::ranges::find(message.fields, field, &Field::name);
  return found == message.fields.end() ? std::span<const std::string_view>() : found->choices;
}

// Writes responses.
class Builder {
 public:
  explicit Builder(Arena& arena) : arena_(arena) {}
  Value text(std::string_view of) { return Value::string(arena_.copy(of)); }
  template <typename Number>
  void number(Value& into, std::string_view key, Number number) {
    if (number != 0) into.set(key, text(fmt::format("{}", number)), arena_);
  }
  void bytes(Value& into, std::string_view key, std::string_view bytes) {
    if (!bytes.empty()) into.set(key, text(base64_encode(bytes)), arena_);
  }
  void header(Value& into, Revision revision) {
    Value& header = into.object_at("header", arena_);
    number(header, "cluster_id", kClusterId);
    number(header, "member_id", kMemberId);
    number(header, "revision", revision);
    number(header, "raft_term", kTerm);
  }
  Value key_value(const KeyValue& one, bool with_value) {
    Value out = Value::object({});
    bytes(out, "key", one.key);
    number(out, "create_revision", one.create_revision);
    number(out, "mod_revision", one.mod_revision);
    number(out, "version", one.version);
    if (with_value) bytes(out, "value", one.value);
    return out;
  }
  void append(Value& into, std::string_view key, Value item) {
    Value* list = into.find(key);
    if (list == nullptr) list = &into.set(key, Value::array({}), arena_);
    list->append(item, arena_);
  }
  Arena& arena() { return arena_; }

 private:
  Arena& arena_;
};

// One call: looks at everything before it writes anything, so that it is done whole or not at all.
class Call {
 public:
  Call(KeyValues& keys, Arena& arena) : keys_(keys), build_(arena) {}

  Answer<> check_range(const Value& request) const {
    if (auto span = span_of(request); !span) return std::unexpected(span.error());
    for (const char* key : {"limit", "min_mod_revision", "max_mod_revision", "min_create_revision",
                            "max_create_revision"})
      if (auto number = number_of(request, key); !number) return std::unexpected(number.error());
    for (const char* key : {"sort_order", "sort_target"}) {
      if (auto choice = choice_of(request, key, choices_of(kRangeRequest, key)); !choice)
        return std::unexpected(choice.error());
    }
    const auto at = number_of(request, "revision");
    if (!at) return std::unexpected(at.error());
    if (*at > keys_.revision())
      return refuse(Refusal::kOutOfRange, "mvcc: required revision is a future revision");
    if (*at > 0 && *at < keys_.compacted())
      return refuse(Refusal::kOutOfRange, "mvcc: required revision has been compacted");
    return {};
  }

  Answer<> check_put(const Value& request) const {
    const auto key = bytes_of(request, "key");
    const auto value = bytes_of(request, "value");
    const auto lease = number_of(request, "lease");
    if (!key) return std::unexpected(key.error());
    if (!value) return std::unexpected(value.error());
    if (!lease) return std::unexpected(lease.error());
    if (key->empty()) return refuse(Refusal::kInvalidArgument, "key is not provided");
    if (*lease != 0) return refuse(Refusal::kNotFound, "requested lease not found");
    if (flag_of(request, "ignore_value") && !value->empty())
      return refuse(Refusal::kInvalidArgument, "value is provided");
    if (flag_of(request, "ignore_value") && keys_.range({.key = *key, .end = {}}, 0).empty())
      return refuse(Refusal::kInvalidArgument, "key not found");
    if (keys_.bytes() + key->size() + value->size() > KeyValues::kMostBytes)
      return refuse(Refusal::kResourceExhausted, "mvcc: database space exceeded");
    return {};
  }

  Answer<> check_delete(const Value& request) const {
    if (auto span = span_of(request); !span) return std::unexpected(span.error());
    return {};
  }

  Answer<> check_txn(const Value& request) const {
    for (const char* branch : {"success", "failure"}) {
      std::set<std::string> written;
      if (auto fine = check_branch(request.get(branch), written); !fine) return fine;
    }
    if (request.get("compare").size() > kMostOperations) return too_many();
    for (const Value& one : request.get("compare").items()) {
      if (auto span = span_of(one); !span) return std::unexpected(span.error());
      if (auto holds = compare(one); !holds) return std::unexpected(holds.error());
    }
    return {};
  }

  // ---- What follows is checked.

  void range(const Value& request, Value& out) {
    const Span span = *span_of(request);
    std::vector<KeyValue> found = keys_.range(span, *number_of(request, "revision"));
    const std::size_t count = found.size();
    const auto within = [&](std::string_view least, std::string_view most,
                            Revision KeyValue::* of) {
      const Revision from = *number_of(request, least);
      const Revision until = *number_of(request, most);
      std::erase_if(found, [&](const KeyValue& one) {
        return (from > 0 && one.*of < from) || (until > 0 && one.*of > until);
      });
    };
    within("min_mod_revision", "max_mod_revision", &KeyValue::mod_revision);
    within("min_create_revision", "max_create_revision", &KeyValue::create_revision);
    sort(found, request);
    const auto limit =
        static_cast<std::size_t>(std::max<std::int64_t>(0, *number_of(request, "limit")));
    const bool more = limit > 0 && found.size() > limit;
    if (more) found.resize(limit);
    if (!flag_of(request, "count_only")) {
      for (const KeyValue& one : found)
        build_.append(out, "kvs", build_.key_value(one, !flag_of(request, "keys_only")));
      if (more) out.set("more", Value::boolean(true), build_.arena());
    }
    build_.number(out, "count", count);
  }

  void put(const Value& request, Value& out) {
    const std::string key = *bytes_of(request, "key");
    const std::vector<KeyValue> before = keys_.range({.key = key, .end = {}}, 0);
    if (flag_of(request, "prev_kv") && !before.empty())
      out.set("prev_kv", build_.key_value(before.front(), true), build_.arena());
    const bool same = flag_of(request, "ignore_value") && !before.empty();
    keys_.put(key, same ? before.front().value : *bytes_of(request, "value"));
  }

  void delete_range(const Value& request, Value& out) {
    const std::vector<KeyValue> gone = keys_.remove(*span_of(request));
    build_.number(out, "deleted", gone.size());
    if (!flag_of(request, "prev_kv")) return;
    for (const KeyValue& one : gone) build_.append(out, "prev_kvs", build_.key_value(one, true));
  }

  void txn(const Value& request, Value& out) {
    const bool succeeded = std::ranges::all_of(request.get("compare").items(),
                                               [this](const Value& one) { return *compare(one); });
    if (succeeded) out.set("succeeded", Value::boolean(true), build_.arena());
    for (const Value& one : request.get(succeeded ? "success" : "failure").items()) {
      Value response = Value::object({});
      Value body = Value::object({});
      const char* name = "response_range";
      if (const Value* put_it = one.find("request_put")) {
        name = "response_put";
        put(*put_it, body);
      } else if (const Value* remove = one.find("request_delete_range")) {
        name = "response_delete_range";
        delete_range(*remove, body);
      } else if (const Value* nested = one.find("request_txn")) {
        name = "response_txn";
        txn(*nested, body);
      } else {
        range(one.get("request_range"), body);
      }
      response.set(name, body, build_.arena());
      build_.append(out, "responses", response);
    }
  }

 private:
  static std::unexpected<Refusal> too_many() {
    return refuse(Refusal::kInvalidArgument, "too many operations in txn request");
  }

  // As etcd does, a branch may write each key once.
  Answer<> check_branch(const Value& branch, std::set<std::string>& written) const {
    if (branch.size() > kMostOperations) return too_many();
    for (const Value& one : branch.items()) {
      if (const Value* put_it = one.find("request_put")) {
        if (auto fine = check_put(*put_it); !fine) return fine;
        if (!written.insert(*bytes_of(*put_it, "key")).second)
          return refuse(Refusal::kInvalidArgument, "duplicate key given in txn request");
      } else if (const Value* remove = one.find("request_delete_range")) {
        if (auto fine = check_delete(*remove); !fine) return fine;
      } else if (const Value* nested = one.find("request_txn")) {
        if (auto fine = check_txn(*nested); !fine) return fine;
      } else if (auto fine = check_range(one.get("request_range")); !fine) {
        return fine;
      }
    }
    return {};
  }

  // Whether it holds for every key of the span; a key that is not there has zeros.
  Answer<bool> compare(const Value& one) const {
    const auto result = choice_of(one, "result", kResults);
    const auto target = choice_of(one, "target", kTargets);
    if (!result || !target) return std::unexpected(result ? target.error() : result.error());
    const auto span = span_of(one);
    if (!span) return std::unexpected(span.error());
    std::vector<KeyValue> found = keys_.range(*span, 0);
    if (found.empty()) {
      // No value is none of them, not even the empty one.
      if (*target == "VALUE") return false;
      found.emplace_back();
    }
    if (*target == "VALUE") {
      const auto wanted = bytes_of(one, "value");
      if (!wanted) return std::unexpected(wanted.error());
      return std::ranges::all_of(
          found, [&](const KeyValue& is) { return holds(is.value.compare(*wanted), *result); });
    }
    const bool of_version = *target == "VERSION";
    const bool of_creation = *target == "CREATE";
    const char* member = of_version         ? "version"
                         : of_creation      ? "create_revision"
                         : *target == "MOD" ? "mod_revision"
                                            : "lease";
    const auto wanted = number_of(one, member);
    if (!wanted) return std::unexpected(wanted.error());
    return std::ranges::all_of(found, [&](const KeyValue& is) {
      const std::int64_t number = of_version         ? is.version
                                  : of_creation      ? is.create_revision
                                  : *target == "MOD" ? is.mod_revision
                                                     : 0;
      return holds(number < *wanted ? -1 : number > *wanted ? 1 : 0, *result);
    });
  }
  static bool holds(int order, std::string_view result) {
    if (result == "EQUAL") return order == 0;
    if (result == "NOT_EQUAL") return order != 0;
    return result == "GREATER" ? order > 0 : order < 0;
  }

  static void sort(std::vector<KeyValue>& found, const Value& request) {
    const std::string target =
        *choice_of(request, "sort_target", choices_of(kRangeRequest, "sort_target"));
    std::string order = *choice_of(request, "sort_order", choices_of(kRangeRequest, "sort_order"));
    // As etcd does: whoever names something to sort by wants it sorted.
    if (order == "NONE" && target != "KEY") order = "ASCEND";
    if (order == "NONE") return;
    const auto less = [&](const KeyValue& a, const KeyValue& b) {
      if (target == "VERSION") return a.version < b.version;
      if (target == "CREATE") return a.create_revision < b.create_revision;
      if (target == "MOD") return a.mod_revision < b.mod_revision;
      return target == "VALUE" ? a.value < b.value : a.key < b.key;
    };
    std::ranges::sort(found, [&](const KeyValue& a, const KeyValue& b) {
      return order == "DESCEND" ? less(b, a) : less(a, b);
    });
  }

  static constexpr std::string_view kResults[] = {"EQUAL", "GREATER", "LESS", "NOT_EQUAL"};
  static constexpr std::string_view kTargets[] = {"VERSION", "CREATE", "MOD", "VALUE", "LEASE"};

  KeyValues& keys_;
  Builder build_;
};

Document begin() {
  Document out;
  out.root() = Value::object({});
  return out;
}

// Does one of the checked calls as a transaction, and puts the header in front.
template <typename Check, typename Do>
Answer<Document> perform(KeyValues& keys, const Value& request, Check check, Do act) {
  Document out = begin();
  Call call(keys, out.arena());
  if (Answer<> fine = (call.*check)(request); !fine) return std::unexpected(fine.error());
  keys.begin();
  (call.*act)(request, out.root());
  keys.end();
  Builder(out.arena()).header(out.root(), keys.revision());
  return out;
}

}  // namespace

Answer<Document> Service::range(const Value& request) {
  return perform(keys_, request, &Call::check_range, &Call::range);
}
Answer<Document> Service::put(const Value& request) {
  return perform(keys_, request, &Call::check_put, &Call::put);
}
Answer<Document> Service::delete_range(const Value& request) {
  return perform(keys_, request, &Call::check_delete, &Call::delete_range);
}
Answer<Document> Service::txn(const Value& request) {
  return perform(keys_, request, &Call::check_txn, &Call::txn);
}

Answer<Document> Service::compact(const Value& request) {
  const auto at = number_of(request, "revision");
  if (!at) return std::unexpected(at.error());
  if (*at > keys_.revision())
    return refuse(Refusal::kOutOfRange, "mvcc: required revision is a future revision");
  if (*at <= keys_.compacted())
    return refuse(Refusal::kOutOfRange, "mvcc: required revision has been compacted");
  keys_.compact(*at);
  Document out = begin();
  Builder(out.arena()).header(out.root(), keys_.revision());
  return out;
}

Answer<Document> Service::status(const Value&) {
  Document out = begin();
  Builder build(out.arena());
  build.header(out.root(), keys_.revision());
  out.root().set("version", build.text(kVersion), out.arena());
  build.number(out.root(), "dbSize", keys_.bytes());
  build.number(out.root(), "dbSizeInUse", keys_.bytes());
  build.number(out.root(), "leader", kMemberId);
  build.number(out.root(), "raftIndex", keys_.revision());
  build.number(out.root(), "raftAppliedIndex", keys_.revision());
  build.number(out.root(), "raftTerm", kTerm);
  return out;
}

// There are none.
Answer<Document> Service::alarm(const Value&) {
  Document out = begin();
  Builder(out.arena()).header(out.root(), keys_.revision());
  return out;
}

Answer<Document> Service::member_list(const Value&) {
  Document out = begin();
  Builder build(out.arena());
  build.header(out.root(), keys_.revision());
  Value member = Value::object({});
  build.number(member, "ID", kMemberId);
  member.set("name", build.text(name_), out.arena());
  build.append(member, "clientURLs", build.text(client_url_));
  build.append(out.root(), "members", member);
  return out;
}

struct Methods {
  static constexpr Service::Method kAll[] = {
      {"/etcdserverpb.KV/Range", "/v3/kv/range", &kRangeRequest, &kRangeResponse, &Service::range},
      {"/etcdserverpb.KV/Put", "/v3/kv/put", &kPutRequest, &kPutResponse, &Service::put},
      {"/etcdserverpb.KV/DeleteRange", "/v3/kv/deleterange", &kDeleteRangeRequest,
       &kDeleteRangeResponse, &Service::delete_range},
      {"/etcdserverpb.KV/Txn", "/v3/kv/txn", &kTxnRequest, &kTxnResponse, &Service::txn},
      {"/etcdserverpb.KV/Compact", "/v3/kv/compaction", &kCompactionRequest, &kCompactionResponse,
       &Service::compact},
      {"/etcdserverpb.Maintenance/Status", "/v3/maintenance/status", &kStatusRequest,
       &kStatusResponse, &Service::status},
      {"/etcdserverpb.Maintenance/Alarm", "/v3/maintenance/alarm", &kAlarmRequest, &kAlarmResponse,
       &Service::alarm},
      {"/etcdserverpb.Cluster/MemberList", "/v3/cluster/member/list", &kMemberListRequest,
       &kMemberListResponse, &Service::member_list},
  };
};

const Service::Method* Service::find_method(std::string_view path) {
  for (const Method& one : Methods::kAll)
    if (one.grpc == path || one.json == path) return &one;
  return nullptr;
}

}  // namespace strake::etcd
