// The works of the demonstration: metadata as the records interface takes them, and which files they have. The same
// seed makes the same works; days are counted from today.
import { shippedVocabulary } from "../../assets/vocabularies/index.ts";
import { type Chance, chanceFrom } from "./chance.ts";
import { FILE_MAKERS, type FileKind, type FileSubject } from "./files.ts";
import {
  abstractOf,
  CARBERRY,
  FIELDS,
  FUNDERS,
  INSTITUTIONS,
  PEOPLE,
  type PersonName,
  PLACES,
  TITLES,
} from "./words.ts";

export const YEAR_DAYS = 365;

export type Work = {
  /** Days before today on which it was published. */
  readonly daysAgo: number;
  /** Of {@link FIELDS}: its index and its community. */
  readonly field: number;
  readonly language: "en" | "ja";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly customFields: Readonly<Record<string, unknown>>;
  readonly doi: string;
  readonly subject: FileSubject;
  readonly files: readonly FileKind[];
  /** Who may have the files: everybody, people who are signed in, nobody; or everybody after an embargo of days. */
  readonly access: "open" | "login" | "closed" | { readonly embargoDays: number } | "restricted";
  /** How many versions follow the first. */
  readonly versions: number;
  /** Also in the community of its field. */
  readonly isInCommunity: boolean;
  /** How often it is visited on an average day. */
  readonly visits: number;
  readonly seed: number;
};

const KINDS = Object.keys(FILE_MAKERS).filter((kind): kind is FileKind => kind in FILE_MAKERS);
const RESOURCE_TYPES = shippedVocabulary("resourcetypes").filter(({ props }) =>
  /\bdepositable\b/.test(props.tags ?? ""),
);
const LICENCES = ["cc-by-4.0", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "cc-by-nc-4.0"];

/**
 * What names a person: an ISNI, which has the form of an ORCID iD, in a range of numbers that nobody gets (ORCID iDs
 * outside of ORCID's numbers are refused). Josiah Carberry, whom ORCID invented for such purposes, has an ORCID iD.
 */
export function identifierOf(person: number): { readonly scheme: "ISNI" | "ORCID"; readonly value: string } {
  if (person === CARBERRY) return { scheme: "ORCID", value: "0000-0002-1825-0097" };
  const digits = `99990000${String(1000 + person * 37).padStart(7, "0")}`;
  const sum = [...digits].reduce((total, digit) => (total + Number(digit)) * 2, 0);
  const check = (12 - (sum % 11)) % 11;
  return { scheme: "ISNI", value: `${digits}${check === 10 ? "X" : check}`.replace(/(.{4})(?=.)/g, "$1-") };
}

const doiOf = (work: number): string => `10.5555/arkstone.demo.${work + 1}`;

/** These many works, the oldest first. `isoDay` of some days ago. */
export function makeWorks(count: number, isoDay: (daysAgo: number) => string): readonly Work[] {
  const chance = chanceFrom(20_26);
  return Array.from({ length: count }, (_, at) => makeWork(at, count, chance, isoDay));
}

function makeWork(at: number, count: number, chance: Chance, isoDay: (daysAgo: number) => string): Work {
  const field = at % FIELDS.length;
  const { name, things, aspects, methods } = FIELDS[field] ?? chance.pick(FIELDS);
  const language = at % 5 < 2 ? "ja" : "en";
  const [aspect, thing, method] = [chance.pick(aspects), chance.pick(things), chance.pick(methods)];
  const place = chance.pick(PLACES);
  const title = chance.pick(TITLES)(aspect, thing, place, method);
  const abstract = abstractOf(aspect, thing, place, method, 3 + chance.below(20));
  const daysAgo = Math.floor(((count - at) * (YEAR_DAYS - 5)) / count);
  const type = RESOURCE_TYPES[at % RESOURCE_TYPES.length]?.id ?? "dataset";
  const other = language === "en" ? "ja" : "en";
  const code = { en: "eng", ja: "jpn" } as const;
  const metadata = {
    resource_type: { id: type },
    title: title[language],
    additional_titles: [{ title: title[other], type: { id: "translated-title" }, lang: { id: code[other] } }],
    publication_date: isoDay(daysAgo + chance.below(30)),
    publisher: chance.pick(INSTITUTIONS)[language],
    creators: creatorsOf(at, language, chance),
    description: abstract[language],
    additional_descriptions: [{ description: abstract[other], type: { id: "abstract" }, lang: { id: code[other] } }],
    subjects: [name[language], thing[language], method[language]].map((subject) => ({ subject })),
    languages: [{ id: code[language] }],
    rights: [{ id: chance.pick(LICENCES) }],
    related_identifiers: relationsOf(at, chance),
    ...(at % 4 === 0
      ? {
          funding: [
            {
              funder: { name: chance.pick(FUNDERS)[language] },
              award: { number: `DEMO-${100 + (at % 40)}`, title: { [language]: name[language] } },
            },
          ],
        }
      : {}),
    ...(at % 7 === 0
      ? { dates: [{ date: `${isoDay(daysAgo + 400)}/${isoDay(daysAgo + 40)}`, type: { id: "collected" } }] }
      : {}),
    ...(at % 9 === 0
      ? {
          locations: {
            features: [
              {
                place: place[language],
                geometry: { type: "Point", coordinates: [139 + (at % 10) / 10, 35 + (at % 7) / 10] },
              },
            ],
          },
        }
      : {}),
  };
  return {
    daysAgo,
    field,
    language,
    metadata,
    customFields: customFieldsOf(type, language, at),
    doi: doiOf(at),
    subject: { title, abstract, year: 2020 + (at % 5) },
    files: filesOf(at, chance),
    access: accessOf(at, chance),
    versions: at % 11 === 3 ? 1 + (at % 3) : 0,
    isInCommunity: at % 3 !== 2,
    visits: 0.1 + (chance.isOne(12) ? 3 * chance.next() : chance.next() * 0.6),
    seed: at + 1,
  };
}

function creatorsOf(at: number, language: "en" | "ja", chance: Chance) {
  // People of one field work together: they come from one part of the list.
  const first = (at % FIELDS.length) * 7;
  const group = Array.from({ length: 9 }, (_, step) => (first + step) % PEOPLE.length);
  return chance.several(group, 1 + chance.below(4)).map((person) => ({
    person_or_org: {
      type: "personal",
      ...nameOf(PEOPLE[person] ?? chance.pick(PEOPLE), language),
      identifiers: [identifierIn(person)],
    },
    affiliations: [{ name: INSTITUTIONS[person % INSTITUTIONS.length]?.[language] ?? "" }],
  }));
}

function identifierIn(person: number) {
  const { scheme, value } = identifierOf(person);
  return { scheme: scheme.toLowerCase(), identifier: value };
}

function nameOf(person: PersonName, language: "en" | "ja") {
  const { family, given } = person[language];
  return { family_name: family, given_name: given };
}

function relationsOf(at: number, chance: Chance) {
  if (at < 8 || at % 2 === 1) return [];
  const relation = chance.pick(["cites", "cites", "references", "issupplementto", "iscontinuedby", "isderivedfrom"]);
  const earlier = chance.several([at - 8, at - 1 - chance.below(7)], 1 + chance.below(2));
  return earlier.map((work) => ({ identifier: doiOf(work), scheme: "doi", relation_type: { id: relation } }));
}

function customFieldsOf(type: string, language: "en" | "ja", at: number): Readonly<Record<string, unknown>> {
  if (type === "publication-article") {
    const title = { en: "Journal of Slow Observation", ja: "緩観測学会誌" }[language];
    return {
      "journal:journal": {
        title,
        volume: String(1 + (at % 12)),
        issue: String(1 + (at % 4)),
        pages: `${at + 1}-${at + 14}`,
      },
    };
  }
  if (type === "publication-thesis" || type === "publication-dissertation") {
    return { "thesis:thesis": { university: INSTITUTIONS[0]?.[language] ?? "" } };
  }
  if (/conference|poster|presentation/.test(type)) {
    return {
      "meeting:meeting": {
        title: { en: "Meeting on Patient Methods", ja: "忍耐的方法研究会" }[language],
        place: PLACES[at % PLACES.length]?.[language] ?? "",
      },
    };
  }
  return {};
}

/** Every kind is in many items, two items in twenty-five have all, one in ten has none. */
function filesOf(at: number, chance: Chance): readonly FileKind[] {
  if (at % 10 === 9) return [];
  // 0 is in Japanese, 13 in English.
  if (at % 25 === 0 || at % 25 === 13) return KINDS;
  return [...new Set([KINDS[at % KINDS.length] ?? "pdf", ...chance.several(KINDS, chance.below(2))])];
}

function accessOf(at: number, chance: Chance): Work["access"] {
  if (at % 14 === 5) return { embargoDays: 30 + chance.below(300) };
  if (at % 23 === 7) return "restricted";
  if (at % 17 === 4) return "closed";
  if (at % 19 === 6) return "login";
  return "open";
}
