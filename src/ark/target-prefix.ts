// Where the targets of a server that moves begin (A15, `arkstone ark retarget`): a host or a path as a whole, never half a word.

/** What ends a host. */
const HOST_ENDS = "/?#";
/** What ends a segment, or a name or value of a query. */
const ENDS = "/?#&=";
const HOST_ALONE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*$/;

function endsOf(prefix: string): string {
  return HOST_ALONE.test(prefix) ? HOST_ENDS : ENDS;
}

function isClosed(prefix: string): boolean {
  return !HOST_ALONE.test(prefix) && ENDS.includes(prefix.slice(-1));
}

/** True when the target begins with the prefix and what follows is not the rest of the word the prefix ends with. */
export function isUnder(target: string, prefix: string): boolean {
  if (prefix === "" || !target.startsWith(prefix)) return false;
  return isClosed(prefix) || target.length === prefix.length || endsOf(prefix).includes(target.charAt(prefix.length));
}

/** What is wrong with moving targets from one prefix to another, or null: segments must neither be joined nor split. */
export function seamProblem(from: string, to: string): string | null {
  if (isClosed(from) !== isClosed(to))
    return `--from and --to must both end with one of ${[...ENDS].join(" ")}, or neither`;
  // What may follow a path, "=1", would become a part of a host.
  return HOST_ALONE.test(to) && !HOST_ALONE.test(from) && !isClosed(from)
    ? "--to is a host alone, --from is not: name a path"
    : null;
}
