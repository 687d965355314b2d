#include "api/verbs/ready.h"

#include <map>
#include <vector>

#include "api/verbs/by_worker.h"
#include "async/cancellable.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using value::Document;

// Objects that are stored in one version. `from` is null where the strategy makes the text alone.
struct Group {
  const kinds::ServedVersion* from;
  const kinds::ServedVersion& to;
  std::vector<ObjectPtr*> objects;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const ObjectPtr* one : objects) sum += (*one)->bytes()->size();
    return sum;
  }
};

// The texts, made here.
Answer<std::vector<Bytes>> make_texts(const Call& call, const Group& group) {
  std::vector<Bytes> out;
  for (const ObjectPtr* one : group.objects) {
    if (call.is_cancelled()) return refuse(Call::cancelled());
    STRAKE_TRY(Bytes text, call.endpoint->make(**one, group.to));
    out.push_back(std::move(text));
  }
  return out;
}

Answer<std::vector<Document>> read_all(const Call& call, const Group& group) {
  std::vector<Document> out;
  for (const ObjectPtr* one : group.objects) {
    if (call.is_cancelled()) return refuse(Call::cancelled());
    STRAKE_TRY(Document document, call.endpoint->read_stored(**one));
    out.push_back(std::move(document));
  }
  return out;
}

Answer<std::vector<Bytes>> write_all(std::span<const Document> documents) {
  std::vector<Bytes> out;
  for (const Document& one : documents)
    out.push_back(std::make_shared<const std::string>(value::to_json(one.root())));
  return out;
}

// The texts, from a converter that is waited for.
AnswerTask<std::vector<Bytes>> convert_texts(Core& core, const Call& call, const Group& group) {
  const bool aside = group.bytes() > kDoneAtOnce;
  const auto read_them = [&] { return read_all(call, group); };
  STRAKE_CO_TRY(std::vector<Document> documents,
                aside ? co_await by_worker(core, read_them) : read_them());
  const Conversion conversion{.resource = call.resource(), .from = *group.from, .to = group.to};
  const WaitCancel cancel(call);
  Eventual<> converted = call.endpoint->converter().convert(conversion, documents, cancel.token());
  STRAKE_CO_CHECK(converted.must_wait() ? co_await converted.wait() : converted.take());
  const auto write_them = [&] { return write_all(documents); };
  co_return aside ? co_await by_worker(core, write_them) : write_them();
}

AnswerTask<std::vector<Bytes>> make_group(Core& core, const Call& call, Group group) {
  const Endpoint& endpoint = *call.endpoint;
  if (group.from != nullptr) {
    STRAKE_CO_CHECK(co_await compile(core, call, *group.from));
    STRAKE_CO_CHECK(co_await compile(core, call, group.to));
  }
  if (group.from != nullptr && !endpoint.converts_at_once(*group.from, group.to))
    co_return co_await convert_texts(core, call, group);
  const auto make_them = [&] { return make_texts(call, group); };
  co_return group.bytes() > kDoneAtOnce ? co_await by_worker(core, make_them) : make_them();
}

AnswerTask<> make_group_ready(Core& core, const Call& call, Group group, Renderings::Share& share) {
  const std::uint64_t epoch = call.endpoint->epoch();
  Answer<std::vector<Bytes>> texts = co_await make_group(core, call, group);
  if (!texts) {
    // What this call has no more time for, others may have.
    for (const ObjectPtr* one : group.objects) {
      if (!call.is_cancelled()) share.tell(*one, refuse(texts.error()));
    }
    co_return refuse(std::move(texts).error());
  }
  for (std::size_t i = 0; i < texts->size(); ++i) {
    ObjectPtr& object = *group.objects[i];
    Bytes& text = (*texts)[i];
    // For everyone who comes later, for those who wait now, and for this reader.
    object->keep_rendition(epoch, group.to.name, text);
    share.tell(object, text);
    object = object->with_rendition(epoch, group.to.name, std::move(text));
  }
  co_return Answer<>();
}

}  // namespace

AnswerTask<> compile(Core& core, const Call& call, const kinds::ServedVersion& version) {
  if (!version.is_compiled()) {
    const WaitCancel cancel(call);
    const Result<> compiled = co_await call.endpoint->compilations().compile(
        core.workers, call.endpoint->resource_ptr(), version, cancel.token());
    if (!compiled && compiled.error().code() == Code::kCancelled)
      co_return refuse(Call::cancelled());
    STRAKE_CO_CHECK(answer(compiled));
  }
  STRAKE_CO_CHECK(answer(version.kind()));
  co_return Answer<>();
}

AnswerTask<> make_ready(Core& core, const Call& call, const kinds::ServedVersion& version,
                        std::span<ObjectPtr> objects) {
  const bool many = call.strategy().wire().many_versions;
  const WaitCancel cancel(call);
  std::vector<ObjectPtr*> left;
  for (ObjectPtr& one : objects) {
    if (call.endpoint->must_wait(*one, version)) left.push_back(&one);
  }
  while (!left.empty()) {
    Renderings::Share share(call.endpoint->renderings(), version);
    std::map<const kinds::ServedVersion*, std::vector<ObjectPtr*>> groups;
    std::vector<std::pair<ObjectPtr*, async::OneShot<Renderings::Outcome>>> made_by_others;
    for (ObjectPtr* one : std::exchange(left, {})) {
      if (auto done = share.join(*one)) {
        made_by_others.emplace_back(one, *std::move(done));
      } else {
        groups[many ? call.resource().version((*one)->version()) : nullptr].push_back(one);
      }
    }
    for (auto& [from, group] : groups) {
      STRAKE_CO_CHECK(co_await make_group_ready(
          core, call, {.from = from, .to = version, .objects = group}, share));
    }
    for (auto& [one, done] : made_by_others) {
      const CancelRegistration registration = async::end_wait_when(cancel.token(), done);
      Result<Renderings::Outcome> outcome = co_await done.wait();
      if (!outcome) co_return refuse(Call::cancelled());
      if (!*outcome) {
        left.push_back(one);
        continue;
      }
      STRAKE_CO_TRY(Bytes text, std::move(**outcome));
      *one = (*one)->with_rendition(call.endpoint->epoch(), version.name, std::move(text));
    }
  }
  co_return Answer<>();
}

AnswerTask<Bytes> render_later(Core& core, const Call& call, ObjectPtr object,
                               const kinds::ServedVersion& version) {
  // Again when another schema's renditions have taken the place of what was found.
  while (true) {
    STRAKE_CO_CHECK(co_await make_ready(core, call, version, std::span(&object, 1)));
    STRAKE_CO_TRY(Bytes text, call.endpoint->render(*object, version));
    if (text) co_return text;
  }
}

bool must_wait_to_convert(const Call& call, const kinds::ServedVersion& from,
                          const kinds::ServedVersion& to) {
  if (&from == &to) return false;
  return !from.is_compiled() || !to.is_compiled() || !call.endpoint->converts_at_once(from, to);
}

AnswerTask<> convert(Core& core, const Call& call, Document& document,
                     const kinds::ServedVersion& from, const kinds::ServedVersion& to,
                     bool fill_defaults, bool settle) {
  if (&from == &to) co_return Answer<>();
  STRAKE_CO_CHECK(co_await compile(core, call, from));
  STRAKE_CO_CHECK(co_await compile(core, call, to));
  const WaitCancel cancel(call);
  const Conversion conversion{.resource = call.resource(),
                              .from = from,
                              .to = to,
                              .fill_defaults = fill_defaults,
                              .settle = settle};
  Eventual<> converted =
      call.endpoint->converter().convert(conversion, std::span(&document, 1), cancel.token());
  co_return converted.must_wait() ? co_await converted.wait() : converted.take();
}

}  // namespace strake::api
