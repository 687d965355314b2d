#pragma once
// The servers that stand behind this one (members.h): keeps APIServices for what they serve, and
// tells where they are. Each is followed by itself, so that one that is away or answers nonsense
// changes nothing for the others; what it had registered stays until it says something else, or
// until the file does not name it any more.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "extension/kept_objects.h"
#include "extension/members.h"
#include "extension/registration.h"
#include "kube/service_places.h"

namespace strake::extension {

// The services of members, which exist in the map of addresses alone: "strake-members/NAME". A
// member's certificate names NAME.strake-members.svc.
inline constexpr std::string_view kMembersNamespace = "strake-members";
inline constexpr std::string_view kMembersHosts = "*.strake-members.svc";
inline constexpr std::string_view kMemberLabel = "extension.strake.dev/member";

// A member with what its files hold.
struct ReadyMember {
  Member member;
  kube::ServicePlace address;
  std::string ca_pem;
  std::shared_ptr<const kube::ClusterClient> cluster;  // to follow its definitions; or null
};
// Reads the files; blocks. Fails as find_access() and Caller::make() do.
Result<ReadyMember> make_ready(const Member& member, const async::Loops& loops);

class MemberServices {
 public:
  struct Options {
    std::shared_ptr<const kube::ClusterClient> front;      // this server, as its administrator
    std::function<void(const kube::ServicePlaces&)> tell;  // where members are, after each change
    async::Backoff backoff = {};
  };
  explicit MemberServices(Options options);
  ~MemberServices();

  // All on the loop that calls start().
  boost::asio::awaitable<void> start();
  // `unready` are members whose files cannot be used now: what they have stays.
  async::Task<> use(std::vector<ReadyMember> members, std::vector<std::string> unready);
  async::Task<> stop();

 private:
  class Followed;
  void tell();
  bool may_go(const value::Value& object) const;

  const Options options_;
  std::unique_ptr<KeptObjects> api_services_;
  std::map<std::string, std::unique_ptr<Followed>> members_;  // by name
  std::vector<std::string> unready_;
  bool in_use_ = false;  // it is known who is a member
  kube::ServicePlaces told_;
};

}  // namespace strake::extension
