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
