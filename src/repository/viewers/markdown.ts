// Markdown as a document (Q.85); its links to other files of the item lead to them.
import { type Block, parseMarkdown } from "../../formats/markdown/markdown.ts";
import { decodeText, looksLikeText } from "../../formats/text/plain.ts";
import { writtenName } from "../../model/files/file-names.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown } from "./reading.ts";

/** `files`: where links to other files lead, by the path that they name from the document. */
export type MarkdownContent = { readonly blocks: readonly Block[]; readonly files: ReadonlyMap<string, string> };

/** A link or a picture whose address is a path. */
const RELATIVE = /\]\((?![a-z]+:|#)|^ {0,3}\[[^\]\n]{1,200}\]: {0,9}(?![a-z]+:|#)/im;

export async function viewMarkdown({ file, head, whole, siblings }: FileReader): Promise<MarkdownContent> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const text = decodeText(await whole("markdown"));
  const blocks = await inTurns(parseMarkdown(text));
  if (blocks === null) throw new NotShown("too-complex");
  const files = new Map<string, string>();
  if (!RELATIVE.test(text)) return { blocks, files };
  const folder = folderOf(writtenName(file.name));
  for (const each of await siblings()) {
    files.set(relativePath(folder, writtenName(each.file.name).split("/")), each.view ?? each.path);
  }
  return { blocks, files };
}

const folderOf = (name: string): readonly string[] => name.split("/").slice(0, -1);

/** A path from a folder: `../b/c.csv`. */
function relativePath(folder: readonly string[], path: readonly string[]): string {
  let shared = 0;
  while (shared < folder.length && shared < path.length - 1 && folder[shared] === path[shared]) shared += 1;
  return [...folder.slice(shared).map(() => ".."), ...path.slice(shared)].join("/");
}
