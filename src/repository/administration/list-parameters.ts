// Parameters of lists that grow (R9b): each once, none that is unknown, and pages of a bounded size.
import { type TSchema, Type } from "@sinclair/typebox";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { FaultList, FieldFault, quoted, unfit } from "../../shared/field-faults.ts";
import { manyOf } from "../../shared/shapes.ts";
import { nearest } from "../../shared/text/nearest-word.ts";
import { readInstant } from "../../shared/time/instant.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 500;
/** Characters of one parameter. */
const PARAMETER_MAX = 500;

/** A parameter as it is described and read. @throws FieldFault */
type Parameter<T> = {
  readonly description: string;
  readonly schema: TSchema;
  readonly read: (text: string, name: string) => T;
};
type ParameterValues<P> = { readonly [K in keyof P]?: P[K] extends Parameter<infer T> ? T : never };

/** The parameters of one list, with `limit` and `cursor`, which place `next` of a page names. */
export function listQuery<P extends Readonly<Record<string, Parameter<unknown>>>, Place>(
  parameters: P,
  placeOf: (cursor: string) => Place | null,
): QueryReader<{ readonly filter: ParameterValues<P>; readonly limit: number; readonly place: Place | null }> {
  const cursor: Parameter<Place> = {
    description: "`next` of the page before",
    schema: Type.String(),
    read(text, name) {
      const place = placeOf(text);
      if (place === null) throw unfit(name, text, 'must be "next" of the page before');
      return place;
    },
  };
  const limit = number(LIST_MAX, "Entries of one page at most", LIST_DEFAULT);
  const known = { ...parameters, limit, cursor };
  return {
    parameters: Object.entries(known).map(([name, { description, schema }]) => ({ name, description, schema })),
    read(sent) {
      const read = readParameters(known, sent);
      // Each value was read with the parameter of its name.
      const {
        limit: most = LIST_DEFAULT,
        cursor: place = null,
        ...filter
      } = read as {
        readonly limit?: number;
        readonly cursor?: Place;
      };
      return { filter: filter as ParameterValues<P>, limit: most, place };
    },
  };
}

/** @throws FieldFault for each parameter that is unknown, sent twice, empty, too long, or wrong in another way */
function readParameters(known: Readonly<Record<string, Parameter<unknown>>>, sent: URLSearchParams): object {
  const faults = new FaultList();
  const read = new Map<string, unknown>();
  for (const [name, value] of sent) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    faults.collect(() => {
      if (parameter === undefined) throw unknownParameter(name, Object.keys(known));
      if (read.has(name)) throw new FieldFault(name, "must be sent once");
      read.set(name, undefined);
      if (value === "" || value.length > PARAMETER_MAX || value.includes("\0") || !value.isWellFormed()) {
        throw unfit(name, value, `must be text of 1 to ${PARAMETER_MAX} characters`);
      }
      read.set(name, parameter.read(value, name));
    });
  }
  faults.end();
  return Object.fromEntries(read);
}

function unknownParameter(name: string, known: readonly string[]): FieldFault {
  const near = nearest(name, known);
  const hint = near === null ? `known are ${known.join(", ")}` : `did you mean ${near}?`;
  const reason = { kind: "unknown", name, known } as const;
  return new FieldFault(name.slice(0, PARAMETER_MAX), "", null, reason, `Unknown parameter ${quoted(name)}: ${hint}`);
}

export const text = (description: string): Parameter<string> => ({
  description,
  schema: Type.String(),
  read: (value) => value,
});

export function number(max: number, description: string, usual?: number): Parameter<number> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return {
    description,
    schema: Type.Integer({
      minimum: 1,
      ...(isOpen ? {} : { maximum: max }),
      ...(usual === undefined ? {} : { default: usual }),
    }),
    read(value, name) {
      if (/^[1-9]\d{0,15}$/.test(value) && Number(value) <= max) return Number(value);
      throw unfit(name, value, `must be a whole number ${isOpen ? "of 1 or more" : `from 1 to ${max}`}`);
    },
  };
}

export const choice = <const T extends string>(values: readonly T[], description: string): Parameter<T> => ({
  description,
  schema: Type.Unsafe<T>({ type: "string", enum: [...values] }),
  read(value, name) {
    const found = values.find((each) => each === value);
    if (found === undefined) throw unfit(name, value, `must be one of ${values.join(", ")}`);
    return found;
  },
});

export const moment = (description: string): Parameter<string> => ({
  description,
  schema: Type.String(),
  read(value, name) {
    const found = readInstant(value);
    if (found === null) throw unfit(name, value, "must be a day or a moment like 2026-01-31T12:00:00Z");
    return found;
  },
});

/** A page of a list; `next`: the cursor of the page after it. */
export const pageShape = <T extends TSchema>(item: T, name: string) =>
  Type.Object(
    {
      items: manyOf(item),
      next: Type.Union([Type.String(), Type.Null()], {
        description: "`cursor` of the next page; null: this is the last",
      }),
    },
    { $id: name },
  );
