// All components of pages in all their states (R40), for those who look after the pages and for tests: `/docs/pages`,
// where SVC_COMPONENT_PAGE is on. Its words are examples.
import { barEnds, bars } from "../../../pages/components/bars.ts";
import { button, buttonRow, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { checkbox, choices, fieldset } from "../../../pages/components/choices.ts";
import { combobox } from "../../../pages/components/combobox.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { fieldRow, selectField, textArea, textField } from "../../../pages/components/fields.ts";
import { type EntryPlace, type GroupChange, rearranged, repeatableGroup } from "../../../pages/components/groups.ts";
import { factList, factRow, fileList, pagination, table, tabs, trail } from "../../../pages/components/lists.ts";
import { badge, banner, confirmation, progress, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html } from "../../../pages/html.ts";
import { type SiteView, sitePage } from "./layout.ts";

const GROUP_MOST = 5;
const HERE = "/docs/pages";

type Words = (en: string, ja: string) => string;
type Example = { readonly site: SiteView; readonly w: Words; readonly problems: readonly FieldProblem[] };

/** `change`: the button of the group that was pressed. */
export function componentPage(change: GroupChange | null, site: SiteView): string {
  const w: Words = (en, ja) => (site.texts.tag === "ja" ? ja : en);
  const problems: readonly FieldProblem[] = [
    { field: "wrong", text: w("Enter a year, such as 1998", "1998のような年を入力してください") },
    { field: "wrong-choice", text: w("Choose a kind", "種類を選んでください") },
    { field: null, text: w("The form has expired", "フォームの有効期限が切れました") },
  ];
  const example = { site, w, problems };
  const title = w("Components of pages", "ページの部品");
  return sitePage(site, {
    title,
    noindex: true,
    problems,
    scripts: ["repeatable-group"],
    body: html`${trail(
      [
        { label: w("Index pages", "索引"), href: "#" },
        { label: w("A volume", "ある巻"), href: "#" },
      ],
      site.texts,
    )}
${pageHeading(title, { before: [badge(w("Draft", "下書き"), "warn"), w("Version 2", "第2版")] })}
<p>${w("Every component in every state.", "すべての部品を、すべての状態で示します。")}</p>
${notes(example)}${buttons(example)}${fields(example)}${choiceGroups(example)}${groups(example, change)}${suggestions(example)}${lists(example)}${states(example)}${confirming(example)}`,
  });
}

const notes = ({ w, site }: Example): Html => html`${sectionHeading(w("Banners and badges", "お知らせとバッジ"))}
${banner("info", w("For your information.", "お知らせです。"))}${banner("good", w("Saved 14:03", "14:03に保存しました"), { role: "status" })}${banner("warn", html`<p>${w("There is a newer version of this item.", "この資料には新しい版があります。")} <a href="#">${w("Go to it", "新しい版へ")}</a></p>`)}${banner("gone", w("This cannot be undone.", "この操作は取り消せません。"))}
<p class="facts">${badge(w("Open access", "オープンアクセス"))}${badge(w("Finished", "完了"), "good")}${badge(w("Waiting", "待機中"), "warn")}${badge(w("Deleted", "削除済み"), "gone")}</p>
${progress({ id: "progress-known", label: w("Upload of data.csv", "data.csvのアップロード"), value: 42, most: 100 }, site.texts)}
${progress({ id: "progress-unknown", label: w("Reading the file", "ファイルの読み取り"), value: null, most: 100 }, site.texts)}`;

const buttons = ({ w }: Example): Html => html`${sectionHeading(w("Buttons", "ボタン"))}
${buttonRow([
  button({ label: w("Save", "保存") }),
  button({ label: w("Preview", "プレビュー"), kind: "quiet" }),
  button({ label: w("Delete", "削除"), kind: "danger" }),
  button({ label: w("Delete for good", "完全に削除"), kind: "sure" }),
  linkButton(w("Go there", "移動"), "#"),
  button({ label: w("Next to an entry", "項目の横"), kind: "small" }),
])}${postButton({ label: w("Acts at once", "すぐに実行"), kind: "plain", action: HERE, csrf: "" })}`;

const YEARS = ["1998", "1999"].map((value) => ({ value, label: value }));

const fields = ({ w, site: { texts }, problems }: Example): Html => html`${sectionHeading(w("Fields", "入力欄"))}
<form action="${HERE}">${textField({ id: "plain", label: w("Title", "タイトル"), hint: w("As it is printed", "印刷されているとおり"), isRequired: true, value: "A map" }, texts)}
${textField({ id: "wrong", label: w("Year", "年"), hint: w("In the Western calendar", "西暦"), value: "199x", error: problemAt(problems, "wrong") }, texts)}
${textArea({ id: "area", label: w("Description", "説明"), value: w("Several\nlines", "複数の\n行") }, texts)}
${fieldRow([
  textField({ id: "row-text", label: w("Volume", "巻"), value: "12" }, texts),
  selectField({ id: "row-select", label: w("Year", "年"), value: "1998", choices: YEARS, blank: "" }, texts),
  textField({ id: "row-date", label: w("Day", "日"), type: "date", value: "2024-03-25" }, texts),
  textField({ id: "row-search", label: w("Words", "語"), type: "search" }, texts),
])}
${textField({ id: "file", label: w("Files", "ファイル"), type: "file", control: { multiple: true } }, texts)}
${buttonRow([button({ label: w("Save", "保存") })])}</form>`;

const choiceGroups = ({ w, site: { texts }, problems }: Example): Html => {
  const two = [
    { value: "a", label: w("Article", "論文"), hint: w("In a journal", "雑誌に掲載"), isChosen: true },
    { value: "b", label: w("Data set", "データセット") },
    { value: "c", label: w("Closed", "非公開"), isDisabled: true },
  ];
  return html`${sectionHeading(w("Choices", "選択"))}
<form action="${HERE}">${choices({ id: "kind", kind: "radio", legend: w("Kind", "種類"), hint: w("One of them", "1つだけ"), choices: two, isRequired: true }, texts)}
${choices({ id: "topics", kind: "checkbox", legend: w("Topics", "主題"), choices: two }, texts)}
${choices({ id: "wrong-choice", kind: "radio", legend: w("Kind", "種類"), error: problemAt(problems, "wrong-choice"), choices: two.map(({ value, label }) => ({ value, label })), isWide: true }, texts)}
${checkbox({ id: "sure", label: w("I am sure", "確認しました"), isChecked: false, hint: w("It cannot be undone", "取り消せません") })}
${checkbox({ id: "sure-2", label: w("I am sure", "確認しました"), isChecked: true, error: w("Tick the box", "チェックを入れてください") })}
${fieldset({ id: "set", legend: w("Series", "シリーズ"), hint: w("If there is one", "ある場合") }, texts, textField({ id: "set-name", label: w("Name", "名前") }, texts))}</form>`;
};

function groups({ w, site: { texts } }: Example, change: GroupChange | null): Html {
  const names = ["Lovelace", "Hopper"];
  const shown = change?.group === "creator" ? rearranged(names, change, "") : names;
  const mails = change?.group === "mail" ? rearranged(["ada@example.org"], change, "") : ["ada@example.org"];
  const one = (at: EntryPlace) =>
    fieldRow([
      textField(
        { id: `creator.${at}.family`, label: w("Family name", "姓"), value: at === "new" ? "" : (shown[at] ?? "") },
        texts,
      ),
      textField({ id: `creator.${at}.given`, label: w("Given name", "名") }, texts),
    ]);
  const creators = {
    name: "creator",
    legend: w("Creators", "作成者"),
    entry: w("Creator", "作成者"),
    most: GROUP_MOST,
  };
  const mail = {
    name: "mail",
    legend: w("E-mail", "メールアドレス"),
    entry: w("E-mail", "メールアドレス"),
    most: GROUP_MOST,
  };
  return html`${sectionHeading(w("Repeatable groups", "繰り返せる項目"))}
<form action="${HERE}">${repeatableGroup({ ...creators, hint: w("In the order of the work", "資料にある順"), count: shown.length, least: 1 }, texts, one)}
${repeatableGroup({ ...mail, count: mails.length, isOneField: true }, texts, (at) =>
  textField(
    {
      id: `mail.${at}`,
      label: mail.entry,
      isLabelHidden: true,
      value: at === "new" ? "" : (mails[at] ?? ""),
    },
    texts,
  ),
)}</form>`;
}

const suggestions = ({ w, site: { texts } }: Example): Html => {
  const view = { label: w("Affiliation", "所属"), value: "Kyo", source: HERE };
  const found = [
    { value: "1", label: "Kyoto University", hint: "Kyoto, Japan" },
    { value: "2", label: "京都大学" },
  ];
  return html`${sectionHeading(w("Suggestions", "候補"))}
<form action="${HERE}">${combobox({ ...view, id: "affiliation", found: null }, texts)}${combobox({ ...view, id: "found", found }, texts)}${combobox({ ...view, id: "unfound", found: [] }, texts)}</form>`;
};

const lists = ({ w, site: { texts } }: Example): Html => html`${sectionHeading(w("Lists", "一覧"), { count: "3" })}
${tabs(w("Account", "アカウント"), [
  { label: w("Tokens", "トークン"), href: "#", isHere: true },
  { label: w("Programs", "プログラム"), href: "#", isHere: false },
])}
${bars([1234, 987, 0, 40].map((count) => ({ count })))}${barEnds("2026-01", "2026-04")}
${table({
  caption: w("Use by month", "月別の利用"),
  head: [w("Month", "月"), w("Views", "閲覧"), w("Downloads", "ダウンロード")],
  rows: [
    ["2026-01", "1,234", "56"],
    ["2026-02", "987", "65"],
  ],
  numbers: [1, 2],
  isStacked: false,
})}
${fileList(
  [
    {
      name: "a-map-of-the-harbour.pdf",
      href: "#",
      notes: ["CC BY 4.0"],
      size: "1.2 MiB",
      type: "application/pdf",
      state: w("Open", "公開"),
    },
    {
      name: "観測データ\u202E.csv",
      href: null,
      size: "3 KiB",
      type: "text/csv",
      state: html`${w("42% uploaded", "42% アップロード済み")} ${button({ label: w("Pause", "一時停止"), kind: "small" })}`,
    },
  ],
  { name: w("File", "ファイル"), size: w("Size and type", "サイズと種類"), state: w("State", "状態") },
)}
${factList([factRow(w("Name", "名前"), "Ada Lovelace"), factRow(w("Affiliation", "所属"), w("Institute for Long Things", "長期研究所"))])}
${pagination({ page: 5, pages: 12 }, (page) => `?page=${page}`, texts)}`;

const states = ({ w, site: { texts } }: Example): Html => html`${sectionHeading(w("States", "状態"))}
${state({ kind: "empty", heading: w("No drafts", "下書きはありません"), text: w("What you begin to deposit is listed here.", "登録を始めた資料がここに表示されます。"), actions: [linkButton(w("Deposit", "登録する"), "#")] })}
${state({ kind: "loading", text: w("Loading …", "読み込み中です…") })}
${state({ kind: "error", heading: w("This did not work", "処理できませんでした"), text: w("Wait a moment, then try again.", "しばらくしてから、もう一度お試しください。"), actions: [linkButton(w("Try again", "もう一度試す"), "#", "quiet")] })}
${state({ kind: "gone", heading: texts.tombstone.heading, text: texts.tombstone.text })}
${state({ kind: "forbidden", heading: texts.refusal.headings["403"] ?? "", text: texts.refusal.sentences["403"] ?? "", actions: [linkButton(texts.refusal.askToSignIn, "#")] })}`;

const confirming = ({
  w,
  site: { texts },
}: Example): Html => html`${sectionHeading(w("A page that asks", "確認のページ"))}
<section>${confirmation({ level: 3, heading: w("Withdraw this item?", "この資料を取り下げますか？"), text: w("Its page keeps the citation and the reason.", "引用情報と理由はページに残ります。"), action: HERE, csrf: "", label: w("Withdraw", "取り下げる"), isFinal: true, back: "#" }, texts)}</section>`;
