// Listing: from the cache as it stands, or from the store as it stood at a revision. A page costs
// what it shows, not what there is; what takes long is done by a worker.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "api/request/continue_token.h"
#include "api/verbs/by_index.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/list_stream.h"
#include "api/verbs/list_text.h"
#include "api/verbs/ready.h"
#include "api/verbs/verbs.h"

namespace strake::api {
namespace {

using meta::Status;

using Match = Selection::Match;
using Objects = std::vector<ObjectPtr>;

// The store is asked for so many at a time while few of them match.
constexpr std::size_t kFewestRead = 500;
constexpr std::size_t kMostRead = 2'000;

struct Page {
  Objects objects;
  ListMeta meta;
};

// What is asked for, as far as keys tell.
struct Wanted {
  std::string prefix;  // of the list
  std::string within;  // what can match begins with this: the prefix, or a namespace in it
  std::string start;   // whole keys, not less than this; empty at the beginning
  std::optional<std::string> name;
  bool in_one_namespace = false;  // or the resource has none
  std::size_t limit = ResourceCache::kNoLimit;
  std::optional<std::int64_t> left;  // how many are not less than `start`, where that is known

  bool is_single() const { return name && in_one_namespace; }
};

Wanted wanted_by(const Call& call, const ListOptions& options, const Selection& selection) {
  Wanted out;
  out.prefix = call.endpoint->key_prefix(call.info.namespace_name);
  out.within = out.prefix;
  out.in_one_namespace = !call.resource().namespaced || !call.info.namespace_name.empty();
  if (const auto namespace_name = selection.single_namespace();
      namespace_name && !out.in_one_namespace) {
    out.within = call.endpoint->key_prefix(*namespace_name);
    out.in_one_namespace = !namespace_name->empty();
  }
  if (const auto name = selection.single_name()) out.name = *name;
  if (options.limit > 0) out.limit = static_cast<std::size_t>(options.limit);
  return out;
}

// The page ends behind `last`, and more may follow.
void go_on_after(const Wanted& wanted, const Selection& selection, std::string_view last,
                 std::optional<std::int64_t> left, Page& page) {
  if (!selection.selects_everything()) left.reset();
  page.meta.continue_token =
      encode_continue({.revision = page.meta.revision,
                       .start = std::string(last.substr(wanted.prefix.size())) + '\0',
                       .left = left});
  page.meta.remaining = left;
}

// The end of a look at the first `seen` of the objects, the last of which has the key.
void end_page(const Wanted& wanted, const Selection& selection, const OrderedObjects::Taken& from,
              std::size_t seen, std::string_view last, Page& page) {
  const std::size_t left = from.size() + from.behind() - seen;
  if (left > 0 && seen > 0)
    go_on_after(wanted, selection, last, static_cast<std::int64_t>(left), page);
}

// Takes what matches until the page is full. False when an object has to be waited for before that
// can be told.
Answer<bool> choose(const Call& call, const Wanted& wanted, const Selection& selection,
                    const OrderedObjects::Taken& from, Page& page) {
  Answer<bool> outcome = true;
  std::size_t seen = 0;
  const ObjectPtr* last = nullptr;
  from.for_each([&](const ObjectPtr& object) {
    if (page.objects.size() == wanted.limit) return false;
    if (seen % kBetweenLooks == 0 && call.is_cancelled()) {
      outcome = refuse(Call::cancelled());
      return false;
    }
    const Answer<Match> match = selection.matches(*object, *call.endpoint, *call.version);
    if (!match) {
      outcome = refuse(match.error());
      return false;
    }
    if (*match == Match::kMustWait) {
      outcome = false;
      return false;
    }
    ++seen;
    last = &object;
    if (*match == Match::kYes) page.objects.push_back(object);
    return true;
  });
  if (!outcome || !*outcome) return outcome;
  if (last != nullptr) end_page(wanted, selection, from, seen, (*last)->key(), page);
  return true;
}

// Those that may match can be looked into afterwards.
AnswerTask<> make_ready_to_match(Core& core, const Call& call, const Selection& selection,
                                 Objects& objects) {
  Objects waiting;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!selection.may_match(*objects[i])) continue;
    waiting.push_back(objects[i]);
    places.push_back(i);
  }
  STRAKE_CO_CHECK(co_await make_ready(core, call, *call.version, waiting));
  for (std::size_t i = 0; i < places.size(); ++i) objects[places[i]] = std::move(waiting[i]);
  co_return Answer<>();
}

// The same as choose() where objects have to be waited for: portion by portion.
AnswerTask<> choose_waiting(Core& core, const Call& call, const Wanted& wanted,
                            const Selection& selection, const OrderedObjects::Taken& from,
                            Page& page) {
  std::size_t seen = 0;
  std::string last;
  while (seen < from.size() && page.objects.size() < wanted.limit) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    Objects portion = from.slice(seen, kFewestRead);
    STRAKE_CO_CHECK(co_await make_ready_to_match(core, call, selection, portion));
    for (ObjectPtr& object : portion) {
      if (page.objects.size() == wanted.limit) break;
      STRAKE_CO_TRY(const Match match, selection.matches(*object, *call.endpoint, *call.version));
      // Not ready any more: the next portion begins with it.
      if (match == Match::kMustWait) break;
      ++seen;
      last = object->key();
      if (match == Match::kYes) page.objects.push_back(std::move(object));
    }
  }
  end_page(wanted, selection, from, seen, last, page);
  co_return Answer<>();
}

// Those that the selector's name leaves, found one by one.
AnswerTask<> choose_named(Core& core, const Call& call, const Wanted& wanted,
                          const Selection& selection, Objects found, Page& page) {
  for (std::size_t i = 0; i < found.size();) {
    ObjectPtr& object = found[i];
    if (page.objects.size() == wanted.limit) {
      go_on_after(wanted, selection, page.objects.back()->key(), std::nullopt, page);
      break;
    }
    Match match = Match::kNo;
    if (object->key() >= wanted.start) {
      STRAKE_CO_TRY(match, selection.matches(*object, *call.endpoint, *call.version));
    }
    if (match == Match::kMustWait) {
      STRAKE_CO_CHECK(co_await make_ready_to_match(core, call, selection, found));
      continue;
    }
    if (match == Match::kYes) page.objects.push_back(std::move(object));
    ++i;
  }
  co_return Answer<>();
}

// Whether the answer can show them in the call's version.
Answer<> check_shown(const Call& call, const Objects& objects) {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kBetweenLooks == 0 && call.is_cancelled()) return refuse(Call::cancelled());
    STRAKE_CHECK(call.endpoint->render(*objects[i], *call.version));
  }
  return {};
}

// What a list has, and the answer when it was made along with it.
struct Found {
  Page page;
  std::optional<http::Response> response;
};

// Looks through many objects away from the loop, and answers there when that is all there is to do.
AnswerTask<Found> choose_from(Core& core, std::shared_ptr<const Call> call, const Wanted& wanted,
                              const Selection& selection, OrderedObjects::Taken taken,
                              Revision revision, bool answer_too) {
  Found found;
  found.page.meta.revision = revision;
  if (taken.size() <= (selection.needs_content() ? kParsedAtOnce : kAtOnce)) {
    STRAKE_CO_TRY(const bool chosen, choose(*call, wanted, selection, taken, found.page));
    if (chosen) co_return found;
    found.page.objects.clear();
    STRAKE_CO_CHECK(co_await choose_waiting(core, *call, wanted, selection, taken, found.page));
    co_return found;
  }
  // What the worker comes to: nothing when an object has to be waited for.
  using Outcome = std::optional<Found>;
  auto held = std::make_shared<const OrderedObjects::Taken>(std::move(taken));
  STRAKE_CO_TRY(
      Answer<Outcome> outcome,
      answer(co_await core.workers.run(
          [call, wanted, selection, held, revision, answer_too]() -> Result<Answer<Outcome>> {
            Found out;
            out.page.meta.revision = revision;
            const Answer<bool> chosen = choose(*call, wanted, selection, *held, out.page);
            if (!chosen) return Answer<Outcome>(refuse(chosen.error()));
            if (!*chosen) return Answer<Outcome>(Outcome());
            if (!answer_too || must_be_made(*call) || any_must_wait(*call, out.page.objects)) {
              return Answer<Outcome>(std::move(out));
            }
            Answer<http::Response> whole = list_response(*call, out.page.objects, out.page.meta);
            if (!whole) return Answer<Outcome>(refuse(whole.error()));
            out.response = *std::move(whole);
            return Answer<Outcome>(std::move(out));
          })));
  if (!outcome) co_return refuse(outcome.error());
  if (*outcome) co_return **std::move(outcome);
  STRAKE_CO_CHECK(co_await choose_waiting(core, *call, wanted, selection, *held, found.page));
  co_return found;
}

// Those of the one name that can match, as they stand.
ResourceCache::Listed named_in_cache(const ResourceCache& cache, const Wanted& wanted) {
  if (!wanted.is_single()) {
    return cache.named(*wanted.name, wanted.start,
                       wanted.limit == ResourceCache::kNoLimit ? wanted.limit : wanted.limit + 1);
  }
  ResourceCache::Listed found;
  if (ObjectPtr one = cache.get(wanted.within + *wanted.name)) {
    found.changed = one->revision();
    found.objects.push_back(std::move(one));
  }
  return found;
}

// From the cache, which has every change up to `revision`: as it stands, or nothing when it has
// changed since and `exact` is asked for.
AnswerTask<std::optional<Found>> from_cache(Core& core, std::shared_ptr<const Call> call,
                                            const Wanted& wanted, const Selection& selection,
                                            Revision revision, bool exact, bool answer_too) {
  const ResourceCache& cache = call->endpoint->cache();
  if (wanted.name) {
    ResourceCache::Listed found = named_in_cache(cache, wanted);
    // Asked after the look: without a change until now, what was seen is what it was.
    if (exact && wanted.is_single()) found.changed = cache.changed();
    if (exact && found.changed > revision) co_return std::nullopt;
    Found out;
    out.page.meta.revision = std::max(revision, found.changed);
    STRAKE_CO_CHECK(
        co_await choose_named(core, *call, wanted, selection, std::move(found.objects), out.page));
    co_return out;
  }
  // A page of everything is found at once; what a selector leaves out is not known before.
  const bool everything = selection.selects_everything();
  STRAKE_CO_TRY(std::optional<ResourceCache::Taken> by_index,
                co_await take_by_index(core, call, selection, wanted.within, wanted.start));
  ResourceCache::Taken taken =
      by_index ? *std::move(by_index)
               : cache.take(wanted.within, wanted.start,
                            everything ? wanted.limit : ResourceCache::kNoLimit);
  if (exact && taken.changed > revision) co_return std::nullopt;
  co_return co_await choose_from(core, std::move(call), wanted, selection, std::move(taken.objects),
                                 std::max(revision, taken.changed), answer_too);
}

AnswerTask<store::Page> read_store(Core& core, store::Range range) {
  Result<store::Page> page = co_await core.hub.store().range(std::move(range));
  if (page) co_return *std::move(page);
  if (page.error().code() == Code::kExpired) {
    co_return refuse(Status::expired("The resourceVersion for the provided list is too old."));
  }
  co_return refuse(Status::from_error(page.error()));
}

Answer<ObjectPtr> object_of(const Call& call, const store::Entry& entry) {
  // Most of what was there then is there still: the cache has its bytes already.
  if (ObjectPtr kept = call.endpoint->cache().get(entry.key);
      kept && kept->revision() == entry.mod_revision) {
    return kept;
  }
  return answer(
      Object::from_stored(entry.key, *entry.value, entry.mod_revision, entry.create_revision));
}

// The first at or after the key, as it stood; nothing at the end of the list.
AnswerTask<std::optional<store::Entry>> first_at(Core& core, const Wanted& wanted, std::string key,
                                                 Revision revision) {
  STRAKE_CO_TRY(store::Page page, co_await read_store(core, {.prefix = wanted.within,
                                                             .start = std::move(key),
                                                             .limit = 1,
                                                             .revision = revision,
                                                             .count = false}));
  if (page.entries.empty()) co_return std::nullopt;
  co_return std::move(page.entries.front());
}

// Those of one name, as they stood: from namespace to namespace.
AnswerTask<Objects> named_in_store(Core& core, const Call& call, const Wanted& wanted,
                                   Revision revision) {
  Objects out;
  std::string at = std::max(wanted.start, wanted.within);
  if (wanted.is_single()) at = std::max(at, wanted.within + *wanted.name);
  while (out.size() <= wanted.limit) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    STRAKE_CO_TRY(std::optional<store::Entry> found,
                  co_await first_at(core, wanted, std::move(at), revision));
    if (!found) break;
    const std::string folder =
        wanted.is_single() ? wanted.within : found->key.substr(0, found->key.rfind('/') + 1);
    std::string sought = folder + *wanted.name;
    if (found->key < sought) {
      at = std::move(sought);
      continue;
    }
    if (found->key == sought) {
      STRAKE_CO_TRY(ObjectPtr object, object_of(call, *found));
      out.push_back(std::move(object));
    }
    if (wanted.is_single()) break;
    at = folder;
    at.back() = '0';  // the next namespace: it comes after the slash
  }
  co_return out;
}

// As everything stood at a revision, from the store.
AnswerTask<Page> from_store(Core& core, const Call& call, const Wanted& wanted,
                            const Selection& selection, Revision revision) {
  Page page;
  page.meta.revision = revision;
  if (wanted.name) {
    STRAKE_CO_TRY(Objects found, co_await named_in_store(core, call, wanted, revision));
    STRAKE_CO_CHECK(co_await choose_named(core, call, wanted, selection, std::move(found), page));
    co_return page;
  }
  const bool everything = selection.selects_everything();
  const std::size_t most = selection.needs_content() ? kParsedAtOnce : kMostRead;
  std::size_t portion =
      std::min(everything ? wanted.limit : std::max(wanted.limit, kFewestRead), most);
  std::string at = wanted.start;
  std::int64_t seen = 0;
  while (true) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    STRAKE_CO_TRY(const store::Page read, co_await read_store(core, {.prefix = wanted.within,
                                                                     .start = std::move(at),
                                                                     .limit = portion,
                                                                     .revision = revision,
                                                                     .count = false}));
    for (std::size_t i = 0; i < read.entries.size(); ++i) {
      STRAKE_CO_TRY(ObjectPtr object, object_of(call, read.entries[i]));
      STRAKE_CO_TRY(Match match, selection.matches(*object, *call.endpoint, *call.version));
      while (match == Match::kMustWait) {
        STRAKE_CO_CHECK(co_await make_ready(core, call, *call.version, std::span(&object, 1)));
        STRAKE_CO_TRY(match, selection.matches(*object, *call.endpoint, *call.version));
      }
      ++seen;
      if (match == Match::kYes) page.objects.push_back(std::move(object));
      const bool more = read.remaining > 0 || i + 1 < read.entries.size();
      if (page.objects.size() < wanted.limit || !more) continue;
      go_on_after(wanted, selection, read.entries[i].key,
                  wanted.left ? std::optional(*wanted.left - seen) : std::nullopt, page);
      co_return page;
    }
    if (read.remaining == 0) co_return page;
    at = read.entries.back().key + '\0';
    portion = std::min(portion * 2, most);
    if (everything) portion = std::min(portion, wanted.limit - page.objects.size());
    // Others get their turn: a store in memory answers at once.
    co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                               boost::asio::use_awaitable);
  }
}

// A continued list whose revision is gone still tells the client how to get the rest.
Status expired_continue(const std::string& start) {
  Status status = Status::expired(
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without "
      "the continue parameter, or use the continue token in this response to retrieve the "
      "remainder of the results. "
      "Continuing with the provided token results in an inconsistent list - objects that were "
      "created, modified, or "
      "deleted between the time the first chunk was returned and now may show up in the list.");
  status.continue_token = encode_continue({.revision = -1, .start = start});
  return status;
}

// At exactly this revision, wherever that is known.
AnswerTask<Found> list_at(Core& core, std::shared_ptr<const Call> call, const Wanted& wanted,
                          const Selection& selection, Revision revision, bool answer_too) {
  // The cache has everything up to the hub's revision: as long as this resource has not changed
  // since, it is what it was.
  if (revision <= core.hub.revision()) {
    STRAKE_CO_TRY(std::optional<Found> found,
                  co_await from_cache(core, call, wanted, selection, revision, true, answer_too));
    if (found) co_return *std::move(found);
  }
  Found out;
  STRAKE_CO_TRY(out.page, co_await from_store(core, *call, wanted, selection, revision));
  co_return out;
}

AnswerTask<Found> list_now(Core& core, std::shared_ptr<const Call> call, const Wanted& wanted,
                           const Selection& selection, bool answer_too) {
  // The newest revision before the look at the cache: what it shows is at least that.
  const Revision now = core.hub.revision();
  STRAKE_CO_TRY(std::optional<Found> found, co_await from_cache(core, std::move(call), wanted,
                                                                selection, now, false, answer_too));
  co_return *std::move(found);
}

AnswerTask<Found> continued(Core& core, std::shared_ptr<const Call> call,
                            const ListOptions& options, const Selection& selection,
                            bool answer_too) {
  if (!options.resource_version.empty() && options.resource_version != "0") {
    co_return refuse(
        Status::bad_request("specifying resource version is not allowed when using continue"));
  }
  STRAKE_CO_TRY(const ContinueToken token, decode_continue(options.continue_token));
  Wanted wanted = wanted_by(*call, options, selection);
  wanted.start = wanted.prefix + token.start;
  wanted.left = token.left;
  if (token.revision < 0)
    co_return co_await list_now(core, std::move(call), wanted, selection, answer_too);
  auto found =
      co_await list_at(core, std::move(call), wanted, selection, token.revision, answer_too);
  if (!found && found.error().reason == "Expired") co_return refuse(expired_continue(token.start));
  co_return found;
}

AnswerTask<Found> begun(Core& core, std::shared_ptr<const Call> call, const ListOptions& options,
                        const Selection& selection, bool answer_too) {
  using Exactness = ListOptions::Match;
  Revision revision = 0;
  if (!options.resource_version.empty()) {
    auto parsed = parse_resource_version(options.resource_version);
    if (!parsed)
      co_return refuse(Status::bad_request("invalid resource version: " + parsed.error().message));
    revision = *parsed;
  }
  if (revision > core.hub.revision())
    STRAKE_CO_CHECK(co_await wait_for_revision(core, *call, revision));
  const bool exact = options.match == Exactness::kExact ||
                     (options.match == Exactness::kUnset && options.limit > 0);
  const Wanted wanted = wanted_by(*call, options, selection);
  if (revision > 0 && exact)
    co_return co_await list_at(core, std::move(call), wanted, selection, revision, answer_too);
  co_return co_await list_now(core, std::move(call), wanted, selection, answer_too);
}

// With `answer_too` the response may be made along with it. Options and selection are the caller's.
AnswerTask<Found> find(Core& core, std::shared_ptr<const Call> call, const ListOptions& options,
                       const Selection& selection, bool answer_too) {
  return options.continue_token.empty()
             ? begun(core, std::move(call), options, selection, answer_too)
             : continued(core, std::move(call), options, selection, answer_too);
}

}  // namespace

AnswerTask<Chosen> choose_listed(Core& core, std::shared_ptr<const Call> call,
                                 const ListOptions& options, Selection selection) {
  STRAKE_CO_TRY(Found found, co_await find(core, call, options, selection, false));
  Objects& objects = found.page.objects;
  STRAKE_CO_CHECK(co_await make_ready(core, *call, *call->version, objects));
  const auto check_them = [&] { return check_shown(*call, objects); };
  STRAKE_CO_CHECK(objects.size() > kParsedAtOnce ? co_await by_worker(core, check_them)
                                                 : check_them());
  co_return Chosen{std::move(objects), std::move(found.page.meta)};
}

AnswerTask<http::Response> list(Core& core, std::shared_ptr<Call> call) {
  STRAKE_CO_TRY(const ListOptions options, read_list_options(call->query, false));
  STRAKE_CO_TRY(const Selection selection, Selection::of(*call, options));
  STRAKE_CO_TRY(Found found, co_await find(core, call, options, selection, true));
  if (found.response) co_return *std::move(found.response);
  co_return co_await send_list(core, std::move(call), std::move(found.page.objects),
                               std::move(found.page.meta));
}

}  // namespace strake::api
