// Identifiers in the forms in which people paste them (R27e): each table has the form of the metadata and those that
// lead to it, with the source of the forms.
import { describe, expect, test } from "bun:test";
import { identifierNames, identNames } from "../../../src/repository/search/words/identifiers.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const leadsTo = (pasted: string, scheme: string, value: string, uri?: string): boolean => {
  const names = identNames({ scheme, value, ...(uri === undefined ? {} : { uri }) });
  return identifierNames(pasted).some((name) => names.includes(name));
};

type Forms = Readonly<Record<string, readonly [scheme: string, value: string]>>;
const IDENTIFIERS: Forms = {
  DOI: ["DOI", "10.5072/ABC.2020(1)x"],
  "DOI as an address": ["DOI", "https://doi.org/10.5072/ABC.2020(1)x"],
  ARK: ["ARK", "ark:/99999/fk4abc12"],
  ISBN: ["ISBN", "978-4-00-310101-8"],
  "ISBN of ten digits": ["ISBN", "4003101014"],
  ISSN: ["PISSN", "0317-8471"],
  ORCID: ["ORCID", "0000-0002-1825-0097"],
  "ORCID as an address": ["ORCID", "https://orcid.org/0000-0002-1825-0097"],
  ROR: ["ROR", "https://ror.org/057zh3y96"],
  handle: ["HDL", "2115/71234"],
  "handle as an address": ["HDL", "http://hdl.handle.net/2115/71234"],
  address: ["URI", "https://www.example.org/reports/12/"],
  report: ["Local", "UCB/EECS-2020-12"],
  arXiv: ["arXiv", "arXiv:2101.00001"],
  award: ["", "JP18K00001"],
};

describe.each([
  [
    "DOI Handbook, 2.6 and display guidelines",
    ["DOI", "DOI as an address"],
    [
      ...["10.5072/abc.2020(1)x", "doi:10.5072/ABC.2020(1)x", "DOI: 10.5072/ABC.2020(1)X", "doi 10.5072/ABC.2020(1)x"],
      ...[
        "https://doi.org/10.5072/ABC.2020(1)x",
        "http://dx.doi.org/10.5072/abc.2020(1)x.",
        "doi.org/10.5072/abc.2020(1)x",
      ],
      ...[
        "https://doi.org/10.5072/ABC.2020(1)x?utm_source=mail",
        "https://doi.org/10.5072/abc.2020(1)x/#abstract",
        ...["info:doi/10.5072/ABC.2020(1)x", "urn:doi:10.5072/abc.2020(1)x"],
      ],
    ],
  ],
  [
    "ARK specification (draft-kunze-ark), 2.6 and 2.7",
    ["ARK"],
    [
      ...[
        "ark:/99999/fk4abc12",
        "ark:99999/fk4abc12",
        "99999/fk4abc12",
        "ark:/99999/fk4-abc-12",
        "https://n2t.net/ark:/99999/fk4abc12",
        "https://n2t.net/ark:/99999/fk4abc12?info",
      ],
      ...[
        "https://repository.example/ark:99999/fk4abc12",
        "https://repository.example/ark:99999/fk4abc12??",
        "<ark:/99999/fk4abc12>",
      ],
    ],
  ],
  [
    "ISO 2108 and the ISBN Users' Manual, 5 and 8",
    ["ISBN", "ISBN of ten digits"],
    [
      ...[
        "9784003101018",
        "978-4-00-310101-8",
        "978 4 00 310101 8",
        "ISBN 978-4-00-310101-8",
        "ISBN-13: 9784003101018",
      ],
      ...["4-00-310101-4", "4003101014", "ISBN 4-00-310101-4", "urn:isbn:9784003101018"],
    ],
  ],
  ["ISO 3297", ["ISSN"], ["0317-8471", "03178471", "ISSN 0317-8471", "eISSN: 0317-8471", "urn:issn:0317-8471"]],
  [
    "ORCID, structure of the identifier",
    ["ORCID", "ORCID as an address"],
    [
      ...["0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097", "orcid.org/0000-0002-1825-0097"],
      ...["0000000218250097", "ORCID: 0000-0002-1825-0097", "0000 0002 1825 0097"],
      ...["https://orcid.org/0000-0002-1825-0097/", "https://orcid.org/0000-0002-1825-0097?lang=en"],
    ],
  ],
  [
    "ROR, ROR identifier pattern",
    ["ROR"],
    ["https://ror.org/057zh3y96", "ror.org/057zh3y96", "057zh3y96", "ROR 057ZH3Y96"],
  ],
  [
    "RFC 3650 and 3651",
    ["handle", "handle as an address"],
    ["hdl:2115/71234", "https://hdl.handle.net/2115/71234", "2115/71234", "Handle: 2115/71234", "info:hdl/2115/71234"],
  ],
  ["RFC 3986, 6.2", ["address"], ["https://www.example.org/reports/12/", "http://example.org/reports/12"]],
  [
    "ISO 10444 and ANSI Z39.23, numbers of reports",
    ["report"],
    ["UCB/EECS-2020-12", "ucb eecs 2020 12", "UCB-EECS-2020-12"],
  ],
  ["arXiv, identifiers", ["arXiv"], ["arXiv:2101.00001", "2101.00001"]],
  ["KAKENHI, numbers of awards", ["award"], ["JP18K00001", "jp 18K00001"]],
] as const)("%s", (_source, kinds, pasted) => {
  test.each(pasted.flatMap((text) => kinds.map((kind) => [text, kind] as const)))(
    "R27e %s leads to the %s",
    (text, kind) => {
      const [scheme, value] = IDENTIFIERS[kind] ?? ["", ""];
      expect(leadsTo(text, scheme, value)).toBe(true);
      const others = Object.entries(IDENTIFIERS).filter(([other]) => !(kinds as readonly string[]).includes(other));
      expect(others.filter(([, [otherScheme, other]]) => leadsTo(text, otherScheme, other))).toEqual([]);
    },
  );
});

test.each(["climate change", "2017", "2010 2019 data of mice", "study", "図書館", "", "978-4-00-310101-9x"])(
  "R27e %s is not an identifier of any of them",
  (text) => {
    for (const [scheme, value] of Object.values(IDENTIFIERS)) expect(leadsTo(text, scheme, value)).toBe(false);
  },
);

test("R27e a wrong check digit is not an ISBN, ISSN", () => {
  expect(identifierNames("978-4-00-310101-9")).toEqual(["no:9784003101019"]);
  expect(identifierNames("0317-8472")).toEqual(["no:03178472"]);
});

test.each(["1", "-", "10.1234/", "isbn ", "a1", "(", " ."])(
  "R27e texts of many %p are read in linear time",
  async (unit) => {
    const text = unit.repeat(100_000);
    expect(await cpuMs(() => identNames({ scheme: "", value: text }))).toBeLessThan(500);
    expect(await cpuMs(() => identifierNames(text.slice(0, 300)))).toBeLessThan(50);
  },
);
