// Listing: from the cache as it stands, or from the store as it stood at a revision.
#include <fmt/format.h>

#include <algorithm>

#include "api/continue_token.h"
#include "api/respond.h"
#include "api/verbs.h"

namespace strake::api {
namespace {

using meta::Status;

struct Page {
  std::vector<ObjectPtr> objects;
  ListMeta meta;
};

// Takes up to `limit` matching objects; what follows is counted, and the token says where to go on.
void take_page(const Call& call, const Selection& selection, std::vector<ObjectPtr>&& from,
               std::int64_t limit, Page& page) {
  const std::string prefix = call.endpoint->key_prefix(call.info.namespace_name);
  std::size_t seen = 0;
  const bool everything = selection.selects_everything();
  if (everything && (limit == 0 || from.size() <= static_cast<std::size_t>(limit))) {
    page.objects = std::move(from);
    return;
  }
  for (ObjectPtr& object : from) {
    if (limit > 0 && page.objects.size() == static_cast<std::size_t>(limit)) break;
    ++seen;
    if (everything || selection.matches(*object, *call.endpoint, *call.version))
      page.objects.push_back(object);
  }
  if (seen == from.size()) return;
  const std::string_view last = from[seen - 1]->key();
  ContinueToken token{.revision = page.meta.revision,
                      .start = std::string(last.substr(prefix.size())) + '\0'};
  page.meta.continue_token = encode_continue(token);
  if (everything) page.meta.remaining = static_cast<std::int64_t>(from.size() - seen);
}

AnswerTask<std::vector<ObjectPtr>> read_store(Core& core, const Call& call, Revision revision,
                                              std::string start) {
  store::Range range{.prefix = call.endpoint->key_prefix(call.info.namespace_name),
                     .start = std::move(start)};
  range.revision = revision;
  const Result<store::Page> page = co_await core.hub.store().range(range);
  if (!page) {
    if (page.error().code() == Code::kExpired) {
      co_return refuse(Status::expired("The resourceVersion for the provided list is too old."));
    }
    co_return refuse(Status::from_error(page.error()));
  }
  std::vector<ObjectPtr> out;
  out.reserve(page->entries.size());
  for (const store::Entry& entry : page->entries) {
    // Most of what was there then is there still: the cache has its bytes already.
    if (ObjectPtr kept = call.endpoint->cache().get(entry.key);
        kept && kept->revision() == entry.mod_revision) {
      out.push_back(std::move(kept));
      continue;
    }
    STRAKE_CO_TRY(ObjectPtr object,
                  answer(Object::from_stored(entry.key, *entry.value, entry.mod_revision,
                                             entry.create_revision)));
    out.push_back(std::move(object));
  }
  co_return out;
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

AnswerTask<Page> continued(Core& core, const Call& call, const ListOptions& options,
                           const Selection& selection) {
  if (!options.resource_version.empty() && options.resource_version != "0") {
    co_return refuse(
        Status::bad_request("specifying resource version is not allowed when using continue"));
  }
  STRAKE_CO_TRY(const ContinueToken token, decode_continue(options.continue_token));
  const std::string prefix = call.endpoint->key_prefix(call.info.namespace_name);
  Page page;
  std::vector<ObjectPtr> objects;
  if (token.revision < 0 || core.hub.revision() == token.revision) {
    const Revision now = core.hub.revision();
    ResourceCache::Listed listed = call.endpoint->cache().list(prefix, prefix + token.start);
    page.meta.revision = std::max(now, listed.changed);
    objects = std::move(listed.objects);
  } else {
    page.meta.revision = token.revision;
    auto read = co_await read_store(core, call, token.revision, prefix + token.start);
    if (!read) {
      if (read.error().reason == "Expired") co_return refuse(expired_continue(token.start));
      co_return refuse(read.error());
    }
    objects = *std::move(read);
  }
  take_page(call, selection, std::move(objects), options.limit, page);
  co_return page;
}

AnswerTask<Page> first_page(Core& core, const Call& call, const ListOptions& options,
                            const Selection& selection) {
  using Match = ListOptions::Match;
  Page page;
  Revision wanted = 0;
  if (!options.resource_version.empty()) {
    auto parsed = parse_resource_version(options.resource_version);
    if (!parsed)
      co_return refuse(Status::bad_request("invalid resource version: " + parsed.error().message));
    wanted = *parsed;
  }
  if (wanted > core.hub.revision()) STRAKE_CO_CHECK(co_await wait_for_revision(core, wanted));
  const bool exact =
      options.match == Match::kExact || (options.match == Match::kUnset && options.limit > 0);
  if (wanted > 0 && exact && wanted != core.hub.revision()) {
    page.meta.revision = wanted;
    STRAKE_CO_TRY(std::vector<ObjectPtr> objects, co_await read_store(core, call, wanted, ""));
    take_page(call, selection, std::move(objects), options.limit, page);
    co_return page;
  }
  const std::string prefix = call.endpoint->key_prefix(call.info.namespace_name);
  // The newest revision before the look at the cache: what it shows is at least that.
  const Revision now = core.hub.revision();
  if (const auto name = selection.single_name();
      name && !call.info.namespace_name.empty() == call.resource().namespaced) {
    if (ObjectPtr one = call.endpoint->cache().get(prefix + std::string(*name))) {
      page.meta.revision = std::max(now, one->revision());
      take_page(call, selection, {std::move(one)}, options.limit, page);
    }
    page.meta.revision = std::max(now, page.meta.revision);
    co_return page;
  }
  ResourceCache::Listed listed = call.endpoint->cache().list(prefix);
  page.meta.revision = std::max(now, listed.changed);
  take_page(call, selection, std::move(listed.objects), options.limit, page);
  co_return page;
}

}  // namespace

AnswerTask<http::Response> list(Core& core, Call& call) {
  STRAKE_CO_TRY(const ListOptions options, read_list_options(call.query, false));
  STRAKE_CO_TRY(const Selection selection, Selection::of(call, options));
  auto page = options.continue_token.empty() ? co_await first_page(core, call, options, selection)
                                             : co_await continued(core, call, options, selection);
  if (!page) co_return refuse(std::move(page).error());
  co_return list_response(call, page->objects, page->meta);
}

}  // namespace strake::api
