// What a format has no place for in a record (R38), a sentence for each member of the metadata that has a value.
import { annotationsOf, Metadata } from "../model/metadata/metadata.ts";

export type Member = keyof Metadata;

/** Members that do not describe the item. */
const SILENT: readonly Member[] = ["custom", "extra", "registration"];

const isMember = (name: string): name is Member => name in Metadata.properties;
const MEMBERS = Object.keys(Metadata.properties)
  .filter(isMember)
  .filter((name) => !SILENT.includes(name))
  .map((name) => ({ name, label: annotationsOf(Metadata.properties[name]).label?.en ?? name }));

function valueCount(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return value === undefined || value === null || value === "" ? 0 : 1;
}

/** `carried`: members that the format holds completely, or that its writer handles itself. */
export function leftOutBut(metadata: Metadata, carried: ReadonlySet<Member>): readonly string[] {
  return MEMBERS.filter(({ name }) => !carried.has(name)).flatMap(({ name, label }) => {
    const count = valueCount(metadata[name]);
    return count === 0 ? [] : [`${label}${count === 1 ? "" : ` (${count})`} left out: the format has no place for it`];
  });
}

/** A sentence on the values beyond the `kept` ones; nothing where none is left out. */
export function leftOutRest(label: string, count: number, kept: number): readonly string[] {
  return count > kept ? [`${label}: ${count - kept} of ${count} left out: the format has a place for ${kept}`] : [];
}
