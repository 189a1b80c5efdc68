// Metadata groups of several members as lines a landing page shows (R3, R19a): journals, conferences, degrees, funding,
// places, catalogues.

import { identAddress, webAddress } from "../../formats/citation/cited-item.ts";
import type { Catalog, Conference, Container, Degree, Funding, Location, Text } from "../../model/metadata/metadata.ts";
import { inLanguage } from "../../model/metadata/reader-language.ts";
import { agentValue, orgText, type ShownDetail, type ShownValue } from "./row-values.ts";

const joined = (parts: readonly (string | undefined)[], between: string): string =>
  parts.filter((part) => part !== undefined && part !== "").join(between);

/** Wordings in one line, the reader's language first. */
const words = (texts: readonly Text[], tag: string): string =>
  inLanguage(texts, tag)
    .map(({ value }) => value)
    .join(" / ");

const detailOf = (text: string): readonly ShownDetail[] => (text === "" ? [] : [{ text }]);

export function containerValues(container: Container, tag: string): readonly ShownValue[] {
  const { titles, ids, volume = "", issue = "", pageStart, pageEnd, numPages, issued } = container;
  const [first, ...more] = inLanguage(titles, tag);
  const numbers = `${volume}${issue === "" ? "" : `(${issue})`}`;
  const place = joined(
    [numbers, joined([pageStart, pageEnd], "–"), numPages === undefined ? undefined : `${numPages} p.`, issued],
    ", ",
  );
  const named = ids.map(({ scheme, value }) => ({ text: `${scheme}: ${value}` }));
  if (first === undefined) {
    const text = joined([place, ...named.map((each) => each.text)], ", ");
    return text === "" ? [] : [{ text }];
  }
  const own: ShownValue = {
    text: joined([first.value, place], ", "),
    ...(first.lang === undefined ? {} : { lang: first.lang }),
  };
  return [
    {
      ...own,
      details: [...more.map(({ value, lang }) => ({ text: value, ...(lang === undefined ? {} : { lang }) })), ...named],
    },
  ];
}

export function conferenceValues(conference: Conference, tag: string): readonly ShownValue[] {
  const { names, sequence, sponsors, date, venues, places, country } = conference;
  const day = (year?: string, month?: string, of?: string): string => joined([year, month, of], "-");
  const when =
    date?.text ??
    joined(
      [day(date?.startYear, date?.startMonth, date?.startDay), day(date?.endYear, date?.endMonth, date?.endDay)],
      " – ",
    );
  const where = joined(
    [...inLanguage(venues, tag), ...inLanguage(places, tag)].map(({ value }) => value).concat(country ?? []),
    ", ",
  );
  const [first, ...more] = inLanguage(names, tag);
  const text = joined([first?.value, sequence], ", ") || when || where;
  const details = [
    ...more.map(({ value, lang }) => ({ text: value, ...(lang === undefined ? {} : { lang }) })),
    ...[when, where].filter((each) => each !== text).flatMap(detailOf),
    ...sponsors.map(({ value }) => ({ text: value })),
  ];
  return text === "" ? [] : [{ text, ...(first?.lang === undefined ? {} : { lang: first.lang }), details }];
}

export function degreeValues({ number, names, granted, grantors }: Degree, tag: string): readonly ShownValue[] {
  const text = joined([words(names, tag), number, granted], ", ");
  const details = grantors.map((org) => orgText(org, tag)).filter((each) => each.text !== "");
  const [first, ...more] = details;
  if (text !== "") return [{ text, details }];
  return first === undefined ? [] : [{ ...first, details: more }];
}

export function fundingValues({ funder, stream, award }: Funding, tag: string): readonly ShownValue[] {
  const named = orgText(funder, tag);
  const [title] = inLanguage(award?.titles ?? [], tag);
  const number = award?.number ?? "";
  const href = award?.uri === undefined ? null : webAddress(award.uri);
  const grant: readonly ShownDetail[] = number === "" ? [] : [{ text: number, ...(href === null ? {} : { href }) }];
  const details = [
    ...inLanguage(stream?.names ?? [], tag).map(({ value }) => ({ text: value })),
    ...grant,
    ...detailOf(title?.value ?? ""),
  ];
  const [first, ...more] = details;
  const [name] = funder.names;
  const filed = name === undefined ? {} : { filed: { kind: "funders" as const, value: name.value.trim() } };
  if (named.text !== "") return [{ ...named, ...filed, details }];
  return first === undefined ? [] : [{ ...first, details: more }];
}

export function locationValues({ point, box, places, ids, description }: Location, tag: string): readonly ShownValue[] {
  const details: ShownDetail[] = [
    ...(point === undefined ? [] : [{ text: `${point.latitude}, ${point.longitude}` }]),
    ...(box === undefined ? [] : [{ text: `${box.south}, ${box.west} – ${box.north}, ${box.east}` }]),
    ...ids.map((ident) => {
      const href = identAddress(ident);
      return { text: `${ident.scheme}: ${ident.value}`, ...(href === null ? {} : { href }) };
    }),
    ...detailOf(description?.value ?? ""),
  ];
  const text = words(places, tag);
  if (text !== "") return [{ text, details }];
  const [first, ...more] = details;
  return first === undefined ? [] : [{ ...first, details: more }];
}

export function catalogValues(
  { titles, contributors, ids, descriptions, files }: Catalog,
  tag: string,
): readonly ShownValue[] {
  const details: ShownDetail[] = [
    ...inLanguage(descriptions, tag)
      .filter(({ html }) => !html)
      .map(({ value }) => ({ text: value })),
    ...contributors
      .map((agent) => ({ text: agentValue(agent, "contributorsroles", tag).text }))
      .filter(({ text }) => text !== ""),
    ...ids.map((ident) => {
      const href = identAddress(ident);
      return { text: `${ident.scheme}: ${ident.value}`, ...(href === null ? {} : { href }) };
    }),
    ...files.map(({ uri, label }) => {
      const href = webAddress(uri);
      return { text: label ?? uri, ...(href === null ? {} : { href }) };
    }),
  ];
  const text = words(titles, tag);
  if (text !== "") return [{ text, details }];
  const [first, ...more] = details;
  return first === undefined ? [] : [{ ...first, details: more }];
}
