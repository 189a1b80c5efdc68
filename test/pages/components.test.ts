// Components of pages as functions from data to HTML (R40): what is linked with what, and that text stays text.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkbox, choices, fieldset } from "../../src/pages/components/choices.ts";
import { combobox } from "../../src/pages/components/combobox.ts";
import { errorSummary, problemAt, titleWithErrors } from "../../src/pages/components/errors.ts";
import { selectField, textArea, textField } from "../../src/pages/components/fields.ts";
import { groupChange, rearranged, repeatableGroup } from "../../src/pages/components/groups.ts";
import { fileList, pagination, table } from "../../src/pages/components/lists.ts";
import { banner, confirmation, progress, state } from "../../src/pages/components/notes.ts";
import { html } from "../../src/pages/html.ts";

const EN = { tag: "en" };
const JA = { tag: "ja" };
const EVIL = `"><img src=x onerror=alert(1)>&'`;

/** The text of the elements whose ids an attribute of the first control names. */
function named(markup: string, attribute: string): readonly string[] {
  const ids = new RegExp(`${attribute}="([^"]*)"`).exec(markup)?.[1]?.split(" ") ?? [];
  return ids.map((id) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(markup)?.[1] ?? "(nothing)");
}

describe("fields", () => {
  test("P.5 a field has its label, and hint and error are heard with it", () => {
    const view = { id: "title", label: "Title", hint: "As printed", error: "Enter the title", isRequired: true };
    const { markup } = textField({ ...view, value: "A map" }, EN);
    expect(markup).toContain('<label for="title">Title <span class="must">(required)</span></label>');
    expect(markup).toContain('id="title" name="title" required aria-invalid="true"');
    expect(named(markup, "aria-describedby")).toEqual(["As printed", "Enter the title"]);
    const plain = textField({ id: "title", label: "Title" }, JA).markup;
    expect(plain).not.toMatch(/aria-|required|value=/);
    expect(textField({ ...view }, JA).markup).toContain("※必須");
  });

  test("P.5 what was sent is shown again, in every kind of field, and stays text", () => {
    const field = { id: "a.0.b", label: EVIL, hint: EVIL, error: EVIL };
    const written = [
      textField({ ...field, value: EVIL }, EN),
      textArea({ ...field, value: `\n${EVIL}` }, EN),
      selectField({ ...field, value: EVIL, choices: [{ value: "a", label: "A" }], blank: "" }, EN),
      checkbox({ ...field, value: EVIL, isChecked: true }),
      choices({ id: "c", legend: EVIL, kind: "radio", choices: [{ value: EVIL, label: EVIL, hint: EVIL }] }, EN),
      fieldset({ id: "f", legend: EVIL, error: EVIL }, EN, html`${EVIL}`),
      combobox({ ...field, value: EVIL, source: EVIL, found: [{ value: EVIL, label: EVIL }] }, EN),
      repeatableGroup({ name: "g", legend: EVIL, hint: EVIL, entry: EVIL, count: 1, most: 2 }, EN, () => html`${EVIL}`),
      errorSummary([{ field: EVIL, text: EVIL }], EN),
      banner("warn", EVIL),
      table({ caption: EVIL, head: [EVIL], rows: [[EVIL]] }),
      fileList([{ name: EVIL, href: EVIL, notes: [EVIL], size: EVIL, type: EVIL, state: EVIL }], {
        ...{ name: EVIL, size: EVIL, state: EVIL },
      }),
      progress({ id: "p", label: EVIL, value: 1, most: 2, text: EVIL }, EN),
      state({ kind: "error", heading: EVIL, text: EVIL }),
      confirmation(
        {
          heading: EVIL,
          text: EVIL,
          action: EVIL,
          csrf: EVIL,
          sent: { [EVIL]: EVIL },
          label: EVIL,
          isFinal: true,
          back: EVIL,
        },
        EN,
      ),
    ];
    for (const { markup } of written) {
      expect(markup).not.toContain("<img");
      expect(markup).toContain("&lt;img");
    }
    expect(written[1]?.markup).toContain("\n\n&quot;");
    expect(written[2]?.markup).toContain(" selected>");
  });

  test("P.6 a summary of errors links each to its field, in the words that are at it, and the title begins with it", () => {
    const problems = [
      { field: "title", text: "Enter the title" },
      { field: null, text: "The form has expired" },
    ];
    const { markup } = errorSummary(problems, EN);
    expect(markup).toContain("There is a problem</h2>");
    expect(markup).toContain('<a href="#title">Enter the title</a>');
    expect(markup).toContain("<li>The form has expired</li>");
    expect(textField({ id: "title", label: "Title", error: problemAt(problems, "title") }, EN).markup).toContain(
      '<p class="wrong" id="title-error">Enter the title</p>',
    );
    expect(titleWithErrors("New item", problems, EN)).toBe("Error: New item");
    expect(titleWithErrors("新規", problems, JA)).toBe("エラー：新規");
    expect([titleWithErrors("New item", [], EN), errorSummary([], EN).markup]).toEqual(["New item", ""]);
  });
});

describe("a repeatable group", () => {
  const group = (count: number) =>
    repeatableGroup({ name: "who", legend: "Creators", entry: "Creator", count, least: 1, most: 3 }, EN, (at) =>
      textField({ id: `who.${at}.name`, label: "Name" }, EN),
    ).markup;

  test("P.7 has a button to add, and for each entry buttons that name it; ends cannot be passed", () => {
    const markup = group(2);
    expect([...(markup.match(/aria-label="[^"]*"/g) ?? [])]).toEqual(
      [
        ...["Move Creator 1 up", "Move Creator 1 down", "Remove Creator 1"],
        ...["Move Creator 2 up", "Move Creator 2 down", "Remove Creator 2"],
        ...["Move Creator  up", "Move Creator  down", "Remove Creator "],
      ].map((label) => `aria-label="${label}"`),
    );
    expect(markup).toMatch(/name="move-up" value="who.0"[^>]* disabled>/);
    expect(markup).toMatch(/name="move-down" value="who.1"[^>]* disabled>/);
    expect(markup).toMatch(/name="add" value="who" formnovalidate>Add: Creator/);
    expect(group(1)).toMatch(/name="remove" value="who.0"[^>]* hidden>/);
    expect(group(3)).toMatch(/name="add" value="who" formnovalidate hidden>/);
  });

  test("P.7 without script the server reads which button it was, and changes the entries", () => {
    const sent = (name: string, value: string) => groupChange(new Map([[name, value]]));
    expect(sent("add", "who")).toEqual({ action: "add", group: "who" });
    expect(sent("move-up", "who.0.id.12")).toEqual({ action: "move-up", group: "who.0.id", at: 12 });
    for (const value of ["who", "who.", "who.-1", "who.01", "who.1e3", "who.12345678", ".1", "who.1\n"]) {
      expect([value, sent("remove", value)]).toEqual([value, null]);
    }
    expect(sent("save", "who.1")).toBeNull();
    const all = ["a", "b", "c"];
    const after = (action: "remove" | "move-up" | "move-down", at: number) =>
      rearranged(all, { action, group: "who", at }, "").join("");
    expect([after("remove", 1), after("remove", 9)]).toEqual(["ac", "abc"]);
    expect([after("move-up", 0), after("move-up", 2), after("move-up", 9)]).toEqual(["abc", "acb", "abc"]);
    expect([after("move-down", 0), after("move-down", 2), after("move-down", 9)]).toEqual(["bac", "abc", "abc"]);
    expect(rearranged(all, { action: "add", group: "who" }, "new")).toEqual([...all, "new"]);
  });
});

describe("lists and states", () => {
  test("P.8 pages link to both ends and around this one, and state which one it is", () => {
    const links = (page: number, pages: number) =>
      [...pagination({ page, pages }, (to) => `?page=${to}`, EN).markup.matchAll(/href="\?page=(\d+)"/g)].map(
        ([, to]) => Number(to),
      );
    expect([links(1, 1), links(1, 2), links(5, 10)]).toEqual([[], [2, 2], [4, 1, 3, 4, 6, 7, 10, 6]]);
    expect(pagination({ page: 5, pages: 10 }, String, EN).markup).toContain("Page 5 of 10");
    expect(pagination({ page: 5, pages: 10 }, String, JA).markup).toContain("5 / 10ページ");
  });

  test("P.8 a table has a caption and headings of rows and columns", () => {
    const { markup } = table({ caption: "Use", head: ["Month", "Views"], rows: [["May", "3"]], numbers: [1] });
    expect(markup).toContain("<caption>Use</caption>");
    expect(markup).toContain('<th scope="col" class="number">Views</th>');
    expect(markup).toContain('<th scope="row">May</th><td class="number">3</td>');
  });

  test("P.9 progress is in words too, unknown progress without a value", () => {
    expect(progress({ id: "p", label: "Upload", value: 1, most: 3 }, EN).markup).toContain(
      '<progress id="p" max="3" value="1">33%</progress><p role="status">33%</p>',
    );
    expect(progress({ id: "p", label: "Upload", value: null, most: 3 }, EN).markup).not.toContain("value=");
  });

  test("P.9 what loads and what failed is announced; what is empty, gone or forbidden is not", () => {
    const role = (kind: "empty" | "loading" | "error" | "gone" | "forbidden") =>
      /role="(\w+)"/.exec(state({ kind, text: "x" }).markup)?.[1] ?? null;
    expect([role("loading"), role("error"), role("empty"), role("gone"), role("forbidden")]).toEqual([
      ...["status", "alert"],
      ...[null, null, null],
    ]);
  });
});

test("P.14 no template writes a field, a heading, a banner or a badge of its own, and nobody another style", () => {
  const root = join(import.meta.dirname, "../../src");
  const own: string[] = [];
  for (const folder of ["repository/pages", "resolver/pages"]) {
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".ts")) continue;
      const text = readFileSync(join(root, folder, path), "utf8");
      const found = text.match(
        /<(?:select|textarea|fieldset|legend|style|h1|h2|progress)\b|<input\b|class="(?:note|badge)\b/g,
      );
      for (const each of found ?? []) own.push(`${path}: ${each}`);
    }
  }
  // The box of words in the header and on the page of hits, which has no label to see.
  expect(own).toEqual(["templates/layout.ts: <input"]);
});
