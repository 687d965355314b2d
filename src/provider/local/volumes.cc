#include "provider/local/volumes.h"

#include <algorithm>
#include <optional>

#include "base/quote.h"
#include "provider/local/copy.h"
#include "provider/local/object.h"
#include "provider/names/compact_id.h"
#include "provider/names/name_checks.h"
#include "provider/names/source.h"
#include "provider/names/zones.h"

namespace strake::provider::local {
namespace {

constexpr std::string_view kObjectFile = "object.json";
constexpr std::string_view kContent = "content";

const NativeIds& native_ids() {
  static const NativeIds ids{.beginnings = {kHandlePrefix}};
  return ids;
}

enum class Kind : std::uint8_t { kDisk, kSnapshot };

std::string_view word(Kind kind) { return kind == Kind::kDisk ? "disk" : "snapshot"; }
std::string_view name_tag(Kind kind) { return kind == Kind::kDisk ? kDiskTag : kSnapshotTag; }

// One that is there.
struct Found {
  std::string resource;  // its folder
  std::string name;
  VolumeObject object;
};

bool is_assigned(const Found& disk) {
  const auto tag = disk.object.tags.find(kDiskAssignedTag);
  return tag != disk.object.tags.end() && tag->second == "true";
}

const Found* find(const std::vector<Found>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Found::name);
  return found == all.end() ? nullptr : &*found;
}

std::string text(std::string_view view) { return std::string(view); }

Disk disk_of(const Found& from, const AppVolume& volume) {
  return {.name = from.name,
          .volume_name = volume.name,
          .assigned = is_assigned(from),
          .size = from.object.size,
          .zone = from.object.zone,
          .options = from.object.options,
          .handle = handle_of(from.resource),
          .created_at = from.object.created_at,
          .updated_at = from.object.updated_at};
}

Snapshot snapshot_of(const Found& from, const AppVolume& volume) {
  return {.name = from.name,
          .volume_name = volume.name,
          .size = from.object.size,
          .handle = handle_of(from.resource),
          .created_at = from.object.created_at,
          .updated_at = from.object.updated_at};
}

// The format of a volume, and what its options say.
Outcome<Format> format_of(VolumeType type, const OptionMap& options) {
  const auto given = options.find("format");
  if (given == options.end()) return type == VolumeType::kDisk ? Format::kImage : Format::kFolder;
  const std::string* chosen = std::get_if<std::string>(&given->second);
  if (chosen != nullptr && *chosen == "image") return Format::kImage;
  if (chosen != nullptr && *chosen == "folder") return Format::kFolder;
  return refuse(FailureClass::kValidation, "volume option format must be image or folder{}",
                chosen == nullptr ? std::string() : ", got " + quote(*chosen));
}

// One volume of one app, for the length of a call.
class Volume {
 public:
  Volume(const Site& site, const Call& call, const VolumeOf& of)
      : site_(site),
        call_(call),
        of_(of),
        owner_(site.names.owner("", of.app.name)),
        hash_(hashes_of(owner_).app_id),
        id_(volume_id(of.volume.name, hashes_of(owner_))) {}

  const std::string& id() const { return id_; }
  const OwnerNames& owner() const { return owner_; }

  std::string resource(Kind kind, std::string_view name) const {
    return kind == Kind::kDisk ? site_.names.disk(of_.app.name, of_.volume.name, name)
                               : site_.names.snapshot(of_.app.name, of_.volume.name, name);
  }
  std::string path(std::string_view resource) const { return site_.path(kVolumes, resource); }

  // All of a kind. What is no document of ours is told, and left alone.
  Outcome<std::vector<Found>> list(Kind kind) const {
    std::vector<Found> out;
    STRAKE_TRY(const bool there, site_.is_there(call_));
    if (!there) return out;
    STRAKE_TRY(const auto names, site_.files.names(call_, site_.folder(kVolumes)));
    const std::string beginning = first_of(kind);
    for (const std::string& name : names) {
      if (!name.starts_with(beginning)) continue;
      STRAKE_TRY(std::optional<VolumeObject> object, read(name));
      if (!object) continue;
      const auto id = object->tags.find(kVolumeIdTag);
      const auto called = object->tags.find(name_tag(kind));
      if (id == object->tags.end() || id->second != id_ || called == object->tags.end()) continue;
      out.push_back({.resource = name, .name = called->second, .object = *std::move(object)});
    }
    return out;
  }

  Outcome<std::optional<VolumeObject>> read(const std::string& resource) const {
    const std::string file = fmt::format("{}/{}", path(resource), kObjectFile);
    STRAKE_TRY(const auto content, site_.files.read(call_, file, kMostObjectBytes));
    if (!content) return std::nullopt;
    auto object = read_volume_object(*content);
    if (object) return *std::move(object);
    call_.warn("not a disk or snapshot", {{"path", file}, {"reason", object.error().message()}});
    return std::nullopt;
  }

  Outcome<> write(const Found& one) const {
    return site_.files.write(call_, fmt::format("{}/{}", path(one.resource), kObjectFile),
                             to_json(one.object));
  }

  // What calls that were cut off have left: half of something new, or of something removed.
  Outcome<std::vector<std::string>> leftovers() const {
    std::vector<std::string> out;
    STRAKE_TRY(const auto names, site_.files.names(call_, site_.folder(kVolumes)));
    for (const std::string& name : names) {
      for (const Kind kind : {Kind::kDisk, Kind::kSnapshot}) {
        const bool begins = name.starts_with(name_of_new(first_of(kind))) ||
                            name.starts_with(name_of_old(first_of(kind)));
        if (begins && name.ends_with(hash_)) out.push_back(name);
      }
    }
    return out;
  }

  Outcome<> sweep() const {
    STRAKE_TRY(const auto names, leftovers());
    for (const std::string& name : names) STRAKE_CHECK(site_.files.remove(call_, path(name)));
    return {};
  }

  // The content first, then its tags, then the name: it is there whole or not at all.
  Outcome<> make(const Found& one, const Found* source) const {
    const std::string made = path(name_of_new(one.resource));
    const std::string content = fmt::format("{}/{}", made, kContent);
    STRAKE_CHECK(site_.files.make_folder(call_, made));
    STRAKE_CHECK(
        external(site_.files.calls(), call_,
                 {source == nullptr ? "make content" : "copy content", content, Effect::kWrite},
                 [&] { return fill(one.object, source, content); }));
    STRAKE_CHECK(
        site_.files.write(call_, fmt::format("{}/{}", made, kObjectFile), to_json(one.object)));
    if (source != nullptr) {
      STRAKE_TRY(const auto still, read(source->resource));
      if (!still || still->created_at != source->object.created_at) {
        return refuse(FailureClass::kConflict, "source {} was removed while it was copied",
                      quote(source->name));
      }
    }
    return site_.files.rename(call_, made, path(one.resource));
  }

  Outcome<> remove(std::string_view resource) const {
    const std::string old = path(name_of_old(resource));
    STRAKE_CHECK(site_.files.rename(call_, path(resource), old));
    return site_.files.remove(call_, old);
  }

  // What the text names. `shown` is how the caller wrote it.
  Outcome<Found> resolve(const Source& source, std::string_view shown) const {
    const auto failed = [&](std::string_view kind) {
      return refuse(FailureClass::kNotFound, "resolve source {}: get {} {}: not found",
                    quote(shown), kind, quote(source.text));
    };
    if (source.kind == SourceKind::kNative) return native(source, shown);
    const Kind kind = source.kind == SourceKind::kDisk ? Kind::kDisk : Kind::kSnapshot;
    STRAKE_TRY(const auto all, list(kind));
    const Found* found = find(all, source.text);
    if (found == nullptr) return failed(word(kind));
    return *found;
  }

  Outcome<NamedLock> lock() const { return site_.lock(call_, id_); }

 private:
  // How the names of all of a kind begin.
  std::string first_of(Kind kind) const {
    std::string any = resource(kind, "x");
    any.resize(any.rfind("_x_") + 1);
    return any;
  }

  // A handle: of whichever volume and app, in the same root.
  Outcome<Found> native(const Source& source, std::string_view shown) const {
    const std::string name(resource_of(source.text));
    const std::string folder = name.substr(0, name.find('_'));
    std::optional<VolumeObject> object;
    if (folder == site_.names.folder()) {
      STRAKE_TRY(object, read(name));
    }
    if (!object) {
      return refuse(FailureClass::kNotFound, "resolve source {}: not found", quote(shown));
    }
    return Found{.resource = name, .name = text(source.text), .object = *std::move(object)};
  }

  Outcome<> fill(const VolumeObject& of, const Found* source, const std::string& content) const {
    if (source != nullptr) {
      const std::string from = fmt::format("{}/{}", path(source->resource), kContent);
      const CopyLimits limits{.bytes = of.size};
      if (of.format == Format::kFolder) return copy_folder(call_, from, content, limits);
      STRAKE_CHECK(copy_file(call_, from, content, limits));
      return resize_file(content, of.size);
    }
    if (of.format == Format::kImage) return make_sparse_file(content, of.size);
    return make_empty_folder(content);
  }

  const Site& site_;
  const Call& call_;
  const VolumeOf& of_;
  OwnerNames owner_;
  std::string hash_;
  std::string id_;
};

class LocalVolumes final : public VolumeDriver {
 public:
  explicit LocalVolumes(SharedSite site) : site_(std::move(site)) {}

  Outcome<std::vector<Disk>> list_disks(const Call& call, const VolumeOf& of) override {
    STRAKE_TRY(const auto all, Volume(*site_, call, of).list(Kind::kDisk));
    std::vector<Disk> out;
    for (const Found& one : all) out.push_back(disk_of(one, of.volume));
    sort_for_list(out);
    return out;
  }

  Outcome<std::vector<Snapshot>> list_snapshots(const Call& call, const VolumeOf& of) override {
    STRAKE_TRY(const auto all, Volume(*site_, call, of).list(Kind::kSnapshot));
    std::vector<Snapshot> out;
    for (const Found& one : all) out.push_back(snapshot_of(one, of.volume));
    sort_for_list(out);
    return out;
  }

  Outcome<Disk> create_disk(const Call& call, const VolumeOf& of, std::string name,
                            std::string source, const DiskCreateOptions& options) override {
    STRAKE_CHECK(check_volume_name(of.volume.name));
    STRAKE_TRY(const Source from, parse_disk_source(source, native_ids()));
    VolumeObject object;
    STRAKE_TRY(object, new_object(call, of, options));
    STRAKE_TRY(name, name_for(call, Kind::kDisk, std::move(name)));
    const Volume volume(*site_, call, of);
    STRAKE_TRY(const NamedLock lock, lock_unless_dry(call, volume));
    if (!call.dry_run) STRAKE_CHECK(volume.sweep());
    STRAKE_TRY(const auto disks, volume.list(Kind::kDisk));
    if (find(disks, name) != nullptr)
      return refuse(FailureClass::kConflict, "disk {} already exists", quote(name));
    std::optional<Found> origin;
    if (from.kind != SourceKind::kNone) {
      STRAKE_TRY(origin, volume.resolve(from, source));
      STRAKE_CHECK(check_fits(object, *origin, source));
    }
    Found made{.resource = volume.resource(Kind::kDisk, name), .name = name, .object = object};
    made.object.tags = disk_tags(volume.owner(), of.volume.name, name, disks.empty());
    if (call.dry_run) {
      tell_plan(call, "create disk", made, origin);
      return disk_of(made, of.volume);
    }
    STRAKE_CHECK(volume.make(made, origin ? &*origin : nullptr));
    call.step("create", "disk", {{"disk", name}, {"volume", of.volume.name}});
    return disk_of(made, of.volume);
  }

  Outcome<> delete_disk(const Call& call, const VolumeOf& of, const std::string& name,
                        const VolumeOptions& /*options*/) override {
    return remove(call, of, Kind::kDisk, name);
  }

  Outcome<> assign_disk(const Call& call, const VolumeOf& of, const std::string& name,
                        const VolumeOptions& /*options*/) override {
    STRAKE_CHECK(check_disk_name(name));
    const Volume volume(*site_, call, of);
    STRAKE_TRY(bool done, assign(call, of, volume, name, true));
    if (done || call.dry_run) return {};
    STRAKE_TRY(const NamedLock lock, volume.lock());
    // Again: somebody may have changed it before we had the lock.
    STRAKE_TRY(done, assign(call, of, volume, name, false));
    return {};
  }

  Outcome<Snapshot> create_snapshot(const Call& call, const VolumeOf& of, std::string name,
                                    std::string source, const VolumeOptions& /*options*/) override {
    STRAKE_CHECK(check_volume_name(of.volume.name));
    STRAKE_TRY(const Source from, parse_snapshot_source(source, native_ids()));
    STRAKE_TRY(name, name_for(call, Kind::kSnapshot, std::move(name)));
    const Volume volume(*site_, call, of);
    STRAKE_TRY(const NamedLock lock, lock_unless_dry(call, volume));
    if (!call.dry_run) STRAKE_CHECK(volume.sweep());
    STRAKE_TRY(const auto snapshots, volume.list(Kind::kSnapshot));
    if (find(snapshots, name) != nullptr)
      return refuse(FailureClass::kConflict, "snapshot {} already exists", quote(name));
    STRAKE_TRY(const Found origin, from.kind == SourceKind::kNone ? assigned_disk(volume, of)
                                                                  : volume.resolve(from, source));
    Found made{
        .resource = volume.resource(Kind::kSnapshot, name), .name = name, .object = origin.object};
    made.object.created_at = made.object.updated_at = call.clock->now();
    made.object.tags = snapshot_tags(volume.owner(), of.volume.name, name);
    if (call.dry_run) {
      tell_plan(call, "create snapshot", made, origin);
      return snapshot_of(made, of.volume);
    }
    STRAKE_CHECK(volume.make(made, &origin));
    call.step("create", "snapshot", {{"snapshot", name}, {"volume", of.volume.name}});
    return snapshot_of(made, of.volume);
  }

  Outcome<> delete_snapshot(const Call& call, const VolumeOf& of, const std::string& name,
                            const VolumeOptions& /*options*/) override {
    return remove(call, of, Kind::kSnapshot, name);
  }

  // Only what follows from the type of the volume. Several nodes may have a folder at once, only
  // one a file.
  Outcome<VolumeClass> volume_class(const VolumeOf& of) override {
    STRAKE_TRY(const Format format, format_of(of.volume.type, of.volume.options));
    VolumeClass out;
    out.csi_driver = text(kCsiDriver);
    out.attributes = {{"format", text(to_string(format))}};
    out.access_modes = {format == Format::kImage ? "ReadWriteOnce" : "ReadWriteMany"};
    if (format == Format::kImage) out.fs_type = "ext4";
    out.reclaim_policy = "Retain";
    out.volume_mode = "Filesystem";
    return out;
  }

 private:
  Outcome<VolumeObject> new_object(const Call& call, const VolumeOf& of,
                                   const DiskCreateOptions& options) const {
    VolumeObject out;
    out.size = of.volume.size;
    if (out.size <= 0 || out.size > site_->settings.most_disk_bytes) {
      return refuse(FailureClass::kValidation, "volume {} must have 1 to {} bytes, got {}",
                    quote(of.volume.name), site_->settings.most_disk_bytes, out.size);
    }
    out.zone = options.zone.empty() ? of.app.deployment.zone : options.zone;
    if (!out.zone.empty()) STRAKE_CHECK(check_zone(out.zone));
    out.options = of.volume.options;
    for (const auto& [key, value] : options.options) out.options.insert_or_assign(key, value);
    STRAKE_TRY(out.format, format_of(of.volume.type, out.options));
    out.created_at = out.updated_at = call.clock->now();
    return out;
  }

  static Outcome<std::string> name_for(const Call& call, Kind kind, std::string given) {
    if (given.empty()) return compact_id(*call.clock);
    STRAKE_CHECK(kind == Kind::kDisk ? check_disk_name(given) : check_snapshot_name(given));
    return given;
  }

  static Outcome<NamedLock> lock_unless_dry(const Call& call, const Volume& volume) {
    if (call.dry_run) return NamedLock();
    return volume.lock();
  }

  static Outcome<> check_fits(const VolumeObject& made, const Found& origin,
                              std::string_view shown) {
    if (origin.object.format != made.format) {
      return refuse(FailureClass::kValidation, "source {} has the format {}, and the disk {}",
                    quote(shown), to_string(origin.object.format), to_string(made.format));
    }
    if (origin.object.size > made.size) {
      return refuse(FailureClass::kValidation,
                    "disk must be at least as large as its source {}: {} bytes, got {}",
                    quote(shown), origin.object.size, made.size);
    }
    return {};
  }

  static void tell_plan(const Call& call, std::string_view what, const Found& made,
                        const std::optional<Found>& origin) {
    Journal::Fields fields = {{"name", made.name}, {"size", std::to_string(made.object.size)}};
    if (origin) fields.emplace_back("source", handle_of(origin->resource));
    call.step("plan", what, fields);
  }

  static Outcome<Found> assigned_disk(const Volume& volume, const VolumeOf& of) {
    STRAKE_TRY(const auto disks, volume.list(Kind::kDisk));
    const Found* out = nullptr;
    for (const Found& one : disks) {
      if (!is_assigned(one)) continue;
      if (out != nullptr) {
        return refuse(FailureClass::kValidation,
                      "several assigned disks found for volume {}: assign one of them again",
                      quote(of.volume.name));
      }
      out = &one;
    }
    if (out == nullptr) {
      return refuse(FailureClass::kValidation, "no assigned disk found for volume {}",
                    quote(of.volume.name));
    }
    return *out;
  }

  // Whether it is so. With `look`, nothing is changed. Others are cleared first: cut off in
  // between, it leaves no assigned disk rather than two.
  static Outcome<bool> assign(const Call& call, const VolumeOf& of, const Volume& volume,
                              const std::string& name, bool look) {
    STRAKE_TRY(std::vector<Found> disks, volume.list(Kind::kDisk));
    const auto target = std::ranges::find(disks, name, &Found::name);
    if (target == disks.end()) return refuse(FailureClass::kNotFound, "disk not found: {}", name);
    std::rotate(target, target + 1, disks.end());  // it comes last
    std::erase_if(disks, [&](const Found& one) { return is_assigned(one) == (one.name == name); });
    const Journal::Fields fields = {{"disk", name}, {"volume", of.volume.name}};
    if (disks.empty()) {
      call.step("skip", "assign disk", fields);
      return true;
    }
    if (call.dry_run) call.step("plan", "assign disk", fields);
    if (look) return false;
    for (Found& one : disks) {
      one.object.tags.insert_or_assign(text(kDiskAssignedTag), one.name == name ? "true" : "false");
      one.object.updated_at = call.clock->now();
      STRAKE_CHECK(volume.write(one));
    }
    call.step("update", "assign disk", fields);
    return true;
  }

  Outcome<> remove(const Call& call, const VolumeOf& of, Kind kind, const std::string& name) {
    STRAKE_CHECK(kind == Kind::kDisk ? check_disk_name(name) : check_snapshot_name(name));
    const Volume volume(*site_, call, of);
    const std::string resource = volume.resource(kind, name);
    const Journal::Fields fields = {{word(kind), name}, {"volume", of.volume.name}};
    STRAKE_TRY(const bool there, site_->is_there(call));
    STRAKE_TRY(bool found, site_->files.exists(call, volume.path(resource)));
    STRAKE_TRY(const auto left, volume.leftovers());
    if (!there || (!found && left.empty())) {
      call.step("skip", fmt::format("delete {}", word(kind)), fields);
      return {};
    }
    if (call.dry_run) {
      call.step("plan", fmt::format("delete {}", word(kind)), fields);
      return {};
    }
    {
      STRAKE_TRY(const NamedLock lock, volume.lock());
      STRAKE_CHECK(volume.sweep());
      STRAKE_TRY(found, site_->files.exists(call, volume.path(resource)));
      if (found) STRAKE_CHECK(volume.remove(resource));
    }
    call.step(found ? "delete" : "skip", fmt::format("delete {}", word(kind)), fields);
    return site_->tidy(call);
  }

  SharedSite site_;
};

}  // namespace

std::unique_ptr<VolumeDriver> make_volumes(SharedSite site) {
  return std::make_unique<LocalVolumes>(std::move(site));
}

}  // namespace strake::provider::local
