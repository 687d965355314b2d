#pragma once
// Random requests of every verb against a whole API server in this program, with a model of what
// must come of them (api_model.h). The same seed sends the same requests. A rule that is broken
// ends the program with the seed, and with the requests that led there.
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/test_server.h"
#include "base/time.h"
#include "robustness/api_dice.h"
#include "robustness/api_model.h"

namespace strake::robustness {

struct Reply {
  int code = 0;
  std::string type;  // the media type, without parameters
  std::string body;
  std::shared_ptr<const value::Document> json;  // null when it is no JSON
  const value::Value& root() const;
};

// A watch that is followed: what its events add up to.
struct Watch {
  std::size_t kind = 0;
  std::string namespace_name;  // empty for all
  std::string selector;        // of labels; empty for all
  std::string revision;        // of the last event
  std::unique_ptr<http::BodyStream> stream;
  std::string rest;                           // of an event that was cut
  std::map<std::string, std::string> bodies;  // by namespace and name
  std::size_t changes = 0;                    // of the definition when it began
};

class ApiFuzz {
 public:
  ApiFuzz(std::uint64_t seed, std::size_t requests);
  void run();
  std::string summary() const;

 private:
  using Headers = std::vector<http::Header>;

  // Sends one request and looks at the form of the answer.
  Reply send(std::string_view method, std::string_view target, std::string_view body = {},
             Headers headers = {});
  void check_form(std::string_view method, std::string_view target, const Reply& reply);
  void require(bool condition, std::string_view what);
  [[noreturn]] void fail(std::string_view what);

  // Steps; each sends one request or more.
  void step();
  void create();
  void update();
  void patch();
  void status();
  void scale();
  void remove();
  void remove_collection();
  void read();
  void list();
  void pages();
  void documents();
  void odd_request();
  void begin_watch();
  void follow_watch(std::size_t index);
  void change_definition();
  void drop_definition();
  void drop_namespace();
  void compare_list(std::size_t kind, std::string_view namespace_name);

  // What a write came to, on the object as it is then.
  void after_write(const Place& place, std::string_view version, const Reply& reply, bool whole);
  void after_refusal(const Place& place);
  void after_delete(const Place& place, const Reply& reply);
  // Looks at an object that may have changed by itself.
  void look_again(const Place& place);
  void refresh(std::size_t kind);
  void forget(std::size_t kind, std::string_view namespace_name);
  void strip_finalizers(std::size_t kind, std::string_view namespace_name);
  void wait_until_gone(std::string_view path);

  // What requests are made of.
  std::optional<Place> any_place(std::size_t kind);
  std::size_t any_kind();
  std::string path_of(const Place& place, std::string_view version = {}) const;
  std::string any_name();
  std::string object(const Place& place, std::string_view version, bool sentinel = false);
  std::string metadata(const Place& place, bool sentinel);
  std::string content(const Kind& kind, bool sentinel = false);
  std::string definition(const Kind& kind);
  std::string write_options(bool& dry_run);
  Headers headers_for(std::string_view type);
  // Bodies are now and then broken, and then sent as anything at all.
  std::string maybe_broken(std::string body);

  std::uint64_t seed_;
  std::size_t wanted_;
  Dice dice_;
  api::testing::TestServer server_;  // its clock moves with the requests, the same for each seed
  Model model_;
  std::vector<Watch> watches_;
  std::deque<std::string> trace_;
  std::size_t sent_ = 0;
  std::int64_t newest_ = 0;  // resource version of any write
  std::size_t sentinels_ = 0;
  std::map<std::string, std::size_t> counts_;  // of what was compared, for the summary
  std::map<int, std::size_t> codes_;
};

}  // namespace strake::robustness
