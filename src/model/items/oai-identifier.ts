// What a record is called towards harvesters and in feeds (R36): `oai:<host>:<id of the first version of the item, 8
// digits at least>`, so that a new version is a change of the same record.

const DIGITS = 8;
const SCHEME = "oai:";

/** `firstVersion`: the id of the first version of the item, whichever version is shown. */
export function oaiIdentifier(host: string, firstVersion: number): string {
  return `${SCHEME}${host}:${String(firstVersion).padStart(DIGITS, "0")}`;
}

/** Numbers of up to fifteen digits are exact, and far above every assigned one. */
const NUMBER = /^\d{8,15}$/;

/**
 * The id of the first version that an identifier of this repository names; null for every other text. One record has
 * one identifier, written in one way.
 */
export function readOaiIdentifier(host: string, text: string): number | null {
  const start = `${SCHEME}${host}:`;
  const written = text.slice(start.length);
  if (!text.startsWith(start) || !NUMBER.test(written)) return null;
  const firstVersion = Number(written);
  return oaiIdentifier(host, firstVersion) === text ? firstVersion : null;
}
