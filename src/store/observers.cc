#include "store/observers.h"

#include <algorithm>

// publish() finds for each event the members whose prefix its key has: one lookup for each length
// that some prefix has, since a prefix of that length can only be the first so many bytes of the
// key. Neighbouring events of one member are told in one call, as a part of the span that is here
// anyway (run_begin, run_end): a run ends where an event in between is not the member's.
//
// A member that joins is entered at once, and what is published from then on is kept for it, until
// whoever made it has told it the history up to the revision at which it joined. So it hears each
// event once and in order, without the publisher having to wait for the history to be read.

namespace strake::store {

void Observers::tell(Member& member, std::span<const Event> events) {
  if (events.empty()) return;
  if (member.live) {
    member.observer->on_events(events);
  } else {
    member.kept.insert(member.kept.end(), events.begin(), events.end());
  }
}

void Observers::publish(std::span<const Event> events, Revision revision) {
  const std::lock_guard lock(mu_);
  // First, so that whoever is told and comes back to read finds it.
  revision_.store(revision, std::memory_order_release);
  std::vector<Member*> touched;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string_view key = events[i].key;
    for (const auto& [length, count] : lengths_) {
      if (length > key.size()) break;
      const auto found = by_prefix_.find(key.substr(0, length));
      if (found == by_prefix_.end()) continue;
      for (Member* member : found->second) {
        if (events[i].revision <= member->after) continue;
        // Neighbours go out together, as a part of the span that is here anyway.
        if (member->run_end == i && member->run_end != member->run_begin) {
          ++member->run_end;
          continue;
        }
        if (member->run_end == member->run_begin) touched.push_back(member);
        tell(*member, events.subspan(member->run_begin, member->run_end - member->run_begin));
        member->run_begin = i;
        member->run_end = i + 1;
      }
    }
  }
  for (Member* member : touched) {
    tell(*member, events.subspan(member->run_begin, member->run_end - member->run_begin));
    member->run_begin = member->run_end = 0;
  }
}

std::unique_ptr<Observers::Joined> Observers::join(std::string prefix, Revision after,
                                                   Observer& observer) {
  auto member = std::make_unique<Member>();
  member->prefix = std::move(prefix);
  member->after = after;
  member->observer = &observer;
  const std::lock_guard lock(mu_);
  by_prefix_[member->prefix].push_back(member.get());
  ++lengths_[member->prefix.size()];
  return std::make_unique<Joined>(shared_from_this(), std::move(member), revision());
}

void Observers::go_live(Member& member) {
  const std::lock_guard lock(mu_);
  if (!member.kept.empty()) member.observer->on_events(member.kept);
  member.kept = {};
  member.live = true;
}

void Observers::leave(Member& member) {
  const std::lock_guard lock(mu_);
  const auto found = by_prefix_.find(member.prefix);
  std::erase(found->second, &member);
  if (found->second.empty()) by_prefix_.erase(found);
  const auto length = lengths_.find(member.prefix.size());
  if (--length->second == 0) lengths_.erase(length);
}

}  // namespace strake::store
