// Writing HTML from untrusted text: everything interpolated is escaped unless it was made here.

/** Markup that is known to be safe, because only `html` and `raw` make it. */
export type Html = { readonly markup: string };

type Part = string | number | Html | null | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/** Markup as it is. Only for constants of this folder. */
export function raw(markup: string): Html {
  return { markup };
}

export const NOTHING: Html = { markup: "" };

function print(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  if ("markup" in part) return part.markup;
  return part.map((each) => each.markup).join("");
}

/** A template whose values are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((text, string, index) => text + print(parts[index - 1] ?? null) + string) };
}

/** One of our texts with the pieces one types (`?info`, `ark:`) set apart, so that no line breaks within them. */
export function withCodes(text: string): Html {
  return raw(escapeHtml(text).replace(/\?(?:info|json)|ark:/g, "<code>$&</code>"));
}

/** A stored value: a link where it is a web address, otherwise text. */
export function linked(value: string): Html {
  return /^https?:\/\/[^\s"<>]+$/i.test(value)
    ? html`<a href="${value}" rel="nofollow noopener">${value}</a>`
    : html`${value}`;
}

/** JSON for a data block: it cannot end the block that contains it. */
export function jsonBlock(value: unknown): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return raw(`<script type="application/ld+json">${text}</script>`);
}

/** Attributes of an element: those that are null, undefined or false are left out, true has no value. */
export function attributes(values: Readonly<Record<string, string | number | boolean | null | undefined>>): Html {
  const written = Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return raw(written.join(""));
}
