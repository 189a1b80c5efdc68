// Comments on single fields as the form of a decision sends them (R44).
import { FIELD_PREFIX } from "../../../src/repository/pages/templates/field-comments.ts";

/** What was typed, by field. */
export const fieldsIn = (fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...fields].flatMap(([name, text]) =>
      name.startsWith(FIELD_PREFIX) && text.trim() !== "" ? [[name.slice(FIELD_PREFIX.length), text] as const] : [],
    ),
  );

/** The same as interfaces take it. `shown`: the text as it is stored. */
export const commentsIn = (typed: ReadonlyMap<string, string>, shown: (text: string) => string = (text) => text) =>
  [...typed].map(([field, text]) => ({ field, content: shown(text) }));
