// Scopes (A21): not hierarchical, and a token only ever narrows what its credential has registered.
import type { Scope } from "./caller.ts";

/** The parts of a scope text (RFC 6749 3.3), each once, in the order sent. */
export function scopeParts(text: string): readonly string[] {
  return [...new Set(text.split(" ").filter((part) => part !== ""))];
}

/** What is left of the registered scopes when a token carries `carried`; null: the token has no such claim, all of them. */
export function narrowed(registered: readonly Scope[], carried: readonly string[] | null): ReadonlySet<Scope> {
  return new Set(carried === null ? registered : registered.filter((scope) => carried.includes(scope)));
}

/** Of the scopes asked for, those the client has not registered. */
export function unregistered(registered: readonly string[], asked: readonly string[]): readonly string[] {
  return asked.filter((scope) => !registered.includes(scope));
}
