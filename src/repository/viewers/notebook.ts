// Notebooks, page by page (Q.88).
import { decodeText, looksLikeText } from "../../formats/text/plain.ts";
import { type Notebook, notebookPage } from "../../formats/view/notebook.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown, type ViewRequest } from "./reading.ts";

export async function viewNotebook({ head, whole }: FileReader, { page }: ViewRequest): Promise<Notebook> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const text = decodeText(await whole("notebook"));
  await yieldToEventLoop();
  const found = await inTurns(notebookPage(text, page));
  if (typeof found === "string") throw new NotShown(found === "too-complex" ? "too-complex" : "wrong-content");
  return found;
}
