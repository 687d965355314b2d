#pragma once
// One round of `strake validate`: everything from the names to the results. A watch makes a new one
// for each.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/io/disk_files.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"
#include "cli/validate/offline_policies.h"
#include "cli/validate/validate_options.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "schema/loose/file_resolver.h"
#include "validate/schema_set.h"

namespace strake::cli {

class ValidateRun {
 public:
  ValidateRun(const ValidateOptions& options, const DiskFiles& files, Io& io);

  // Fails when there is nothing to check with: a schema or an old object that is not there. An
  // input that leads nowhere is a finding.
  Result<> run();

  std::span<const validate::FileResult> results() const { return results_; }
  // What a watch should look at besides the folders that were named.
  std::vector<std::string> all_files() const;
  ExitCode exit_code() const;

  // What was loaded, for objects that come from elsewhere. After run().
  const validate::Catalog& catalog() const { return schemas_.catalog(); }
  const validate::CheckOptions& check_options() const { return check_; }
  const OfflinePolicies* policies() const { return policies_ ? &*policies_ : nullptr; }

 private:
  using Text = std::shared_ptr<const std::string>;

  struct SchemaText {
    Result<Text> text;
    std::vector<validate::ScannedPart> parts;
  };

  // A file, before it is known what it is checked with.
  struct Input {
    std::string name;
    bool named = false;  // by the user, not found in a folder
    validate::NotManifest what = validate::NotManifest::kNo;
  };

  void find_inputs();
  void choose_inputs();
  Result<Text> read(const std::string& name) const;
  std::vector<SchemaText> read_schemas(const std::vector<std::string>& names) const;
  Result<> load_schemas();
  Result<> load_old();
  Result<> load_policies();
  Result<> load_cluster();
  Result<> add_declared_kinds();
  void read_inputs();
  void check_inputs();
  validate::FileResult check_input(const validate::Checker& checker, std::size_t i);
  void add_refused_schemas();
  void add_schema_warnings();
  bool is_streamed(const std::string& name) const;
  // Work for each of so many files.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work) const;

  const ValidateOptions& options_;
  const DiskFiles& files_;
  Io& io_;
  schema::loose::ReferencedDiskFiles referred_files_;
  schema::loose::FileResolver referred_;
  // Compiled rules belong to the schemas of one round.
  rules::Engine rules_;
  rules::CrdRules crd_rules_;
  validate::SchemaSet schemas_;
  validate::CheckOptions check_;
  validate::OldObjects old_;
  std::optional<OfflinePolicies> policies_;
  std::map<std::string, Error> lost_;  // operands that lead nowhere
  std::vector<Input> inputs_;
  std::vector<std::string> names_;   // of the inputs that are checked
  std::vector<std::uint8_t> named_;  // of those: by the user
  std::vector<std::string> schema_names_;
  std::vector<Result<Text>> texts_;       // of the inputs; null for those that are not held
  std::vector<std::uint8_t> read_again_;  // of those: they are read once more to be checked
  bool may_declare_ = false;              // one of them may hold documents of operations
  // Of the inputs that may define kinds: parsed for the schemas and the check alike; null for
  // others.
  std::vector<std::shared_ptr<const validate::ParsedFile>> parsed_;
  std::vector<validate::FileResult> results_;
};

}  // namespace strake::cli
