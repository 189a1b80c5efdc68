// What people read of a record, in the form `inveniordm` (R37): titles of entries, dates in words, affiliations by
// number, access in a sentence.
import { describe, expect, test } from "bun:test";
import { dateWords, uiLanguage, withLabels } from "../../../src/formats/record/ui.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { readMembers, shown, shownCustom } from "../../support/record-bodies.ts";

const { metadata } = readMembers({
  resource_type: { id: "publication-article" },
  creators: [
    {
      person_or_org: {
        type: "personal",
        family_name: "Nielsen",
        given_name: "Lars Holm",
        identifiers: [{ identifier: "0000-0001-8135-3489" }],
      },
      affiliations: [{ id: "01ggx4157" }, { name: "free-text" }],
    },
    {
      person_or_org: { type: "personal", family_name: "Tom", given_name: "Blabin" },
      affiliations: [{ name: "free-text" }, { name: "a third" }],
      role: { id: "editor" },
    },
  ],
  contributors: [
    { person_or_org: { type: "organizational", name: "Dirk" }, role: { id: "other" } },
    {
      person_or_org: { type: "organizational", name: "Erin" },
      role: { id: "datacurator" },
      affiliations: [{ name: "free-text" }],
    },
  ],
  title: "InvenioRDM",
  additional_titles: [{ title: "a research data management platform", type: { id: "subtitle" }, lang: { id: "eng" } }],
  publication_date: "2018/2020-09",
  languages: [{ id: "dan" }, { id: "eng" }],
  dates: [{ date: "1939/1945", type: { id: "other" }, description: "A date" }],
  description: "<h1>A description</h1> <p>with HTML tags</p>",
  additional_descriptions: [{ description: "How", type: { id: "methods" }, lang: { id: "jpn" } }],
  related_identifiers: [
    { identifier: "10.1234/foo.bar", relation_type: { id: "iscitedby" }, resource_type: { id: "dataset" } },
  ],
  rights: [
    { title: { en: "A custom license" }, description: { en: "A description" }, link: "https://customlicense.org/" },
    { id: "cc-by-4.0" },
  ],
  funding: [{ funder: { id: "00k4n6c32" }, award: { id: "00k4n6c32::755021" } }],
  locations: { features: [{ geometry: { type: "Point", coordinates: [6.05, 46.23333] }, place: "CERN" }] },
});
const RECORD: JsonObject = {
  created: "2023-11-14T18:30:55.738Z",
  updated: "2023-11-15T18:30:55.977Z",
  is_draft: false,
  versions: { index: 2 },
  files: { enabled: true },
  access: {
    record: "public",
    files: "restricted",
    status: "embargoed",
    embargo: { active: true, until: "2131-01-01", reason: null },
  },
  metadata: shown(metadata),
  custom_fields: shownCustom(metadata),
};
const ui = (language: "en" | "ja", change: JsonObject = {}) =>
  withLabels({ ...RECORD, ...change }, language).ui as JsonObject;

describe("the labels of a record", () => {
  test("S3.6.68: entries have their titles in the reader's language", () => {
    expect(ui("en")).toMatchObject({
      resource_type: { id: "publication-article", title_l10n: "Journal article" },
      languages: [
        { id: "dan", title_l10n: "Danish" },
        { id: "eng", title_l10n: "English" },
      ],
      additional_titles: [
        {
          title: "a research data management platform",
          type: { id: "subtitle", title_l10n: "Subtitle" },
          lang: { id: "eng", title_l10n: "English" },
        },
      ],
      dates: [{ date: "1939/1945", description: "A date", type: { id: "other", title_l10n: "Other" } }],
      related_identifiers: [
        {
          identifier: "10.1234/foo.bar",
          scheme: "doi",
          relation_type: { id: "iscitedby", title_l10n: "Is cited by" },
          resource_type: { id: "dataset", title_l10n: "Dataset" },
        },
      ],
      rights: [
        { title_l10n: "A custom license", description_l10n: "A description", link: "https://customlicense.org/" },
        { id: "cc-by-4.0", title_l10n: "Creative Commons Attribution 4.0 International" },
      ],
      funding: [
        {
          funder: { id: "00k4n6c32", name: "European Commission" },
          award: { id: "00k4n6c32::755021", title_l10n: "Personalised treatment" },
        },
      ],
      locations: { features: [{ place: "CERN" }] },
      description_stripped: "A description\nwith HTML tags",
      version: "v2",
      is_draft: false,
      custom_fields: {},
    });
    expect(ui("ja")).toMatchObject({
      languages: [{ title_l10n: "デンマーク語" }, { title_l10n: "英語" }],
      additional_descriptions: [{ description: "How", lang: { id: "jpn", title_l10n: "日本語" } }],
      // In English where there is no Japanese.
      rights: [{ title_l10n: "A custom license", description_l10n: "A description" }, { id: "cc-by-4.0" }],
      funding: [{ award: { id: "00k4n6c32::755021", title_l10n: "個別化治療" } }],
    });
    expect([ui("en", { versions: { index: 3 } }).version, ui("en", { is_draft: true }).is_draft]).toEqual(["v3", true]);
    const labelled = { ...(RECORD.metadata as JsonObject), version: "second edition" };
    expect(ui("en", { metadata: labelled }).version).toBe("second edition");
    const french = { ...(RECORD.metadata as JsonObject), rights: [{ title: { fr: "Le mien", en: "Mine" } }] };
    expect(ui("ja", { metadata: french }).rights).toEqual([{ title_l10n: "Mine" }]);
  });

  test("S3.6.68: the language of a reader is Japanese in any form of its name, else English", () => {
    expect([null, "ja", "ja-JP", "JA", "en", "fr"].map(uiLanguage)).toEqual(["en", "ja", "ja", "ja", "en", "en"]);
  });

  test("S3.6.69: dates are shown in words", () => {
    expect(ui("en")).toMatchObject({
      publication_date_l10n_long: "January 2018\u2009–\u2009September 2020",
      publication_date_l10n_medium: "Jan 2018\u2009–\u2009Sep 2020",
      created_date_l10n_long: "November 14, 2023",
      updated_date_l10n_long: "November 15, 2023",
    });
    expect(ui("ja")).toMatchObject({
      publication_date_l10n_long: "2018年1月～2020年9月",
      created_date_l10n_long: "2023年11月14日",
      updated_date_l10n_long: "2023年11月15日",
    });
  });

  test.each([
    ["2020", "2020", "2020年"],
    ["2020-05", "May 2020", "2020年5月"],
    ["2020-05-07", "May 7, 2020", "2020年5月7日"],
    ["2019/2020", "2019\u2009–\u20092020", "2019年～2020年"],
    ["2019-12-31/2020", "December 31, 2019\u2009–\u2009December 31, 2020", "2019年12月31日～2020年12月31日"],
    ["昭和20年", "昭和20年", "昭和20年"],
  ])("S3.6.69: %s is shown as %s and %s", (date, en, ja) => {
    expect([dateWords(date, "long", "en"), dateWords(date, "long", "ja")]).toEqual([en, ja]);
  });

  test("S3.6.69: every month has its name, and days in few characters are written with two digits", () => {
    const months = Array.from({ length: 12 }, (_, at) => `2020-${String(at + 1).padStart(2, "0")}`);
    expect(months.map((month) => dateWords(month, "medium", "en"))).toEqual(
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ").map((name) => `${name} 2020`),
    );
    expect([dateWords("2020-05-07", "medium", "ja"), dateWords("2020-05-07", "medium", "en")]).toEqual([
      ...["2020/05/07", "May 7, 2020"],
    ]);
    expect([dateWords("2020-12/", "long", "en"), dateWords("/2020-12", "long", "en")]).toEqual([
      ...["December 2020\u2009–", "–\u2009December 2020"],
    ]);
  });

  test("S3.6.70: people have the numbers of their affiliations", () => {
    expect(ui("en")).toMatchObject({
      creators: {
        affiliations: [
          [1, "CERN", "01ggx4157"],
          [2, "free-text", null],
          [3, "a third", null],
        ],
        creators: [
          {
            affiliations: [
              [1, "CERN"],
              [2, "free-text"],
            ],
            person_or_org: { name: "Nielsen, Lars Holm" },
          },
          {
            affiliations: [
              [2, "free-text"],
              [3, "a third"],
            ],
            role: { id: "editor", title: "Editor" },
          },
        ],
      },
      contributors: {
        affiliations: [[1, "free-text", null]],
        contributors: [
          { role: { id: "other", title: "Other" } },
          { role: { id: "datacurator", title: "Data curator" }, affiliations: [[1, "free-text"]] },
        ],
      },
    });
    expect(ui("ja")).toMatchObject({
      creators: { creators: [{}, { role: { id: "editor", title: "編集者" } }] },
      contributors: { contributors: [{ role: { id: "other", title: "その他" } }, {}] },
    });
  });

  test("S3.6.71: the access is shown in a sentence, with the day on which it opens", () => {
    expect(ui("en").access_status).toEqual({
      id: "embargoed",
      title_l10n: "Embargoed",
      description_l10n: "The files will be made publicly available on January 1, 2131.",
      icon: "outline clock",
      embargo_date_l10n: "January 1, 2131",
      message_class: "warning",
    });
    const access = {
      record: "restricted",
      files: "restricted",
      status: "restricted",
      embargo: { active: false, reason: null },
    };
    expect(ui("en", { access }).access_status).toMatchObject({
      description_l10n: "The record and files are restricted to users with access.",
      message_class: "negative",
      embargo_date_l10n: null,
    });
    expect(ui("ja", { access, files: { enabled: false } }).access_status).toMatchObject({
      description_l10n: "レコードは権限のある利用者に限られます。",
    });
  });

  test.each([
    ["open", "public", true, "unlock", "The record and files are publicly accessible."],
    ["metadata-only", "public", false, "tag", "No files are available for this record."],
    [
      "embargoed",
      "restricted",
      true,
      "outline clock",
      "The record and files will be made publicly available on {day}.",
    ],
    ["embargoed", "restricted", false, "outline clock", "The record will be made publicly available on {day}."],
    [
      ...(["restricted", "public", true, "ban"] as const),
      "The record is publicly accessible, but files are restricted to users with access.",
    ],
    ["restricted", "restricted", false, "ban", "The record is restricted to users with access."],
  ] as const)(
    "S3.6.71: of %s, record %s, with files %p, icon and sentence",
    (status, record, enabled, icon, sentence) => {
      const embargo = status === "embargoed" ? { active: true, until: "2131-01-01" } : { active: false };
      const access = { record, files: "restricted", status, embargo };
      expect(ui("en", { access, files: { enabled } }).access_status).toMatchObject({
        ...{ id: status, icon, description_l10n: sentence.replace("{day}", "January 1, 2131") },
      });
    },
  );

  test("S3.6.68: where a record appeared is a line for journal, book and thesis", () => {
    const custom_fields = {
      "journal:journal": { title: "Nature", issue: "7", volume: "645", pages: "15-23", issn: "0028-0836" },
      "thesis:thesis": {
        university: "Kyoto University",
        department: "Physics",
        type: "PhD",
        date_submitted: "2020-01",
        date_defended: "2020-03",
      },
      "imprint:imprint": {
        title: "Proceedings",
        isbn: "978-3-905673-82-1",
        pages: "1-2",
        place: "Geneva",
        edition: "3",
      },
      "meeting:meeting": {
        title: "OR",
        acronym: "OR22",
        place: "Tokyo",
        dates: "May",
        session: "VI",
        session_part: "1",
      },
    };
    expect(ui("en", { custom_fields })).toMatchObject({
      publishing_information: {
        journal: "Nature, 645(7), 15-23, ISSN: 0028-0836, 2018.",
        thesis: "Kyoto University (Physics), PhD, Submitted: 2020-01, Defended: 2020-03",
      },
      conference: custom_fields["meeting:meeting"],
    });
    expect(ui("en", { custom_fields }).publishing_information).not.toHaveProperty("imprint");
    const metadata = { ...(RECORD.metadata as JsonObject), publisher: "Acme" };
    expect(ui("en", { custom_fields, metadata })).toMatchObject({
      publishing_information: { imprint: "Proceedings 3 ed., 1-2. Geneva. ISBN: 978-3-905673-82-1." },
    });
  });
});
