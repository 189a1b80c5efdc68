// What publication does not refuse, and what depositors and reviewers may want to know before it (R44). Pure.
import type { ItemContent } from "./item.ts";

type Words = { readonly en: string; readonly ja: string };

const WARNINGS: readonly { readonly isSo: (content: ItemContent) => boolean; readonly words: Words }[] = [
  {
    isSo: ({ files, metadata }) => files.length > 0 && metadata.rights.length === 0,
    words: {
      en: "No licence is stated: nobody knows what they may do with the files",
      ja: "ライセンスが記載されていません。ファイルの利用条件がわかりません",
    },
  },
  {
    isSo: ({ metadata }) => metadata.descriptions.length === 0,
    words: { en: "There is no description", ja: "内容の説明がありません" },
  },
  {
    isSo: ({ metadata }) => metadata.creators.length > 0 && metadata.creators.every(({ ids }) => ids.length === 0),
    words: { en: "No creator has an identifier, such as an ORCID iD", ja: "作成者にORCID iDなどの識別子がありません" },
  },
];

export const draftWarnings = (content: ItemContent): readonly Words[] =>
  WARNINGS.filter(({ isSo }) => isSo(content)).map(({ words }) => words);
