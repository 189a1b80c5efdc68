// A form with one file, written in two pieces around the bytes, so that a file of any size is sent without being held (RFC 7578).

type FilePart = {
  /** 1 to 70 characters of `A-Za-z0-9-`, which no line of the file can begin with by chance: random. */
  readonly boundary: string;
  readonly field: string;
  /** Of printable ASCII without quotes and backslashes. */
  readonly fileName: string;
  readonly mediaType: string;
};

/** What precedes and follows the bytes of the file. @throws RangeError for a name or boundary that would break its line. */
export function fileForm({ boundary, field, fileName, mediaType }: FilePart): { head: Uint8Array; tail: Uint8Array } {
  if (!/^[A-Za-z0-9-]{1,70}$/.test(boundary))
    throw new RangeError(`Cannot use the boundary ${JSON.stringify(boundary)}`);
  if (!/^[ !#-[\]-~]+$/.test(fileName)) throw new RangeError(`Cannot send the file name ${JSON.stringify(fileName)}`);
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="${fileName}"`,
    `Content-Type: ${mediaType}`,
    "",
    "",
  ].join("\r\n");
  const encoder = new TextEncoder();
  return { head: encoder.encode(head), tail: encoder.encode(`\r\n--${boundary}--\r\n`) };
}
