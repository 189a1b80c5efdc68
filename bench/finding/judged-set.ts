// The judged set: 3,000 items and the queries that people would ask of them, generated from a seed, with a grade for
// each item that a query is about. Grades follow from how an item was generated, never from what an engine finds:
//   3  the item that is meant, or one that has all the query names, in its title, names or identifiers
//   2  an item about the same term that differs in the place or the aspect; a person as a contributor
//   1  an item about another term of the same topic, in the language of the query; a namesake
//   0  all others, also those that only mention the words in their descriptions

import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { numbersFrom } from "../../test/support/random-from.ts";
import {
  ASPECTS,
  JAPANESE_NAMES,
  JAPANESE_SPELLINGS,
  type Language,
  PLACES,
  SPELLINGS,
  TOPICS,
  WESTERN_NAMES,
} from "./vocabulary.ts";

const ITEMS = 3_000;

export type JudgedItem = { readonly id: number; readonly metadata: Metadata; readonly ark: string };
export type JudgedQuery = {
  readonly kind: string;
  readonly language: Language;
  readonly text: string;
  /** By item; what is not there is 0. */
  readonly grades: ReadonlyMap<number, number>;
};

type Name = {
  readonly family: string;
  readonly given: string;
  /** Places of both in the list of names. */
  readonly at: readonly [family: number, given: number];
  readonly isJapanese: boolean;
};
type Facts = {
  readonly id: number;
  readonly language: Language;
  readonly topic: number;
  readonly term: number;
  readonly aspect: number;
  readonly place: number;
  readonly title: string;
  readonly people: readonly Name[];
  readonly contributor: Name | null;
  readonly doi: string;
  readonly isbn: string;
  readonly report: string;
  readonly spelling: number;
};

type Random = () => number;
const below = (random: Random, count: number): number => Math.floor(random() * count);
function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[below(random, list.length)];
  if (one === undefined) throw new RangeError("Cannot pick from an empty list");
  return one;
}

const termOf = (language: Language, topic: number, term: number): string => TOPICS[topic]?.[language][term] ?? "";
const aspectOf = (language: Language, aspect: number): string => ASPECTS[aspect]?.[language][0] ?? "";
const placeOf = (language: Language, place: number): string => PLACES[place]?.[language][0] ?? "";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const TITLES: Readonly<Record<Language, readonly ((term: string, aspect: string, place: string) => string)[]>> = {
  en: [
    (term, aspect, place) => `${capital(aspect)} of ${term} in ${place}`,
    (term, aspect, place) => `${capital(term)} in ${place}: ${aspect}`,
    (term, aspect, place) => `On the ${aspect} of ${term}: evidence from ${place}`,
    (term, aspect, place) => `${capital(place)} and its ${term}. A study of ${aspect}`,
  ],
  ja: [
    (term, aspect, place) => `${place}における${term}の${aspect}`,
    (term, aspect, place) => `${term}の${aspect}に関する研究：${place}を例に`,
    (term, aspect, place) => `${place}の${term}とその${aspect}`,
  ],
  de: [
    (term, aspect, place) => `${term} in ${place}: ${aspect}`,
    (term, aspect, place) => `${capital(aspect)} und ${term}. Eine Untersuchung aus ${place}`,
  ],
  fr: [
    (term, aspect, place) => `${capital(term)} (${place}) : ${aspect}`,
    (term, aspect, place) => `${capital(aspect)} et ${term}. Étude de cas, ${place}`,
  ],
};

/** Sentences of descriptions; what the other item is about is mentioned in them as well. */
const SENTENCES: Readonly<Record<Language, readonly ((term: string, other: string, place: string) => string)[]>> = {
  en: [
    (term, other) => `This paper asks what is known of ${term}, and how it differs from ${other}.`,
    (term, _other, place) =>
      `The data were collected in ${place} over several years, and ${term} is described in detail.`,
    (_term, other, place) => `We compare our results with those on ${other} that have been published in ${place}.`,
    (term, other) => `It is shown that the study of ${term} can be of use to those who work on ${other}.`,
    (term) => `What are the causes and the consequences? The answer depends on ${term}.`,
    () =>
      "The results are discussed with respect to the methods that were used and to what is to be done in the future.",
  ],
  ja: [
    (term, other) => `本論文では${term}について検討し、${other}との違いを明らかにする。`,
    (term, _other, place) => `${place}で得られたデータに基づき、${term}の実態を報告する。`,
    (_term, other, place) => `${place}における${other}の先行研究と結果を比較した。`,
    () => "最後に、用いた方法と今後の課題について述べる。",
  ],
  de: [
    (term, other) => `Die Arbeit fragt, was über ${term} bekannt ist und wie es sich von ${other} unterscheidet.`,
    (term, _other, place) => `Die Daten wurden in ${place} erhoben, und ${term} wird ausführlich beschrieben.`,
    (_term, other, place) => `Wir vergleichen die Ergebnisse mit denen zu ${other} in ${place}.`,
  ],
  fr: [
    (term, other) => `Cet article examine ce que l'on sait de ${term} et ce qui le distingue de ${other}.`,
    (term, _other, place) => `Les données ont été recueillies (${place}) et ${term} est décrit en détail.`,
    (_term, other, place) => `Nous comparons nos résultats avec ceux sur ${other} (${place}).`,
  ],
};

/** Six people of each family name, with the given names of others. */
const peopleOf = (names: readonly (readonly [string, string])[], isJapanese: boolean): readonly Name[] =>
  names.flatMap(([family], one) =>
    [0, 1, 2, 3, 4, 5].map((step): Name => {
      const other = (one + step * 5) % names.length;
      return { family, given: names[other]?.[1] ?? "", at: [one, other], isJapanese };
    }),
  );
const PEOPLE: readonly Name[] = [
  ...peopleOf(WESTERN_NAMES, false),
  ...peopleOf(
    JAPANESE_NAMES.map(({ kanji }) => kanji),
    true,
  ),
];
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1988, 0, 1);

function factsOf(id: number): Facts & { readonly metadata: Metadata } {
  const random = numbersFrom(id * 7_919);
  const share = random();
  const language: Language = share < 0.45 ? "en" : share < 0.75 ? "ja" : share < 0.88 ? "de" : "fr";
  const [topic, term, aspect, place] = [TOPICS.length, 3, ASPECTS.length, PLACES.length].map((n) => below(random, n));
  const words = [termOf(language, topic ?? 0, term ?? 0), aspectOf(language, aspect ?? 0)] as const;
  const where = placeOf(language, place ?? 0);
  const titleOf = pick(random, TITLES[language]);
  const spellings = language === "ja" ? JAPANESE_SPELLINGS : SPELLINGS;
  // One item in six is about something that is written in several ways.
  const spelling = random() < 1 / 6 ? below(random, spellings.length) : -1;
  const title = spelling < 0 ? titleOf(...words, where) : titleOf(spellings[spelling]?.[0] ?? "", words[1], where);
  const own = PEOPLE.filter(({ isJapanese }) => isJapanese === (language === "ja"));
  const people = [...new Set(Array.from({ length: 1 + below(random, 3) }, () => pick(random, own)))];
  const contributor = random() < 0.25 ? pick(random, own) : null;
  const sentence = (): string => {
    const make = pick(random, SENTENCES[language]);
    const other = termOf(language, below(random, TOPICS.length), below(random, 3));
    const isOwn = spelling < 0 && random() < 0.8;
    return make(
      isOwn ? words[0] : termOf(language, topic ?? 0, below(random, 3)),
      other,
      placeOf(language, below(random, PLACES.length)),
    );
  };
  const description = Array.from({ length: 1 + below(random, 9) }, sentence).join(language === "ja" ? "" : " ");
  const digits = (count: number): string => Array.from({ length: count }, () => below(random, 10)).join("");
  const [doi, isbn, report] = [
    `10.5072/${pick(random, ["jrnl", "bull", "data"])}.${1990 + below(random, 36)}.${digits(5)}`,
    isbn13(`978${digits(9)}`),
    `${pick(random, ["TR", "WP", "RIMS", "NDL"])}-${1990 + below(random, 36)}-${digits(3)}`,
  ];
  const day = new Date(FIRST_DAY + below(random, 13_500) * DAY_MS).toISOString().slice(0, 10);
  const agent = (name: Name) => ({
    kind: "personal" as const,
    names: namesOf(name),
    alternatives: [],
    ids: [{ scheme: "ORCID", value: orcidOf(name) }],
    emails: [],
    affiliations: [],
  });
  const metadata: Metadata = {
    ...EMPTY_METADATA,
    type: { id: pick(random, ["publication-article", "publication-thesis", "dataset", "publication-book"]) },
    titles: [{ value: title, lang: language, kind: "main" }],
    creators: people.map(agent),
    contributors: contributor === null ? [] : [{ ...agent(contributor), role: "Editor" }],
    descriptions: [{ value: description, lang: language, kind: "Abstract", html: false }],
    subjects: [termOf(language, topic ?? 0, 0), words[1]].map((value) => ({ text: { value, lang: language } })),
    identifiers: [
      { scheme: "DOI", value: doi },
      ...(id % 3 === 0 ? [{ scheme: "ISBN", value: isbn }] : []),
      { scheme: "Local", value: report },
    ],
    languages: [{ en: "eng", ja: "jpn", de: "deu", fr: "fra" }[language]],
    publicationDate: day,
  };
  return {
    ...{ id, language, topic: topic ?? 0, term: term ?? 0, aspect: aspect ?? 0, place: place ?? 0, title },
    ...{ people, contributor, doi, isbn, report, spelling, metadata },
  };
}

function isbn13(first: string): string {
  const sum = [...first].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

function orcidOf(name: Name): string {
  const base = `0000000${name.isJapanese ? 2 : 1}${String(1_234_567 + PEOPLE.indexOf(name) * 977).padStart(7, "0")}`;
  let total = 0;
  for (const digit of base) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  const all = `${base}${check === 10 ? "X" : check}`;
  return all.replace(/(.{4})(?=.)/g, "$1-");
}

/** In kana and in Latin letters too. */
function writings({ at }: Name): {
  readonly kana: readonly [string, string];
  readonly latin: readonly [string, string];
} {
  const [family, given] = [JAPANESE_NAMES[at[0]], JAPANESE_NAMES[at[1]]];
  return {
    kana: [family?.kana[0] ?? "", given?.kana[1] ?? ""],
    latin: [family?.latin[0] ?? "", given?.latin[1] ?? ""],
  };
}

function namesOf(name: Name): Metadata["creators"][number]["names"] {
  const { family, given, isJapanese } = name;
  if (!isJapanese) return [{ family, given }];
  const { kana, latin } = writings(name);
  return [
    { family, given, lang: "ja" },
    { family: kana[0], given: kana[1], lang: "ja-Kana" },
    { family: latin[0], given: latin[1], lang: "ja-Latn" },
  ];
}

const arkOf = (id: number): string => `99999/fk4${id.toString(36).padStart(4, "x")}`;

// --- queries

type World = { readonly all: readonly Facts[]; readonly random: Random };
const QUESTIONS: Readonly<Record<Language, readonly ((term: string, aspect: string, place: string) => string)[]>> = {
  en: [
    (term, aspect, place) => `What are the ${aspect} of ${term} in ${place}?`,
    (term, aspect, place) => `How does ${aspect} relate to ${term} around ${place}?`,
    (term, aspect, place) => `is there anything about ${aspect} and ${term} from ${place}`,
    (term, aspect) => `which studies look at ${term} with a focus on ${aspect}`,
  ],
  ja: [
    (term, aspect, place) => `${place}における${term}の${aspect}はどうなっているか`,
    (term, aspect) => `${term}の${aspect}について知りたい`,
    (term, aspect, place) => `${place} ${term} ${aspect} とは何ですか`,
  ],
  de: [
    (term, aspect, place) => `Was weiß man über ${term} und ${aspect} in ${place}?`,
    (term, aspect) => `Welche Arbeiten gibt es zu ${aspect} und ${term}?`,
  ],
  fr: [
    (term, aspect, place) => `Que sait-on de ${term} et de ${aspect} en ${place} ?`,
    (term, aspect) => `Quels travaux portent sur ${term} et ${aspect} ?`,
  ],
};

/** Grades of what a query names: a term, and maybe an aspect and a place. */
function gradesOf(
  { all }: World,
  meant: Facts,
  names: { readonly aspect: boolean; readonly place: boolean },
): ReadonlyMap<number, number> {
  const grades = new Map<number, number>();
  for (const item of all) {
    if (item.language !== meant.language || item.topic !== meant.topic || item.spelling >= 0) continue;
    const hasAll =
      item.term === meant.term &&
      (!names.aspect || item.aspect === meant.aspect) &&
      (!names.place || item.place === meant.place);
    grades.set(item.id, hasAll ? 3 : item.term === meant.term ? 2 : 1);
  }
  return grades;
}

const plain = (items: readonly Facts[]): readonly Facts[] => items.filter(({ spelling }) => spelling < 0);

function withTypo(random: Random, text: string): string {
  const words = text.split(" ");
  const long = words.flatMap((word, at) => (word.length >= 6 && /^\p{Script=Latin}+$/u.test(word) ? [at] : []));
  if (long.length === 0) return text;
  const at = pick(random, long);
  const word = words[at] ?? "";
  const place = 1 + below(random, word.length - 2);
  const letter = pick(random, [..."aeinrstlo"]);
  const wrong = [
    word.slice(0, place) + (word[place + 1] ?? "") + (word[place] ?? "") + word.slice(place + 2),
    word.slice(0, place) + word.slice(place + 1),
    word.slice(0, place) + letter + word.slice(place),
    word.slice(0, place) + letter + word.slice(place + 1),
  ][below(random, 4)];
  words[at] = wrong ?? word;
  return words.join(" ");
}

function about(world: World, kind: string, count: number, write: (item: Facts, random: Random) => JudgedQuery | null) {
  const queries: JudgedQuery[] = [];
  for (let tries = 0; queries.length < count && tries < count * 50; tries += 1) {
    const made = write(pick(world.random, world.all), world.random);
    if (made !== null && made.text.trim() !== "") queries.push({ ...made, kind });
  }
  return queries;
}

const one = (item: Facts, text: string, grades: ReadonlyMap<number, number>): JudgedQuery => ({
  kind: "",
  language: item.language,
  text,
  grades,
});

/** The item itself is meant; others that have all of it too count as much. */
function titleQueries(world: World): readonly JudgedQuery[] {
  return about(world, "title words", 60, (item, random) => {
    if (item.spelling >= 0) return null;
    const { language, topic, term, aspect, place } = item;
    const parts = [termOf(language, topic, term), aspectOf(language, aspect), placeOf(language, place)];
    const text = random() < 0.3 ? item.title : parts.sort(() => random() - 0.5).join(" ");
    return one(item, text, gradesOf(world, item, { aspect: true, place: true }));
  });
}

function twoWordQueries(world: World): readonly JudgedQuery[] {
  return about(world, "term and place", 50, (item) => {
    if (item.spelling >= 0) return null;
    const { language, topic, term, place } = item;
    const text = `${termOf(language, topic, term)} ${placeOf(language, place)}`;
    return one(item, text, gradesOf(world, item, { aspect: false, place: true }));
  });
}

function questionQueries(world: World): readonly JudgedQuery[] {
  return about(world, "question", 70, (item, random) => {
    if (item.spelling >= 0) return null;
    const { language, topic, term, aspect, place } = item;
    const write = pick(random, QUESTIONS[language]);
    const [a, p] = [aspectOf(language, aspect), placeOf(language, place)];
    const text = write(termOf(language, topic, term), a, p);
    return one(item, text, gradesOf(world, item, { aspect: text.includes(a), place: text.includes(p) }));
  });
}

function subjectQueries(world: World): readonly JudgedQuery[] {
  return about(world, "subject", 40, (item) => {
    if (item.spelling >= 0) return null;
    const text = termOf(item.language, item.topic, 0);
    return one(item, text, gradesOf(world, { ...item, term: 0 }, { aspect: false, place: false }));
  });
}

function typoQueries(world: World): readonly JudgedQuery[] {
  return about(world, "typing error", 50, (item, random) => {
    if (item.spelling >= 0 || item.language === "ja") return null;
    const { language, topic, term, aspect, place } = item;
    const text = `${termOf(language, topic, term)} ${aspectOf(language, aspect)} ${placeOf(language, place)}`;
    const wrong = withTypo(random, text);
    return wrong === text ? null : one(item, wrong, gradesOf(world, item, { aspect: true, place: true }));
  });
}

function spellingQueries(world: World, isJapanese: boolean): readonly JudgedQuery[] {
  const list = isJapanese ? JAPANESE_SPELLINGS : SPELLINGS;
  return list.flatMap(([, typed], spelling) => {
    const meant = world.all.filter((item) => item.spelling === spelling && (item.language === "ja") === isJapanese);
    const [first] = meant;
    if (first === undefined) return [];
    const kind = isJapanese ? "Japanese variant" : "spelling variant";
    return [{ ...one(first, typed, new Map(meant.map(({ id }) => [id, 3]))), kind }];
  });
}

function personQueries(world: World): readonly JudgedQuery[] {
  return PEOPLE.filter((_, at) => at % 7 === 0).flatMap((name, at) => {
    const grades = new Map<number, number>();
    let first: Facts | null = null;
    for (const item of world.all) {
      const isNamesake = item.people.some(({ family }) => family === name.family);
      if (item.people.includes(name)) grades.set(item.id, 3);
      else if (item.contributor === name) grades.set(item.id, 2);
      else if (isNamesake) grades.set(item.id, 1);
      if (grades.get(item.id) === 3) first ??= item;
    }
    if (first === null) return [];
    const query = { ...one(first, personText(name, at), grades), kind: name.isJapanese ? "Japanese person" : "person" };
    return [query];
  });
}

function personText(name: Name, at: number): string {
  const { family, given, isJapanese } = name;
  if (isJapanese) {
    const { kana, latin } = writings(name);
    const variant = JAPANESE_NAMES[name.at[0]]?.variant ?? family;
    const ways = [
      `${family}${given}`,
      `${variant}${given}`,
      `${variant} ${given}`,
      `${kana[0]} ${kana[1]}`,
      `${latin[1]} ${latin[0]}`,
    ];
    return ways[at % ways.length] ?? "";
  }
  const ways = [
    `${given} ${family}`,
    `${family}, ${given}`,
    `${given.charAt(0)}. ${family}`,
    folded(`${family} ${given}`),
  ];
  return ways[at % ways.length] ?? "";
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function identifierQueries(world: World): readonly JudgedQuery[] {
  return about(world, "identifier", 60, (item, random) => {
    const { id, doi, isbn, report } = item;
    const ark = arkOf(id);
    const ways = [
      ...[doi, `https://doi.org/${doi}`, `doi:${doi}`, `DOI: ${doi.toUpperCase()}`],
      ...[`ark:/${ark}`, `ark:${ark}`, `https://n2t.net/ark:/${ark}`, `ark:/${ark.slice(0, -2)}-${ark.slice(-2)}`],
      ...[report, report.replaceAll("-", " "), report.replaceAll("-", "").toLowerCase()],
      ...(id % 3 === 0
        ? [
            isbn,
            `ISBN ${isbn.slice(0, 3)}-${isbn.slice(3, 4)}-${isbn.slice(4, 8)}-${isbn.slice(8, 12)}-${isbn.slice(12)}`,
          ]
        : []),
    ];
    return one(item, pick(random, ways), new Map([[id, 3]]));
  });
}

function orcidQueries(world: World): readonly JudgedQuery[] {
  return PEOPLE.filter((_, at) => at % 40 === 0).flatMap((name, at) => {
    const meant = world.all.filter(({ people }) => people.includes(name));
    const [first] = meant;
    if (first === undefined) return [];
    const orcid = orcidOf(name);
    const text = [orcid, `https://orcid.org/${orcid}`, orcid.replaceAll("-", "")][at % 3] ?? orcid;
    return [{ ...one(first, text, new Map(meant.map(({ id }) => [id, 3]))), kind: "identifier" }];
  });
}

function personAndTermQueries(world: World): readonly JudgedQuery[] {
  return about(world, "person and term", 40, (item) => {
    const [name] = item.people;
    if (item.spelling >= 0 || name === undefined) return null;
    const grades = new Map<number, number>();
    for (const other of plain(world.all)) {
      const isAbout = other.language === item.language && other.topic === item.topic && other.term === item.term;
      const isOf = other.people.includes(name);
      if (isAbout && isOf) grades.set(other.id, 3);
      else if (isOf && other.topic === item.topic) grades.set(other.id, 1);
    }
    return one(item, `${name.family} ${termOf(item.language, item.topic, item.term)}`, grades);
  });
}

export function judgedSet(): { readonly items: readonly JudgedItem[]; readonly queries: readonly JudgedQuery[] } {
  const made = Array.from({ length: ITEMS }, (_, at) => factsOf(at + 1));
  const world: World = { all: made, random: numbersFrom(20_261_123) };
  const queries = [
    ...titleQueries(world),
    ...twoWordQueries(world),
    ...questionQueries(world),
    ...subjectQueries(world),
    ...personQueries(world),
    ...personAndTermQueries(world),
    ...identifierQueries(world),
    ...orcidQueries(world),
    ...spellingQueries(world, false),
    ...typoQueries(world),
    ...spellingQueries(world, true),
  ];
  return { items: made.map(({ id, metadata }) => ({ id, metadata, ark: arkOf(id) })), queries };
}
