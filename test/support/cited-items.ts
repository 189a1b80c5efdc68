// Items for tests of citations, tags and links: a small article, and parts to vary it with.

import type { CitedItem } from "../../src/formats/citation/cited-item.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";

/** A person or organisation with these members, the others empty. */
export const agentOf = (more: Partial<Agent>): Agent => ({
  kind: "personal",
  names: [],
  alternatives: [],
  ids: [],
  emails: [],
  affiliations: [],
  ...more,
});

export const person = (family: string, given: string, more: Partial<Agent> = {}): Agent =>
  agentOf({ names: [{ family, given, lang: "en" }], emails: [`${family.toLowerCase()}@example.org`], ...more });

export const ARTICLE: Metadata = {
  ...EMPTY_METADATA,
  type: { id: "publication-article", label: "journal article" },
  titles: [
    { value: "情報爆発", lang: "ja", kind: "translated" },
    { value: "Research on Cyber Infrastructure", lang: "en", kind: "main" },
  ],
  creators: [
    person("Adachi", "Jun", {
      names: [
        { full: "安達, 淳", lang: "ja" },
        { full: "Adachi, Jun", lang: "en" },
      ],
      ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
      affiliations: [
        {
          names: [
            { value: "東京大学", lang: "ja" },
            { value: "The University of Tokyo", lang: "en" },
          ],
          ids: [],
        },
      ],
    }),
    person("Kitsuregawa", "Masaru Jean-Luc"),
  ],
  rights: [{ id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" }],
  subjects: [{ text: { value: "data mining" } }, { text: { value: "情報爆発", lang: "ja" } }],
  descriptions: [{ value: "<p>An <b>abstract</b></p>", kind: "Abstract", html: true }],
  publishers: [{ names: [{ value: "The Press" }] }],
  dates: [{ date: "2015-10-01", type: "Issued" }],
  languages: ["eng"],
  identifiers: [{ scheme: "DOI", value: "https://doi.org/10.15017/64495" }],
  containers: [
    {
      titles: [{ value: "Journal of Information Studies", lang: "en" }],
      ids: [{ scheme: "PISSN", value: "1880-697X" }],
      volume: "12",
      issue: "3",
      pageStart: "34",
      pageEnd: "57",
      place: "flat",
    },
  ],
};

export function cited(metadata: Partial<Metadata> = {}, more: Partial<CitedItem> = {}): CitedItem {
  return {
    metadata: { ...ARTICLE, ...metadata },
    landingPage: "https://repository.example.org/records/17",
    ark: "https://n2t.example.org/ark:/99999/fk4x",
    repositoryName: "Example Repository",
    files: [
      {
        url: "https://repository.example.org/records/17/files/a.pdf",
        name: "a.pdf",
        mediaType: "application/pdf",
        sizeBytes: 1024,
      },
    ],
    ...more,
  };
}
