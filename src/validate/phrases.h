#pragma once
// The checker's own sentences, each once in every language. Code says an English one with say();
// japanese_of() finds the sentence that a text was made of, with what was filled in, and says it in
// Japanese. Sentences of the modules below (schema/loose, resource) stand here too, for their
// translation.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace strake::validate {

enum class Phrase : std::uint8_t {
  // Hints.
  kDidYouMean,
  kFirstAt,
  kCrdServesNothing,  // before the one that it is a case of, like others here
  kCrdServes,
  kSchemasFor,
  kSetByAnd,
  kSetBy,
  kMatchedAt,
  kMatched,
  // Of a document.
  kNotAnObject,
  kMustBeString,
  kNotSet,
  kNoSchema,
  kMoreFindings,
  kPresenceCut,
  kListsTooDeep,
  kTooManyDocuments,
  kRaiseMaxDocuments,
  kRestNotListed,
  kRaiseMaxFindings,
  kNoOldObject,
  kUnknownField,
  kDuplicateField,
  kTooLarge,
  kResourceVersionSet,
  kOldObject,
  kYamlCoreValue,
  kYamlCoreKey,
  kCrdUnusable,
  kVersionUnusable,
  kSchemaUnusable,
  kOtherCrdUsed,
  // Of a stream.
  kNotChecked,
  kHeldWhole,
  kMoreBytes,
  kNeedsMoreBytes,
  kNoTypeInTime,
  kItemsBeforeKind,
  kUpdateNeedsWhole,
  kFirstKeyChecked,
  kMetadataNotChecked,
  kRulesNeedWhole,
  kEmbeddedNeedWhole,
  kOnlyJsonStreams,
  // Of schema/loose: values.
  kMissingForOthers,
  kMetadataMustBeObject,
  kMemberMustBeString,
  kMatchesNot,
  kNoValueAllowed,
  kNestedDeeper,
  kStoppedByBuffer,
  kIssuesNotListed,
  kKeywordNotChecked,
  kSchemaLoop,
  kBranchDefaults,
  // Of schema/loose: schemas.
  kItemsArePrefix,
  kBooleanRequired,
  kDiscriminatorIgnored,
  kBranchWithoutName,
  kMappingIgnored,
  kIgnoredBesideRef,
  kUnknownKeyword,
  kNullableIgnored,
  kRulesNotRun,
  kRe2Syntax,
  kNotLinear,
  kNoClassTable,
  kLookAhead,
  kLookBehind,
  kLargeCount,
  kBackReference,
  kUnknownProperty,
  kUnknownFormat,
  kMetaschemaUnread,
  kBranchUnreachable,
  kDefaultUnfit,
  // Of the server.
  kRulesNotChecked,
  kImmutable,
  kOutOfBudget,
  kMessageOutOfBudget,
  kOutOfTime,
  kMessageOutOfTime,
  // Of a folder: what is no manifest.
  kKustomization,
  kPatch,
  kHelmTemplate,
  kHelmChart,
  kHelmValues,
  kCompose,
  kNode,
  kLock,
  kPipeline,
  kToolConfig,
  kNoKind,
  kKindSkipped,
  kBaselineNeedsAll,
  kNoFile,
  kSkippedFile,
  kSkippedCounts,
  // Of files.
  kCannotOpen,
  kNoSuchFile,
  kPermissionDenied,
  kIsAFolder,
  kCannotReadFolder,
  kCannotRead,
  kNoFolder,
  kCannotWrite,
  kNoFileMatches,
  kNoDocumentFiles,
  kLargerThan,
  kCutOff,
  kDamaged,
  kCannotDecompress,
  kCannotGoOnDecompressing,
  kDecompressesToMore,
  kReadOnce,
  kKeyIsNoScalar,
  // Of schema files.
  kNotStructural,
  kOldDefinition,
  kNoKindsNamed,
  kNoComponents,
  kWhichOfMany,
  kWhichSchema,
  kNoRoot,
  kNoVersions,
  kSecondSchema,
  kNoDefinition,
  kUnreadableDefinition,
  kClusterCrds,
  // Of the kinds of Kubernetes.
  kQuoteIt,
  kNumberWanted,
  kBoolWanted,
  kListWanted,
  kMapWanted,
  kFieldsNotChecked,
  kKnownSince,
  kGoneUse,
  kGone,
  kNodePortRange,
  kKindIsIn,
  kDeprecatedGoneUse,
  kDeprecatedGone,
  kDeprecatedUse,
  kDeprecated,
  kVersionDeprecated,
  // Of comments, baselines and settings.
  kUnknownRule,
  kStaleEntry,
  kStaleEntries,
  kAndMore,
  kFindingWritten,
  kFindingsWritten,
  kVersionMustBe,
  kMustBeListOfStrings,
  kMustBeList,
  kMoreThanFindings,
  kMustBeCount,
  kMustBeQuoted,
  kMustBeBool,
  kNoneOf,
  kUnknownSetting,
  kUnknownSettingOnly,
  kObjectExpected,
  kNoKubernetes,
  kUnknownKubernetes,
  kNamesNoKind,
  // Of the server: warnings.
  kPathFinalizer,
  kDomainFinalizer,
  kUnrecognizedFormat,
};
inline constexpr std::size_t kPhraseCount =
    static_cast<std::size_t>(Phrase::kUnrecognizedFormat) + 1;

struct PhraseText {
  std::string_view english;   // {} for each of what is filled in
  std::string_view japanese;  // {0}, {1}: the same by their places; {0t}: as the name of a type
};
const PhraseText& text_of(Phrase phrase);

template <typename... Args>
std::string say(Phrase phrase, const Args&... args) {
  return fmt::vformat(text_of(phrase).english, fmt::make_format_args(args...));
}

// A sentence in Japanese, with what is filled in.
std::string in_japanese(Phrase phrase, std::span<const std::string> args);

// What a parser says, without the types of the language that its words come from.
std::string plain_parse_error(std::string_view message);

// Nothing when the text is none of the sentences: the words of a server, a parser, or an author.
std::optional<std::string> japanese_of(std::string_view english);
// "string" and "a string" are 文字列; nothing for what is no type.
std::optional<std::string_view> japanese_type(std::string_view name);

}  // namespace strake::validate
