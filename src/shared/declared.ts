// A record whose members are each declared once: how one is sent, read and shown, what a new record has, how a table
// keeps it, and the option of the command line that sets it. Bodies, answers, descriptions, rows and options are put
// together from such a table.
import type { Field } from "./fields.ts";

/** How a column keeps a value: 0 or 1, a number, text as it is, numbers joined by commas, or JSON. Null stays null. */
export type ColumnKind = "flag" | "number" | "text" | "numbers" | "json";

/** `--option VALUE`. */
export type CommandOption = {
  readonly option: string;
  readonly value: string;
  readonly help: string;
  /** All that may be typed, and what is sent for it. Flags are yes or no. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** `none` is sent as null. */
  readonly none?: true;
};

export type DeclaredField<T> = {
  readonly field: Field<T>;
  readonly kept: ColumnKind;
  /** What a new record has; absent where it must be sent. */
  readonly start?: T;
  /** The name it is sent under and its column has, where that is not the program's in snake case. */
  readonly sent?: string;
  /** As answers show it; absent: as it is. */
  show?(value: T): unknown;
  readonly typed?: CommandOption;
};
export type Declaration = { readonly [name: string]: DeclaredField<unknown> };
export type ValuesOf<D extends Declaration> = {
  readonly [Name in keyof D]: D[Name] extends { readonly field: Field<infer T> } ? T : never;
};
type Loose = Readonly<Record<string, unknown>>;

/** `indexName` is sent as `index_name`. */
export function sentName(name: string, { sent }: Pick<DeclaredField<unknown>, "sent"> = {}): string {
  return sent ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields by the names they are sent under. */
export function fieldsOf(declaration: Declaration): { readonly [name: string]: Field<unknown> } {
  return Object.fromEntries(Object.entries(declaration).map(([name, each]) => [sentName(name, each), each.field]));
}

/** What `fieldsOf` has read, by the names of the program: as many members as were read. */
export function valuesFrom<D extends Declaration>(declaration: D, read: Loose): Partial<ValuesOf<D>> {
  const known = Object.entries(declaration).filter(([name, each]) => Object.hasOwn(read, sentName(name, each)));
  // Each member has the value its own field read.
  return Object.fromEntries(known.map(([name, each]) => [name, read[sentName(name, each)]])) as Partial<ValuesOf<D>>;
}

/** The members as answers show them. */
export function shownFrom(declaration: Declaration, values: Loose): Loose {
  return Object.fromEntries(
    Object.entries(declaration).map(([name, each]) => {
      const value = values[name];
      return [sentName(name, each), each.show === undefined ? value : each.show(value)];
    }),
  );
}

type StartOf<D extends Declaration> = {
  readonly [Name in keyof D as D[Name] extends { readonly start: unknown } ? Name : never]: ValuesOf<D>[Name];
};

/** What a new record has where nothing is sent. */
export function startOf<D extends Declaration>(declaration: D): StartOf<D> {
  const begun = Object.entries(declaration).filter(([, { start }]) => start !== undefined);
  // Each member begins with the default of its declaration.
  return Object.fromEntries(begun.map(([name, { start }]) => [name, start])) as StartOf<D>;
}
