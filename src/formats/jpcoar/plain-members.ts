// Plain members of the metadata as JPCOAR elements and back: the schema of the metadata names the element, that of
// JPCOAR its place (R3, R13a).
import type { Metadata } from "../../model/metadata/metadata.ts";
import { PLAIN_MEMBERS, type PlainKind, type PlainMember, plainTexts } from "../../model/metadata/metadata-schema.ts";
import type { XmlElement } from "../../shared/xml/element.ts";
import { type Notes, textElement, textElements } from "./elements.ts";
import { type Node, one, texts, token, tokens, words } from "./nodes.ts";
import { ROOT_ORDER } from "./schema.ts";

/** Members that write.ts writes by itself. */
const BY_HAND: readonly string[] = ["apc", "copyright", "languages", "publicationDate"];

const BY_RULE = PLAIN_MEMBERS.filter(({ name }) => !BY_HAND.includes(name));
const MEMBERS = BY_RULE.flatMap((member) => {
  const [element, ...more] = member.annotations.jpcoar ?? [];
  return element !== undefined && more.length === 0 && ROOT_ORDER.has(element) ? [{ member, element }] : [];
});
const WITHOUT_PLACE = BY_RULE.filter((each) => !MEMBERS.some(({ member }) => member === each));

const READERS: Readonly<Record<PlainKind, (record: Node, element: string) => unknown>> = {
  texts,
  codes: tokens,
  word: (record, element) => words(one(record, element)) || undefined,
  flag(record, element) {
    const word = token(one(record, element)).toLowerCase();
    return word === "true" || word === "false" ? word === "true" : undefined;
  },
};

/** The plain members a record has. */
export function readPlainMembers(record: Node): Partial<Metadata> {
  const read = MEMBERS.map(({ member, element }) => [member.name, READERS[member.kind](record, element)] as const);
  // Each was read as its own kind.
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Partial<Metadata>;
}

export function writePlainMembers(metadata: Metadata, notes: Notes): readonly XmlElement[] {
  for (const member of WITHOUT_PLACE) {
    const { label } = member.annotations;
    if (plainTexts(metadata, member).length > 0) {
      notes.add(`JPCOAR 2.0 has no place for the member "${label?.en ?? member.name}"`);
    }
  }
  return MEMBERS.flatMap(({ member, element }) => {
    const texts = printedTexts(metadata, member);
    if (member.kind === "codes") return texts.map((text) => textElement(element, text, notes));
    return textElements(element, texts, notes);
  });
}

function printedTexts(metadata: Metadata, member: PlainMember) {
  const texts = plainTexts(metadata, member);
  return member.kind === "flag" ? texts.map(({ value }) => ({ value: value === "true" ? "True" : "False" })) : texts;
}
