// Fields of a MARC 21 record (MARC21slim 1.2): none without a subfield, none of control characters, tags in their
// order.
import type { XmlElement } from "../../shared/xml/element.ts";
import { trimmedText } from "../export-values.ts";

export const MARC_NAMESPACE = "http://www.loc.gov/MARC21/slim";
export const MARC_SCHEMA = "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd";

type Subfields = readonly (readonly [code: string, value: string | null | undefined])[];
export type DataField = {
  readonly tag: string;
  readonly indicators: string;
  readonly subfields: readonly (readonly [code: string, value: string])[];
};

/** The text of a subfield, on one line: white space and controls become blanks. */
export const line = (text: string | null | undefined): string =>
  trimmedText(text ?? undefined)
    .replace(/[\s\u007F-\u009F]+/g, " ")
    .trim();

/**
 * A field with its non-empty subfields; nothing where all are empty. `indicators`: two characters, which may be blanks.
 */
export function field(tag: string, indicators: string, subfields: Subfields): readonly DataField[] {
  const written = subfields
    .map(([code, value]): readonly [string, string] => [code, line(value)])
    .filter(([, value]) => value !== "");
  return written.length === 0 ? [] : [{ tag, indicators, subfields: written }];
}

/** Subfields with one code, a value each. */
export const each = (code: string, values: readonly (string | null | undefined)[]): Subfields =>
  values.map((value) => [code, value] as const);

const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly (XmlElement | string)[],
): XmlElement => ({
  namespace: MARC_NAMESPACE,
  name,
  attributes: Object.entries(attributes).map(([key, value]) => ({ namespace: "", name: key, value })),
  children,
});

export type MarcRecord = {
  readonly leader: string;
  readonly control: readonly (readonly [tag: string, value: string])[];
  readonly data: readonly DataField[];
};

export function recordElement({ leader, control, data }: MarcRecord): XmlElement {
  return element("record", {}, [
    element("leader", {}, [leader]),
    ...control.map(([tag, value]) => element("controlfield", { tag }, [value])),
    // Fields with one tag stay in their order.
    ...data
      .toSorted((a, b) => (a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : 0))
      .map(({ tag, indicators, subfields }) =>
        element(
          "datafield",
          { tag, ind1: indicators[0] ?? " ", ind2: indicators[1] ?? " " },
          subfields.map(([code, value]) => element("subfield", { code }, [value])),
        ),
      ),
  ]);
}
