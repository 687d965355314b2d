#include "kinds/protobuf_tables.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "base/assert.h"
#include "kinds/describe.h"

namespace strake::kinds {
namespace {

using Form = ProtoField::Form;
using Count = ProtoField::Count;
constexpr bool kAlways = true;

// What is not declared as a type: metadata of objects and lists, and Status.
constexpr ProtoField kOwnerReferenceFields[] = {
    {1, "kind", Form::kText, Count::kOne, kAlways},
    {3, "name", Form::kText, Count::kOne, kAlways},
    {4, "uid", Form::kText, Count::kOne, kAlways},
    {5, "apiVersion", Form::kText, Count::kOne, kAlways},
    {6, "controller", Form::kBool},
    {7, "blockOwnerDeletion", Form::kBool}};
constexpr ProtoMessage kOwnerReference{"OwnerReference", kOwnerReferenceFields};

constexpr ProtoField kManagedFieldsEntryFields[] = {
    {1, "manager", Form::kText, Count::kOne, kAlways},
    {2, "operation", Form::kText, Count::kOne, kAlways},
    {3, "apiVersion", Form::kText, Count::kOne, kAlways},
    {4, "time", Form::kTime},
    {6, "fieldsType", Form::kText, Count::kOne, kAlways},
    {7, "fieldsV1", Form::kOwnedFields},
    {8, "subresource", Form::kText, Count::kOne, kAlways}};
constexpr ProtoMessage kManagedFieldsEntry{"ManagedFieldsEntry", kManagedFieldsEntryFields};

constexpr ProtoField kObjectMetaFields[] = {
    {1, "name", Form::kText, Count::kOne, kAlways},
    {2, "generateName", Form::kText, Count::kOne, kAlways},
    {3, "namespace", Form::kText, Count::kOne, kAlways},
    {4, "selfLink", Form::kText, Count::kOne, kAlways},
    {5, "uid", Form::kText, Count::kOne, kAlways},
    {6, "resourceVersion", Form::kText, Count::kOne, kAlways},
    {7, "generation", Form::kInt64, Count::kOne, kAlways},
    {8, "creationTimestamp", Form::kTime, Count::kOne, kAlways},
    {9, "deletionTimestamp", Form::kTime},
    {10, "deletionGracePeriodSeconds", Form::kInt64},
    {11, "labels", Form::kText, Count::kMap},
    {12, "annotations", Form::kText, Count::kMap},
    {13, "ownerReferences", Form::kMessage, Count::kList, false, &kOwnerReference},
    {14, "finalizers", Form::kText, Count::kList},
    {17, "managedFields", Form::kMessage, Count::kList, false, &kManagedFieldsEntry}};
constexpr ProtoMessage kObjectMeta{"ObjectMeta", kObjectMetaFields};

constexpr ProtoField kListMetaFields[] = {{1, "selfLink", Form::kText, Count::kOne, kAlways},
                                          {2, "resourceVersion", Form::kText, Count::kOne, kAlways},
                                          {3, "continue", Form::kText, Count::kOne, kAlways},
                                          {4, "remainingItemCount", Form::kInt64}};
constexpr ProtoMessage kListMeta{"ListMeta", kListMetaFields};

constexpr ProtoField kStatusCauseFields[] = {{1, "reason", Form::kText, Count::kOne, kAlways},
                                             {2, "message", Form::kText, Count::kOne, kAlways},
                                             {3, "field", Form::kText, Count::kOne, kAlways}};
constexpr ProtoMessage kStatusCause{"StatusCause", kStatusCauseFields};
constexpr ProtoField kStatusDetailsFields[] = {
    {1, "name", Form::kText, Count::kOne, kAlways},
    {2, "group", Form::kText, Count::kOne, kAlways},
    {3, "kind", Form::kText, Count::kOne, kAlways},
    {4, "causes", Form::kMessage, Count::kList, false, &kStatusCause},
    {5, "retryAfterSeconds", Form::kInt32, Count::kOne, kAlways},
    {6, "uid", Form::kText, Count::kOne, kAlways}};
constexpr ProtoMessage kStatusDetails{"StatusDetails", kStatusDetailsFields};
constexpr ProtoField kStatusFields[] = {
    {1, "metadata", Form::kMessage, Count::kOne, kAlways, &kListMeta},
    {2, "status", Form::kText, Count::kOne, kAlways},
    {3, "message", Form::kText, Count::kOne, kAlways},
    {4, "reason", Form::kText, Count::kOne, kAlways},
    {5, "details", Form::kMessage, Count::kOne, false, &kStatusDetails},
    {6, "code", Form::kInt32, Count::kOne, kAlways}};
constexpr ProtoMessage kStatus{"Status", kStatusFields};

constexpr ProtoField kPartialFields[] = {
    {1, "metadata", Form::kMessage, Count::kOne, kAlways, &kObjectMeta}};
constexpr ProtoMessage kPartial{"PartialObjectMetadata", kPartialFields};

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  STRAKE_ASSERT(number > 0);
  return number;
}

// The messages of declared types.
class Messages {
 public:
  const ProtoMessage& of(const Type& type) {
    const std::lock_guard lock(mu_);
    return message(type);
  }

 private:
  // A field, and the rest of its number within the struct that is inline in JSON.
  struct Numbered {
    const Field* field;
    std::string_view number;
  };

  const ProtoMessage& message(const Type& type) {
    const auto [at, added] = by_type_.try_emplace(&type);
    if (!added) {
      STRAKE_ASSERT(at->second != nullptr);  // it would hold itself
      return *at->second;
    }
    std::vector<Numbered> fields;
    for (const Field& field : type.fields) {
      if (!field.number.empty()) fields.push_back({&field, field.number});
    }
    const ProtoMessage& made = make(type.name, fields, type.is_object());
    by_type_[&type] = &made;
    return made;
  }

  const ProtoMessage& make(std::string_view name, const std::vector<Numbered>& fields,
                           bool is_object) {
    std::vector<ProtoField> out;
    if (is_object)
      out.push_back({1, "metadata", Form::kMessage, Count::kOne, kAlways, &kObjectMeta});
    std::map<std::uint32_t, std::vector<Numbered>> inside;  // by the number of the inline struct
    for (const auto& [field, number] : fields) {
      if (const std::size_t dot = number.find('.'); dot != std::string_view::npos) {
        inside[number_of(number.substr(0, dot))].push_back({field, number.substr(dot + 1)});
      } else {
        out.push_back(field_of(*field, number_of(number)));
      }
    }
    for (const auto& [number, inner] : inside)
      out.push_back({number, "", Form::kInline, Count::kOne, kAlways, &make(name, inner, false)});
    std::ranges::sort(out, {}, &ProtoField::number);
    return made_.emplace_back(ProtoMessage{name, made_fields_.emplace_back(std::move(out))});
  }

  ProtoField field_of(const Field& field, std::uint32_t number) {
    ProtoField out{.number = number, .name = field.name};
    const TypeUse* use = field.use;
    // Names for lists and maps are these.
    const auto resolved = [](const TypeUse& one) -> Count {
      if (one.form == TypeUse::Form::kList) return Count::kList;
      if (one.form == TypeUse::Form::kMap) return Count::kMap;
      if (one.form != TypeUse::Form::kNamed) return Count::kOne;
      if (one.type->form == Type::Form::kList) return Count::kList;
      return one.type->form == Type::Form::kMap ? Count::kMap : Count::kOne;
    };
    out.count = resolved(*use);
    if (out.count != Count::kOne)
      use = use->form == TypeUse::Form::kNamed ? use->type->element : use->element;
    if (resolved(*use) == Count::kList) {
      out.form = Form::kTexts;  // a list in a map has a message of its own
    } else {
      set_form(*use, out);
    }
    // Go's generated code leaves out what is null, and everything else is written.
    out.always = out.count == Count::kOne && !field.pointer && out.form != Form::kBytes;
    return out;
  }

  void set_form(const TypeUse& use, ProtoField& out) {
    switch (use.form) {
      case TypeUse::Form::kString: out.form = Form::kText; return;
      case TypeUse::Form::kBool: out.form = Form::kBool; return;
      case TypeUse::Form::kInt32: out.form = Form::kInt32; return;
      case TypeUse::Form::kInt64: out.form = Form::kInt64; return;
      case TypeUse::Form::kBytes: out.form = Form::kBytes; return;
      case TypeUse::Form::kTime: out.form = Form::kTime; return;
      case TypeUse::Form::kMicroTime: out.form = Form::kMicroTime; return;
      case TypeUse::Form::kQuantity: out.form = Form::kQuantity; return;
      case TypeUse::Form::kIntOrString: out.form = Form::kIntOrString; return;
      case TypeUse::Form::kObjectMeta:
        out.form = Form::kMessage;
        out.message = &kObjectMeta;
        return;
      case TypeUse::Form::kNamed:
        if (use.type->form == Type::Form::kString) return;
        out.form = use.type->is_struct() ? Form::kMessage : Form::kJson;
        if (use.type->is_struct()) out.message = &message(*use.type);
        return;
      // No type but those of CustomResourceDefinitions has these.
      case TypeUse::Form::kFloat:
      case TypeUse::Form::kList:
      case TypeUse::Form::kMap: STRAKE_ASSERT(false);
    }
  }

  std::mutex mu_;
  // All guarded by mu_; what they hold stays where it is.
  std::map<const Type*, const ProtoMessage*> by_type_;
  std::deque<ProtoMessage> made_;
  std::deque<std::vector<ProtoField>> made_fields_;
};

}  // namespace

const ProtoMessage* find_message(std::string_view api_version, std::string_view kind) {
  static Messages& messages = *new Messages();
  // Clients send their options in the version of the group they talk to, whatever it is.
  if (kind == "DeleteOptions")
    return &messages.of(described_type("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"));
  const meta::GroupVersionKind gvk = meta::from_api_version_and_kind(api_version, kind);
  // Definitions hold schemas, which hold schemas: they travel as JSON.
  if (gvk.group == "apiextensions.k8s.io") return nullptr;
  const Type* type = find_kind(gvk);
  return type != nullptr ? &messages.of(*type) : nullptr;
}

const ProtoMessage& object_meta_message() { return kObjectMeta; }
const ProtoMessage& list_meta_message() { return kListMeta; }
const ProtoMessage& status_message() { return kStatus; }
const ProtoMessage& partial_metadata_message() { return kPartial; }

}  // namespace strake::kinds
