// The page of a PDF (R49, Q.100): opens the frame, and hands to it the ranges of the file that it asks for. The frame is
// an opaque origin without cookies; what it may read is this one file, by the rights of the reader.

/** The most that one message may ask for, and how many are answered at once. */
const RANGE_MOST = 4 * 1024 * 1024;
const AT_ONCE = 4;

type Wanted = { readonly begin: number; readonly end: number };

function wantedOf(data: unknown, size: number): Wanted | null {
  if (typeof data !== "object" || data === null || !("begin" in data) || !("end" in data)) return null;
  const { begin, end } = data;
  if (!Number.isInteger(begin) || !Number.isInteger(end)) return null;
  const wanted = { begin: Number(begin), end: Math.min(Number(end), size) };
  return wanted.begin >= 0 && wanted.end > wanted.begin && wanted.end - wanted.begin <= RANGE_MOST ? wanted : null;
}

/** Null where it is not given, such as after the session ended. */
async function rangeOf(address: string, { begin, end }: Wanted): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(address, { headers: { range: `bytes=${begin}-${end - 1}` } });
    if (response.status !== 206) return null;
    const bytes = await response.arrayBuffer();
    return bytes.byteLength === end - begin ? bytes : null;
  } catch {
    return null;
  }
}

/** Answers what the frame asks for, in order of asking. */
function serve(port: MessagePort, address: string, size: number): void {
  const waiting: Wanted[] = [];
  let busy = 0;
  const next = async (): Promise<void> => {
    const wanted = busy < AT_ONCE ? waiting.shift() : undefined;
    if (wanted === undefined) return;
    busy += 1;
    const bytes = await rangeOf(address, wanted);
    busy -= 1;
    port.postMessage({ begin: wanted.begin, bytes }, bytes === null ? [] : [bytes]);
    void next();
  };
  port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const wanted = wantedOf(data, size);
    if (wanted === null) return;
    waiting.push(wanted);
    void next();
  });
  port.start();
}

function openFrame(place: HTMLElement): void {
  const { frame: source = "", bytes = "", size = "0", title = "" } = place.dataset;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.className = "pdf";
  frame.title = title;
  frame.src = source;
  // Once: another document in the frame gets nothing.
  frame.addEventListener(
    "load",
    () => {
      const { port1, port2 } = new MessageChannel();
      serve(port1, bytes, Number(size));
      // An opaque origin has no name.
      frame.contentWindow?.postMessage({ size: Number(size) }, "*", [port2]);
    },
    { once: true },
  );
  place.replaceChildren(frame);
}

for (const place of document.querySelectorAll<HTMLElement>("[data-pdf]")) openFrame(place);
