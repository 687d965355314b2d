#include "validate/phrases.h"

#include <array>
#include <vector>

namespace strake::validate {
namespace {

struct Row {
  Phrase phrase;
  PhraseText text;
};

// In the order of the enumerators.
constexpr auto kRows = std::to_array<Row>({
    {Phrase::kDidYouMean, {"did you mean \"{}\"?", "「{0}」の間違いではありませんか"}},
    {Phrase::kFirstAt, {"first at {}", "最初の出現: {0}"}},
    {Phrase::kCrdServesNothing,
     {"its CRD serves no version", "CRD はどのバージョンも提供していません"}},
    {Phrase::kCrdServes, {"its CRD serves {}", "CRD が提供するバージョン: {0}"}},
    {Phrase::kSchemasFor, {"there are schemas for {}", "スキーマがあるバージョン: {0}"}},
    {Phrase::kSetByAnd, {"set by {}; {}", "設定元: {0}。{1}"}},
    {Phrase::kSetBy, {"set by {}", "設定元: {0}"}},
    {Phrase::kMatchedAt, {"matched={}; indices={}", "一致した要素: {0} 個、位置: {1}"}},
    {Phrase::kMatched, {"matched={}", "一致した要素: {0} 個"}},
    {Phrase::kNotAnObject,
     {"expected an object with apiVersion and kind, got {}",
      "apiVersion と kind を持つオブジェクトが必要です (実際の型: {0t})"}},
    {Phrase::kMustBeString,
     {"{} must be a string, got {}", "{0} は文字列でなければなりません (実際の型: {1t})"}},
    {Phrase::kNotSet, {"{} not set", "{0} が設定されていません"}},
    {Phrase::kNoSchema,
     {"no schema for kind \"{}\" in version \"{}\"",
      "バージョン「{1}」の種類「{0}」のスキーマがありません"}},
    {Phrase::kMoreFindings,
     {"{} more findings are not shown", "ほかに {0} 件の指摘がありますが、表示していません"}},
    {Phrase::kPresenceCut,
     {"the presence of its fields is not listed in full", "項目の有無の一覧は途中までです"}},
    {Phrase::kListsTooDeep, {"lists are nested too deeply", "リストの入れ子が深すぎます"}},
    {Phrase::kTooManyDocuments,
     {"more than {} documents: this one and all behind it are not checked",
      "文書が {0} 件を超えています: この文書とそれ以降は検査していません"}},
    {Phrase::kRaiseMaxDocuments,
     {"--max-documents sets the limit; JSON files can be streamed without one: --stream",
      "上限は --max-documents で指定します。JSON ファイルは --stream で上限なく検査できます"}},
    {Phrase::kRestNotListed,
     {"too many findings: those behind this place are counted, not listed",
      "指摘が多すぎます: これ以降の指摘は数えるだけで、表示していません"}},
    {Phrase::kRaiseMaxFindings,
     {"--max-findings sets the limit", "上限は --max-findings で指定します"}},
    {Phrase::kNoOldObject,
     {"nothing of this kind and name is among the old objects, so it is checked as a new one",
      "同じ種類と名前のものが変更前のオブジェクトにないため、新規作成として検査しました"}},
    {Phrase::kUnknownField, {"unknown field \"{}\"", "項目「{0}」はスキーマにありません"}},
    {Phrase::kDuplicateField, {"duplicate field \"{}\"", "項目「{0}」が重複しています"}},
    {Phrase::kTooLarge,
     {"Request entity too large: limit is {}", "大きすぎます: 上限は {0} バイトです"}},
    {Phrase::kResourceVersionSet,
     {"resourceVersion should not be set on objects to be created",
      "新規作成するオブジェクトに resourceVersion を指定してはいけません"}},
    {Phrase::kOldObject, {"the old object: {}", "変更前のオブジェクト: {0}"}},
    {Phrase::kYamlCoreValue,
     {"YAML 1.2 core reads {}, a server {}",
      "YAML 1.2 core では {0}、サーバーでは {1} と読まれます"}},
    {Phrase::kYamlCoreKey,
     {"YAML 1.2 core has this key, a server reads another one",
      "YAML 1.2 core ではこのキーですが、サーバーは別のキーと読みます"}},
    {Phrase::kCrdUnusable, {"the CRD in {} cannot be used: {}", "{0} の CRD は使えません: {1}"}},
    {Phrase::kVersionUnusable,
     {"the schema of version {} in {} cannot be used: {}",
      "{1} のバージョン {0} のスキーマは使えません: {2}"}},
    {Phrase::kSchemaUnusable, {"the schema cannot be used: {}", "スキーマは使えません: {0}"}},
    {Phrase::kOtherCrdUsed,
     {"another CustomResourceDefinition of kind \"{}\" in group \"{}\" is used instead, the one in "
      "{}",
      "グループ「{1}」の種類「{0}」には、{2} にある別の CustomResourceDefinition を使います"}},
    {Phrase::kNotChecked, {"not checked: {}", "検査していません: {0}"}},
    {Phrase::kHeldWhole,
     {"objects of this kind are held whole, and it has more than {} bytes",
      "この種類のオブジェクトは全体を保持する必要がありますが、{0} バイトを超えています"}},
    {Phrase::kMoreBytes, {"it has more than {} bytes", "{0} バイトを超えています"}},
    {Phrase::kNeedsMoreBytes,
     {"it needs more than {} bytes", "{0} バイトを超えるメモリが必要です"}},
    {Phrase::kNoTypeInTime,
     {"no apiVersion and kind in the first {} bytes of a document that can be read once only",
      "一度しか読めない文書の先頭 {0} バイトに apiVersion と kind がありません"}},
    {Phrase::kItemsBeforeKind,
     {"a document that begins with items, and is no list, cannot be checked from a source that can "
      "be read once only",
      "items で始まりリストではない文書は、一度しか読めない入力からは検査できません"}},
    {Phrase::kUpdateNeedsWhole,
     {"checked as a new object: an update needs the whole of it",
      "新規作成として検査しました: 更新の検査には全体が必要です"}},
    {Phrase::kFirstKeyChecked,
     {"of duplicate keys the first value was checked, not the last",
      "重複したキーは、最後ではなく最初の値を検査しました"}},
    {Phrase::kMetadataNotChecked, {"the metadata was not checked", "metadata は検査していません"}},
    {Phrase::kRulesNeedWhole,
     {"the validation rules were not run: they need the whole object",
      "検証規則を実行していません: オブジェクト全体が必要です"}},
    {Phrase::kEmbeddedNeedWhole,
     {"the metadata of embedded resources was not checked: it needs them whole",
      "埋め込みリソースの metadata は検査していません: 全体が必要です"}},
    {Phrase::kOnlyJsonStreams,
     {"only JSON can be checked as a stream, and this does not begin like JSON; YAML has to be "
      "checked without --stream, or made JSON first",
      "ストリームとして検査できるのは JSON だけですが、これは JSON の始まりではありません。YAML は "
      "--stream なしで検査するか、先に JSON に変換してください"}},
    {Phrase::kMissingForOthers,
     {"missing property {}, which others here need",
      "項目 {0} がありません。ここにあるほかの項目が必要とします"}},
    {Phrase::kMetadataMustBeObject,
     {"metadata must be an object", "metadata はオブジェクトでなければなりません"}},
    {Phrase::kMemberMustBeString, {"{} must be a string", "{0} は文字列でなければなりません"}},
    {Phrase::kMatchesNot,
     {"must not match the schema of not", "not のスキーマに一致してはいけません"}},
    {Phrase::kNoValueAllowed, {"no value is allowed here", "ここにはどの値も許されません"}},
    {Phrase::kNestedDeeper, {"nested deeper than {}", "入れ子が {0} 段を超えています"}},
    {Phrase::kStoppedByBuffer,
     {"stopped: {} needs more than {} bytes",
      "中断しました: {0} には {1} バイトを超えるメモリが必要です"}},
    {Phrase::kIssuesNotListed,
     {"{} issues were found, not all of them are listed",
      "{0} 件の指摘があり、一部だけを表示しています"}},
    {Phrase::kKeywordNotChecked,
     {"{} was not checked: it needs more than {} bytes",
      "{0} を検査していません: {1} バイトを超えるメモリが必要です"}},
    {Phrase::kSchemaLoop,
     {"the schema refers back to itself for the same value",
      "スキーマが同じ値に対して自分自身を参照しています"}},
    {Phrase::kBranchDefaults,
     {"the defaults of a branch were not filled in: the choice needs the whole value",
      "候補の既定値を補っていません: 選択には値の全体が必要です"}},
    {Phrase::kItemsArePrefix,
     {"an array of schemas is read as prefixItems", "スキーマの配列は prefixItems として扱います"}},
    {Phrase::kBooleanRequired,
     {"a boolean is ignored; list the names at the object",
      "真偽値は無視します。オブジェクト側に名前を列挙してください"}},
    {Phrase::kDiscriminatorIgnored,
     {"picks no branch without propertyName and oneOf or anyOf; ignored",
      "propertyName と oneOf または anyOf がないため、候補を選べません。無視します"}},
    {Phrase::kBranchWithoutName,
     {"a branch without $ref has no name and is never picked",
      "$ref のない候補には名前がないため、選ばれることはありません"}},
    {Phrase::kMappingIgnored,
     {"mapping \"{}\" leads to no branch; ignored",
      "mapping「{0}」に当たる候補がありません。無視します"}},
    {Phrase::kIgnoredBesideRef,
     {"ignored beside $ref in {}", "{0} では $ref と並べたものは無視します"}},
    {Phrase::kUnknownKeyword, {"unknown keyword, ignored", "未知のキーワードです。無視します"}},
    {Phrase::kNullableIgnored,
     {"has no meaning in {}; write \"null\" into type",
      "{0} では意味がありません。type に \"null\" を加えてください"}},
    {Phrase::kRulesNotRun, {"its rules are not run", "検証規則は実行しません"}},
    {Phrase::kRe2Syntax,
     {"`{}` is read in RE2 syntax, not in that of ECMA-262",
      "`{0}` は ECMA-262 ではなく RE2 の構文として扱います"}},
    {Phrase::kNotLinear,
     {"`{}` has {}, which cannot be matched in linear time; not checked",
      "`{0}` には{1}があり、線形時間で照合できません。検査しません"}},
    {Phrase::kNoClassTable,
     {"`{}` names the class {}, for which there is no table; not checked",
      "`{0}` の文字クラス {1} には表がありません。検査しません"}},
    {Phrase::kLookAhead, {"a look-ahead", "先読み"}},
    {Phrase::kLookBehind, {"a look-behind", "後読み"}},
    {Phrase::kLargeCount, {"a count over 1000", "1000 を超える回数"}},
    {Phrase::kBackReference, {"a back-reference", "後方参照"}},
    {Phrase::kUnknownProperty, {"an unknown property", "未知のプロパティ"}},
    {Phrase::kUnknownFormat,
     {"unknown format \"{}\", not checked", "未知の形式「{0}」は検査しません"}},
    {Phrase::kMetaschemaUnread,
     {"the metaschema {} cannot be read; taken as JSON Schema 2020-12",
      "メタスキーマ {0} を読めません。JSON Schema 2020-12 として扱います"}},
    {Phrase::kBranchUnreachable,
     {"no value can match this branch", "この候補に一致する値はありません"}},
    {Phrase::kDefaultUnfit, {"breaks its own schema: {}", "既定値がスキーマに反しています: {0}"}},
    {Phrase::kRulesNotChecked,
     {"Invalid value: {}: some validation rules were not checked because the object was invalid; "
      "correct the existing errors to complete validation",
      "オブジェクトに誤りがあるため、一部の検証規則は検査していません。先にほかの誤りを直してくださ"
      "い"}},
    {Phrase::kImmutable,
     {"Invalid value: {}: field is immutable", "変更できない項目です (実際の値: {0})"}},
    {Phrase::kOutOfBudget,
     {"Invalid value: {}: validation failed due to running out of cost budget, no further "
      "validation rules will be run",
      "検証規則の計算量が上限に達したため、残りの規則は実行しません"}},
    {Phrase::kMessageOutOfBudget,
     {"Invalid value: {}: messageExpression evaluation failed due to running out of cost budget, "
      "no further validation rules will be run",
      "messageExpression の計算量が上限に達したため、残りの規則は実行しません"}},
    {Phrase::kOutOfTime,
     {"Invalid value: {}: validation failed due to running out of time, no further validation "
      "rules will be run",
      "検証規則の制限時間に達したため、残りの規則は実行しません"}},
    {Phrase::kMessageOutOfTime,
     {"Invalid value: {}: messageExpression evaluation failed due to running out of time, no "
      "further validation rules will be run",
      "messageExpression の制限時間に達したため、残りの規則は実行しません"}},
    {Phrase::kKustomization,
     {"a kustomization; check what it builds: strake build DIR | strake validate -",
      "kustomization です。次のように生成物を検査してください: strake build DIR | strake validate "
      "-"}},
    {Phrase::kPatch,
     {"a patch that a kustomization names; check what that builds: strake build DIR | strake "
      "validate -",
      "kustomization が参照するパッチです。次のように生成物を検査してください: strake build DIR | "
      "strake validate -"}},
    {Phrase::kHelmTemplate,
     {"this looks like a Helm template; check what it renders: helm template CHART | strake "
      "validate -",
      "Helm のテンプレートのようです。次のように生成物を検査してください: helm template CHART | "
      "strake validate -"}},
    {Phrase::kHelmChart, {"a file of a Helm chart", "Helm チャートのファイルです"}},
    {Phrase::kHelmValues, {"values of a Helm chart", "Helm チャートの値です"}},
    {Phrase::kCompose, {"a Compose file", "Compose のファイルです"}},
    {Phrase::kNode, {"a file of a Node.js package", "Node.js パッケージのファイルです"}},
    {Phrase::kLock,
     {"a lock file of a package manager", "パッケージマネージャーのロックファイルです"}},
    {Phrase::kPipeline, {"a pipeline of a CI system", "CI のパイプラインです"}},
    {Phrase::kToolConfig, {"the configuration of another tool", "ほかのツールの設定です"}},
    {Phrase::kNoKind,
     {"neither apiVersion nor kind: not a Kubernetes object",
      "apiVersion も kind もないため、Kubernetes のオブジェクトではありません"}},
    {Phrase::kKindSkipped, {"its kind is skipped", "対象外に指定された種類です"}},
    {Phrase::kBaselineNeedsAll,
     {"there are more findings than --max-findings allows, and a baseline needs all of them: raise "
      "it",
      "検出結果が --max-findings の上限を超えています。baseline "
      "にはすべてが必要なので、上限を上げてください"}},
    {Phrase::kNoFile,
     {"a pipe, a socket or a device; in folders only files are read",
      "パイプ、ソケット、またはデバイスです。フォルダーの中では通常のファイルだけを読み込みます"}},
    {Phrase::kSkippedFile, {"skipped {}: {}", "対象外 {0}: {1}"}},
    {Phrase::kSkippedCounts,
     {"skipped {}; --verbose lists them", "対象外: {0}。--verbose で一覧を表示します"}},
    {Phrase::kCannotOpen, {"cannot open: {}", "開けません: {0}"}},
    {Phrase::kNoSuchFile, {"No such file or directory", "ファイルやフォルダーがありません"}},
    {Phrase::kPermissionDenied, {"Permission denied", "アクセスが許可されていません"}},
    {Phrase::kIsAFolder, {"Is a directory", "フォルダーです"}},
    {Phrase::kCannotReadFolder, {"cannot read the folder: {}", "フォルダーを読めません: {0}"}},
    {Phrase::kCannotRead, {"cannot read: {}", "読めません: {0}"}},
    {Phrase::kNoFolder,
     {"cannot write: there is no folder {}; create it first, for example with mkdir -p {}",
      "書き込めません: フォルダー {0} がありません。先に mkdir -p {1} などで作ってください"}},
    {Phrase::kCannotWrite, {"cannot write: {}", "書き込めません: {0}"}},
    {Phrase::kNoFileMatches, {"no file matches", "一致するファイルがありません"}},
    {Phrase::kNoDocumentFiles,
     {"no YAML or JSON files in this folder",
      "このフォルダーに YAML や JSON のファイルがありません"}},
    {Phrase::kLargerThan, {"larger than {} bytes", "{0} バイトを超えています"}},
    {Phrase::kCutOff, {"the compressed data is cut off", "圧縮データが途中で切れています"}},
    {Phrase::kDamaged, {"the compressed data is damaged", "圧縮データが壊れています"}},
    {Phrase::kCannotDecompress, {"cannot start to decompress", "展開を始められません"}},
    {Phrase::kCannotGoOnDecompressing, {"cannot go on decompressing", "展開を続けられません"}},
    {Phrase::kDecompressesToMore,
     {"decompresses to more than {} bytes", "展開すると {0} バイトを超えます"}},
    {Phrase::kReadOnce, {"the input can be read once only", "入力は一度しか読めません"}},
    {Phrase::kKeyIsNoScalar,
     {"a key must be a single value, not a map or a list",
      "キーは単一の値でなければならず、マップやリストは使えません"}},
    {Phrase::kNotStructural,
     {"the schema is not structural: {}", "構造的なスキーマではありません: {0}"}},
    {Phrase::kOldDefinition,
     {"no server has {} any more: write the definition as apiextensions.k8s.io/v1, or take it with "
      "--profile=loose",
      "{0} を扱うサーバーはもうありません。apiextensions.k8s.io/v1 として書くか、--profile=loose "
      "で読んでください"}},
    {Phrase::kNoKindsNamed,
     {"none of its schemas names a kind with x-kubernetes-group-version-kind; --profile=loose "
      "takes one of them for documents of any kind",
      "x-kubernetes-group-version-kind で種類を示すスキーマがありません。--profile=loose "
      "なら、その一つをどの種類の文書にも使えます"}},
    {Phrase::kNoComponents,
     {"its components hold no schemas", "components にスキーマがありません"}},
    {Phrase::kWhichOfMany,
     {"nothing says which of its schemas is meant: --schema-root={} or {} others",
      "どのスキーマを使うのか分かりません: --schema-root={0} (ほか {1} 個)"}},
    {Phrase::kWhichSchema,
     {"nothing says which of its schemas is meant: --schema-root={}",
      "どのスキーマを使うのか分かりません: --schema-root={0}"}},
    {Phrase::kNoRoot,
     {"nothing says which of its schemas is meant", "どのスキーマを使うのか分かりません"}},
    {Phrase::kNoVersions, {"the definition has no versions", "定義にバージョンがありません"}},
    {Phrase::kSecondSchema,
     {"a second schema without a kind, beside the one in {}: nothing says which is meant",
      "種類のないスキーマが {0} にもあり、どちらを使うのか分かりません"}},
    {Phrase::kNoDefinition,
     {"no CustomResourceDefinition in it", "CustomResourceDefinition がありません"}},
    {Phrase::kUnreadableDefinition,
     {"its group and kind cannot be read", "グループと種類を読み取れません"}},
    {Phrase::kClusterCrds,
     {"CRDs cannot be read, so their rules are not checked: {}",
      "CRD を読めないため、その検証規則は検査していません: {0}"}},
    {Phrase::kQuoteIt,
     {"put it in quotes to make it a string", "文字列にするには引用符で囲んでください"}},
    {Phrase::kNumberWanted,
     {"a number is wanted here, without quotes", "引用符なしの数値が必要です"}},
    {Phrase::kBoolWanted,
     {"true or false is wanted here, without quotes", "引用符なしの true か false が必要です"}},
    {Phrase::kListWanted, {"a list is wanted here", "リストが必要です"}},
    {Phrase::kMapWanted, {"a map of keys and values is wanted here", "キーと値のマップが必要です"}},
    {Phrase::kFieldsNotChecked,
     {"its fields were not checked: Kubernetes has no {} {} since 1.{}",
      "項目は検査していません: {0} {1} は Kubernetes 1.{2} で廃止されました"}},
    {Phrase::kKnownSince, {"Kubernetes has it since 1.{}", "Kubernetes 1.{0} で追加されました"}},
    {Phrase::kGoneUse,
     {"Kubernetes has it no more since 1.{}: use {}",
      "Kubernetes 1.{0} で廃止されました。代わりに {1} を使ってください"}},
    {Phrase::kGone, {"Kubernetes has it no more since 1.{}", "Kubernetes 1.{0} で廃止されました"}},
    {Phrase::kNodePortRange,
     {"a server that was started with another --service-node-port-range takes other ports",
      "--service-node-port-range を変えて起動したサーバーでは範囲が異なります"}},
    {Phrase::kKindIsIn, {"{} is in {}", "{0} があるのは {1} です"}},
    {Phrase::kDeprecatedGoneUse,
     {"{} {} is deprecated in v1.{}+, unavailable in v1.{}+; use {}",
      "{0} {1} は v1.{2} 以降で非推奨、v1.{3} 以降で廃止です。代わりに {4} を使ってください"}},
    {Phrase::kDeprecatedGone,
     {"{} {} is deprecated in v1.{}+, unavailable in v1.{}+",
      "{0} {1} は v1.{2} 以降で非推奨、v1.{3} 以降で廃止です"}},
    {Phrase::kDeprecatedUse,
     {"{} {} is deprecated in v1.{}+; use {}",
      "{0} {1} は v1.{2} 以降で非推奨です。代わりに {3} を使ってください"}},
    {Phrase::kDeprecated, {"{} {} is deprecated in v1.{}+", "{0} {1} は v1.{2} 以降で非推奨です"}},
    {Phrase::kVersionDeprecated, {"{} {} is deprecated", "{0} {1} は非推奨です"}},
    {Phrase::kUnknownRule,
     {"strake:ignore: unknown rule \"{}\"", "strake:ignore: 規則「{0}」はありません"}},
    {Phrase::kStaleEntry,
     {"1 entry of {} is stale: nothing like it is found any more; --write-baseline writes the file "
      "anew",
      "{0} の 1 件に当たる指摘はもうありません。--write-baseline でファイルを書き直せます"}},
    {Phrase::kStaleEntries,
     {"{} entries of {} are stale: nothing like them is found any more; --write-baseline writes "
      "the file anew",
      "{1} の {0} 件に当たる指摘はもうありません。--write-baseline でファイルを書き直せます"}},
    {Phrase::kAndMore, {"and {} more", "ほか {0} 件"}},
    {Phrase::kFindingWritten, {"{}: 1 finding written", "{0}: 指摘を 1 件書き込みました"}},
    {Phrase::kFindingsWritten, {"{}: {} findings written", "{0}: 指摘を {1} 件書き込みました"}},
    {Phrase::kVersionMustBe, {"version must be 1", "version は 1 でなければなりません"}},
    {Phrase::kMustBeListOfStrings,
     {"{} must be a list of strings", "{0} は文字列のリストでなければなりません"}},
    {Phrase::kMustBeList, {"{} must be a list", "{0} はリストでなければなりません"}},
    {Phrase::kMoreThanFindings, {"more than {} findings", "指摘が {0} 件を超えています"}},
    {Phrase::kMustBeCount,
     {"{} must be a number from 1 on", "{0} は 1 以上の数でなければなりません"}},
    {Phrase::kMustBeQuoted,
     {"{} must be a string: put it in quotes",
      "{0} は文字列でなければなりません。引用符で囲んでください"}},
    {Phrase::kMustBeBool,
     {"{} must be true or false", "{0} は true か false でなければなりません"}},
    {Phrase::kNoneOf, {"{}: \"{}\" is none of {}", "{0}: 「{1}」は {2} のどれでもありません"}},
    {Phrase::kUnknownSetting,
     {"unknown key \"{}\": did you mean \"{}\"?",
      "キー「{0}」はありません。「{1}」の間違いではありませんか"}},
    {Phrase::kUnknownSettingOnly, {"unknown key \"{}\"", "キー「{0}」はありません"}},
    {Phrase::kObjectExpected, {"an object was expected here", "オブジェクトが必要です"}},
    {Phrase::kNoKubernetes,
     {"\"{}\" is no version of Kubernetes: write it as {}",
      "「{0}」は Kubernetes のバージョンではありません。{1} のように書いてください"}},
    {Phrase::kUnknownKubernetes,
     {"Kubernetes {} is not known: 1.{} to 1.{} are",
      "Kubernetes {0} には対応していません: 対応するのは 1.{1} から 1.{2} です"}},
    {Phrase::kNamesNoKind,
     {"\"{}\" names no kind: write Kind or group/Kind",
      "「{0}」は種類の名前ではありません。Kind か group/Kind と書いてください"}},
    {Phrase::kPathFinalizer,
     {"metadata.finalizers: \"{}\": prefer a finalizer name including a path (/) to avoid "
      "accidental conflicts with other finalizer writers",
      "metadata.finalizers: 「{0}」: ほかのものと偶然衝突しないように、パス (/) "
      "を含む名前を推奨します"}},
    {Phrase::kDomainFinalizer,
     {"metadata.finalizers: \"{}\": prefer a domain-qualified finalizer name to avoid accidental "
      "conflicts with other finalizer writers",
      "metadata.finalizers: 「{0}」: "
      "ほかのものと偶然衝突しないように、ドメインで修飾した名前を推奨します"}},
    {Phrase::kUnrecognizedFormat, {"unrecognized format \"{}\"", "未知の形式「{0}」です"}},
});
static_assert(kRows.size() == kPhraseCount);
static_assert([] {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].phrase != static_cast<Phrase>(i)) return false;
  }
  return true;
}());

constexpr std::string_view kGap = "{}";

// What stands in the gaps of a sentence; nothing when the text is another one.
std::optional<std::vector<std::string_view>> filled_in(std::string_view text,
                                                       std::string_view sentence) {
  const std::string_view whole = sentence;
  std::vector<std::string_view> out;
  std::size_t gap = sentence.find(kGap);
  std::string_view piece = sentence.substr(0, gap);
  if (!text.starts_with(piece)) return std::nullopt;
  text.remove_prefix(piece.size());
  while (gap != std::string_view::npos) {
    sentence.remove_prefix(gap + kGap.size());
    gap = sentence.find(kGap);
    piece = sentence.substr(0, gap);
    // The last piece stands at the end, those between wherever they are met first.
    if (gap == std::string_view::npos && !text.ends_with(piece)) return std::nullopt;
    const std::size_t at =
        gap == std::string_view::npos ? text.size() - piece.size() : text.find(piece);
    if (at == std::string_view::npos) return std::nullopt;
    // What stands at the very start is a name or a number, and no other sentence.
    const bool at_start = out.empty() && whole.starts_with(kGap);
    if (at_start && text.substr(0, at).find(' ') != std::string_view::npos) return std::nullopt;
    out.push_back(text.substr(0, at));
    text.remove_prefix(at + piece.size());
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

std::string fill(std::string_view sentence, const std::vector<std::string_view>& args) {
  std::string out;
  while (true) {
    const std::size_t open = sentence.find('{');
    out += sentence.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = sentence.find('}', open);
    const std::string_view gap = sentence.substr(open + 1, close - open - 1);
    const std::string_view arg = args[static_cast<std::size_t>(gap[0] - '0')];
    const auto type = gap.ends_with('t') ? japanese_type(arg) : std::nullopt;
    // A sentence may quote another.
    out += type ? std::string(*type) : japanese_of(arg).value_or(std::string(arg));
    sentence.remove_prefix(close + 1);
  }
}

}  // namespace

const PhraseText& text_of(Phrase phrase) { return kRows[static_cast<std::size_t>(phrase)].text; }

std::string in_japanese(Phrase phrase, std::span<const std::string> args) {
  return fill(text_of(phrase).japanese, {args.begin(), args.end()});
}

std::string plain_parse_error(std::string_view message) {
  return message.starts_with("yaml: invalid map key: ") ? say(Phrase::kKeyIsNoScalar)
                                                        : std::string(message);
}

std::optional<std::string> japanese_of(std::string_view english) {
  for (const Row& row : kRows) {
    if (const auto args = filled_in(english, row.text.english))
      return fill(row.text.japanese, *args);
  }
  return std::nullopt;
}

std::optional<std::string_view> japanese_type(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"string", "文字列"},
      {"integer", "整数"},
      {"number", "数値"},
      {"boolean", "真偽値"},
      {"array", "配列"},
      {"object", "オブジェクト"},
      {"integer or string", "整数または文字列"},
      {"null", "null"}};
  for (const std::string_view article : {"an ", "a "}) {
    if (name.starts_with(article)) name.remove_prefix(article.size());
  }
  for (const auto& [english, japanese] : kTypes) {
    if (name == english) return japanese;
  }
  return std::nullopt;
}

}  // namespace strake::validate
