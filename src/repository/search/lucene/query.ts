// The meaning of a query in Lucene's manner (R27; specification 3, search_records; reference 2.6), and how it is
// written. Pure: `printQuery` writes a text that is read as the same query again.

/** One end of a range; null: open. */
export type Bound = { readonly value: string | null; readonly included: boolean };

/** `*` any letters, `?` one letter, or letters that are meant as they are. */
export type PatternPart = { readonly kind: "many" | "one" } | { readonly kind: "letters"; readonly text: string };

export type LuceneQuery =
  | { readonly kind: "all" }
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "pattern"; readonly parts: readonly PatternPart[] }
  /** `slop`: how far apart its words may be; null: not at all. */
  | { readonly kind: "phrase"; readonly text: string; readonly slop: number | null }
  | { readonly kind: "regex"; readonly source: string }
  /** `edits`: letters that may differ; null: as many as suit the word. */
  | { readonly kind: "fuzzy"; readonly text: string; readonly edits: number | null }
  | { readonly kind: "range"; readonly from: Bound; readonly to: Bound }
  | { readonly kind: "exists"; readonly path: string }
  | { readonly kind: "field"; readonly path: string; readonly of: LuceneQuery }
  | { readonly kind: "boost"; readonly by: number; readonly of: LuceneQuery }
  | { readonly kind: "and"; readonly of: readonly LuceneQuery[] }
  | { readonly kind: "not"; readonly of: LuceneQuery }
  /** Where one must be there, those that should be are not asked for; else one of them must. */
  | { readonly kind: "group"; readonly clauses: readonly Clause[] };

export type Clause = { readonly occur: "must" | "should" | "not"; readonly of: LuceneQuery };

export const EXISTS = "_exists_";
/** With these before its colon a word is an address or an identifier, not a field. */
export const SCHEMES: ReadonlySet<string> = new Set(["http", "https", "ark", "doi", "hdl", "urn", "info", "mailto"]);

/** Characters that end a word or mean something in one, and those that mean something before one. */
const SPECIAL = /[\s(){}[\]^"~*?:\\]|^[+\-!/&|<>]/g;
const OPERATORS: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "TO"]);

function escaped(text: string): string {
  const written = text.replace(SPECIAL, (character) => `\\${character}`);
  return OPERATORS.has(text) ? `\\${written}` : written;
}
const quoted = (text: string): string => `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
const endOf = ({ value }: Bound): string => (value === null ? "*" : value === "*" ? '"*"' : quoted(value));

export function printQuery(query: LuceneQuery): string {
  switch (query.kind) {
    case "all":
      return "*";
    case "word":
      return escaped(query.text);
    case "pattern":
      return query.parts
        .map((part) =>
          part.kind === "letters" ? part.text.replace(SPECIAL, "\\$&") : part.kind === "many" ? "*" : "?",
        )
        .join("");
    case "phrase":
      return `${quoted(query.text)}${query.slop === null ? "" : `~${query.slop}`}`;
    case "regex":
      return `/${query.source}/`;
    case "fuzzy":
      return `${escaped(query.text)}~${query.edits ?? ""}`;
    case "range": {
      const { from, to } = query;
      return `${from.included ? "[" : "{"}${endOf(from)} TO ${endOf(to)}${to.included ? "]" : "}"}`;
    }
    case "exists":
      return `${EXISTS}:${escaped(query.path)}`;
    case "field":
      return `${fieldName(query.path)}:${operand(query.of)}`;
    case "boost":
      return `${operand(query.of)}^${query.by}`;
    case "and":
      return query.of.map((each) => (each.kind === "not" ? `NOT ${operand(each.of)}` : operand(each))).join(" AND ");
    case "not":
      return `NOT ${operand(query.of)}`;
    case "group":
      return query.clauses
        .map(({ occur, of }) => `${occur === "must" ? "+" : occur === "not" ? "-" : ""}${operand(of)}`)
        .join(" ");
  }
}

/** Behind a backslash the name of a scheme is that of a field. */
function fieldName(path: string): string {
  return SCHEMES.has(path.toLowerCase()) ? `\\${path}` : escaped(path);
}

/** Whatever has parts is in parentheses. */
function operand(query: LuceneQuery): string {
  const isSimple = !["and", "not", "group", "boost", "field"].includes(query.kind);
  return isSimple ? printQuery(query) : `(${printQuery(query)})`;
}
