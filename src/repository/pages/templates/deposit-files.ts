// The pages of a draft's files (R43): the list with order, access, uploads under way and removed files; the form of one
// file. Without script each change is a form.
import { shownFileName } from "../../../model/files/file-names.ts";
import type { ItemFile } from "../../../model/items/item.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { choices } from "../../../pages/components/choices.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import { hiddenField, textArea, textField } from "../../../pages/components/fields.ts";
import { table } from "../../../pages/components/lists.ts";
import { badge } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import { type DraftFilesOverview, RULE_CHOICES, type RuleChoice } from "../../record-files/draft-overview.ts";
import { type FileEntry, keyOf } from "../../record-files/entries.ts";
import { dayText, moment, type SiteView, sitePage, sizeText } from "./layout.ts";

export type DepositFilesView = Omit<DraftFilesOverview, "groups"> & {
  readonly id: number;
  readonly csrf: string;
  readonly maxBytes: number;
  /** Without slash at the end. */
  readonly baseUrl: string;
  readonly problems: readonly FieldProblem[];
};

const pathOf = (id: number, rest = ""): string => `/deposit/${id}${rest}`;
export const filePathOf = (id: number, action: string, key: string): string =>
  `${pathOf(id, `/files/${action}`)}?key=${encodeURIComponent(key)}`;

/** A name is set apart from its surroundings: whatever it holds, it turns nothing else round. */
const nameOf = (name: string): Html => html`<bdi class="name">${shownFileName(name)}</bdi>`;

export function depositFilesPage(view: DepositFilesView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.deposit;
  const { id, problems, isPublished } = view;
  return sitePage(site, {
    title: words.filesHeading,
    noindex: true,
    scripts: isPublished ? [] : ["upload"],
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(words.filesHeading)}
${isPublished ? html`<p>${words.filesFixed}</p>` : uploadForm(view, site)}${fileTable(view, site)}${pendingTable(view, site)}${removedTable(view, site)}${buttonRow(
  [
    linkButton(words.back, `${rootPath}${pathOf(id)}`, "quiet"),
    linkButton(words.publish, `${rootPath}${pathOf(id, "/publish")}`),
  ],
)}`,
  });
}

function uploadForm(view: DepositFilesView, site: SiteView): Html {
  const { texts, rootPath } = site;
  const { deposit: words, draftFiles } = texts;
  const { id, csrf, problems, files, pending, maxBytes, baseUrl } = view;
  const left = Math.max(0, most("files") - files.length - pending.length);
  const size = sizeText(maxBytes, texts);
  return html`<ul><li>${draftFiles.limits(size, most("files"), left)}</li><li>${draftFiles.names}</li><li>${draftFiles.fixed}</li></ul>
<form method="post" enctype="multipart/form-data" action="${rootPath}${pathOf(id, "/files")}"${attributes(uploadData(view, site))}>${csrfField(csrf)}
${textField({ id: "file", type: "file", label: words.file, error: problems.find(({ field }) => field === "file")?.text, isRequired: true }, texts)}${buttonRow(
  [
    button({ label: words.upload, kind: "quiet" }),
    button({ label: words.uploadAndPublish, formaction: `${rootPath}/deposit/${id}/files?then=publish` }),
  ],
)}</form>
<details><summary>${words.filesLarge}</summary><p>${draftFiles.commands(id)}</p><pre tabindex="0">${commandsFor(id, baseUrl)}</pre></details>
`;
}

/** Commands that send a file to this draft, to be copied. A test runs them. */
export function commandsFor(id: number, baseUrl: string): string {
  const address = `${baseUrl}/api/records/${id}/draft/files`;
  const curl = 'curl -fsS -H "Authorization: Bearer $ARKSTONE_TOKEN"';
  return [
    "export ARKSTONE_TOKEN=...",
    `arkstone deposit data.zip --url ${baseUrl} --draft ${id}`,
    "",
    `${curl} -H "Content-Type: application/json" -d '[{"key": "data.zip"}]' ${address}`,
    `${curl} -T data.zip ${address}/data.zip/content`,
    `${curl} -X POST ${address}/data.zip/commit`,
  ].join("\n");
}

/** What the script of uploads works with. */
const uploadData = ({ id, files, maxBytes }: DepositFilesView, { texts, rootPath }: SiteView) => ({
  "data-upload": "",
  "data-record": id,
  "data-root": rootPath,
  "data-max-bytes": maxBytes,
  "data-max-files": most("files"),
  "data-names": JSON.stringify(files.map(({ name }) => keyOf(name))),
  "data-lang": texts.tag,
  "data-words": JSON.stringify(texts.deposit.uploads),
});

function fileTable(view: DepositFilesView, site: SiteView): Html {
  const { texts, rootPath } = site;
  const { deposit: words, draftFiles } = texts;
  const { id, files, preview } = view;
  if (files.length === 0) return html`<p>${words.noFile}</p>`;
  const rows = files.map((file, at) => [
    html`<a href="${rootPath}/records/${id}/files/${encodeURIComponent(file.name)}">${nameOf(file.name)}</a>${file.name === preview ? html` ${badge(draftFiles.isFirst)}` : NOTHING}${descriptionOf(file) === "" ? NOTHING : html`<span class="soft">${descriptionOf(file)}</span>`}`,
    sizeText(file.sizeBytes, texts),
    ruleText(file, site),
    view.isPublished ? "" : fileButtons(view, file, at, site),
  ]);
  const head = [words.fileName, words.fileSize, draftFiles.access, draftFiles.actions];
  return table({ caption: words.filesHeading, head, rows });
}

function ruleText(file: ItemFile, { texts }: SiteView): string {
  const { rules, until } = texts.draftFiles;
  const rule: RuleChoice = file.access === "login" && file.groups.length > 0 ? "groups" : file.access;
  return file.accessDate === null ? rules[rule] : `${rules[rule]} (${until}: ${dayText(file.accessDate, texts)})`;
}

export const descriptionOf = ({ metadata }: ItemFile): string =>
  typeof metadata?.description === "string" ? metadata.description : "";

/** What may be done with one file; buttons that change nothing are left out. */
function fileButtons(view: DepositFilesView, file: ItemFile, at: number, { texts, rootPath }: SiteView): Html {
  const { deposit: words, draftFiles } = texts;
  const { id, csrf, files, preview } = view;
  const key = keyOf(file.name);
  const shown = shownFileName(file.name);
  const isFirst = file.name === preview;
  // What is shown first keeps its place.
  const start = preview === null ? 0 : 1;
  const act = (label: string, action: string, sent: Readonly<Record<string, string>> = {}, kind = "small" as const) =>
    postButton({
      ...{ label, heard: `${label}: ${shown}`, kind, csrf },
      ...{ action: `${rootPath}${pathOf(id, `/files/${action}`)}`, sent: { key, ...sent } },
    });
  return buttonRow([
    ...(isFirst || at <= start ? [] : [act(draftFiles.up, "move", { to: "up" })]),
    ...(isFirst || at === files.length - 1 ? [] : [act(draftFiles.down, "move", { to: "down" })]),
    isFirst ? act(draftFiles.unset, "move", { to: "unset" }) : act(draftFiles.first, "move", { to: "first" }),
    html`<a class="small" href="${rootPath}${filePathOf(id, "edit", key)}" aria-label="${draftFiles.edit}: ${shown}">${draftFiles.edit}</a>`,
    postButton({
      ...{ label: words.remove, heard: `${words.remove}: ${shown}`, kind: "small danger", csrf },
      ...{ action: `${rootPath}${pathOf(id, "/files/remove")}`, sent: { key } },
    }),
  ]);
}

function pendingTable({ id, csrf, pending }: DepositFilesView, { texts, rootPath }: SiteView): Html {
  const { deposit: words, draftFiles } = texts;
  if (pending.length === 0) return NOTHING;
  const percent = new Intl.NumberFormat(texts.locale, { style: "percent" });
  const stateOf = ({ status, error, transfer, uploaded = [] }: FileEntry): string => {
    if (status === "failed") return `${draftFiles.failed}: ${error ?? ""}`;
    if (transfer.type !== "M" || uploaded.length === 0) return draftFiles.waiting;
    return draftFiles.arrived(percent.format(uploaded.length / transfer.parts));
  };
  const rows = pending.map((entry) => [
    nameOf(entry.key),
    entry.sizeBytes === null ? "" : sizeText(entry.sizeBytes, texts),
    stateOf(entry),
    postButton({
      ...{ label: words.remove, heard: `${words.remove}: ${shownFileName(entry.key)}`, kind: "small danger", csrf },
      ...{ action: `${rootPath}${pathOf(id, "/files/remove")}`, sent: { key: entry.key } },
    }),
  ]);
  const head = [words.fileName, words.fileSize, draftFiles.pending, words.fileAction];
  return html`${table({ caption: draftFiles.pending, head, rows })}<p>${draftFiles.pendingText}</p>
`;
}

function removedTable({ id, csrf, removed, isPublished }: DepositFilesView, { texts, rootPath }: SiteView): Html {
  const { deposit: words, draftFiles } = texts;
  if (removed.length === 0 || isPublished) return NOTHING;
  const rows = removed.map(({ id: removal, file, removedAt }) => [
    nameOf(file.name),
    sizeText(file.sizeBytes, texts),
    moment(removedAt, texts),
    postButton({
      ...{ label: draftFiles.putBack, heard: `${draftFiles.putBack}: ${shownFileName(file.name)}`, csrf },
      ...{ kind: "small", action: `${rootPath}${pathOf(id, "/files/put-back")}`, sent: { removal } },
    }),
  ]);
  const head = [words.fileName, words.fileSize, draftFiles.removed, words.fileAction];
  return html`${table({ caption: draftFiles.removed, head, rows })}<p>${draftFiles.removedText}</p>
`;
}

export type DepositFileView = {
  readonly id: number;
  readonly csrf: string;
  readonly file: ItemFile;
  readonly groups: DraftFilesOverview["groups"];
  readonly sent: {
    readonly description: string;
    readonly rule: string;
    readonly until: string;
    readonly groups: readonly string[];
  };
  readonly problems: readonly FieldProblem[];
};

/** The form of one file. */
export function depositFilePage(view: DepositFileView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { draftFiles: words } = texts;
  const { id, csrf, file, groups, sent, problems } = view;
  const key = keyOf(file.name);
  const errorOf = (id: string): string | undefined => problems.find(({ field }) => field === id)?.text;
  const at = (action: string): string => `${rootPath}${filePathOf(id, action, key)}`;
  const rules = RULE_CHOICES.filter((rule) => rule !== "groups" || groups.length > 0);
  const body = html`${pageHeading(nameOf(file.name))}
<form method="post" action="${at("edit")}" novalidate>${csrfField(csrf)}
${textArea({ id: "description", label: words.description, value: sent.description, rows: 3, control: { maxlength: most("fileDescriptionCharacters") }, error: errorOf("description") }, texts)}${choices(
  {
    ...{ id: "rule", kind: "radio", legend: words.access, isWide: true, error: errorOf("rule") },
    choices: rules.map((rule) => ({ value: rule, label: words.rules[rule], isChosen: sent.rule === rule })),
  },
  texts,
)}${textField({ id: "until", type: "date", label: words.until, hint: words.untilHint, value: sent.until, error: errorOf("until") }, texts)}${
  groups.length === 0
    ? NOTHING
    : choices(
        {
          ...{ id: "groups", kind: "checkbox", legend: words.groups, error: errorOf("groups") },
          choices: groups.map((group) => ({
            ...{ value: String(group.id), label: group.name, isChosen: sent.groups.includes(String(group.id)) },
            name: `group.${group.id}`,
          })),
        },
        texts,
      )
}${buttonRow([button({ label: words.save })])}</form>
${sectionHeading(words.replace)}
<p>${words.replaceText}</p>
<form method="post" enctype="multipart/form-data" action="${at("replace")}">${csrfField(csrf)}
${textField({ id: "file", type: "file", label: words.newFile, isRequired: true, error: errorOf("file") }, texts)}${buttonRow([button({ label: words.replace, kind: "quiet" })])}</form>
${/\.zip$/i.test(key) ? unpackForm(view, site) : NOTHING}${buttonRow([linkButton(words.back, `${rootPath}${pathOf(id, "/files")}`, "quiet")])}`;
  return sitePage(site, {
    title: `${words.edit}: ${shownFileName(file.name)}`,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body,
  });
}

function unpackForm({ id, csrf, file }: DepositFileView, { texts, rootPath }: SiteView): Html {
  const { draftFiles: words } = texts;
  return html`${sectionHeading(words.unpack)}
<p>${words.unpackText}</p>
<form method="post" action="${rootPath}${pathOf(id, "/files/unpack")}">${csrfField(csrf)}${hiddenField("key", keyOf(file.name))}
${buttonRow([button({ label: words.unpack, kind: "quiet" })])}</form>
`;
}
