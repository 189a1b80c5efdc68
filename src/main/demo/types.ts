// What the parts of the demonstration have in common: its accounts, and calls of the interfaces.
import type { DemoFile } from "./files.ts";
import type { Work } from "./works.ts";

export type DemoAccount = {
  readonly role: DemoRole;
  readonly id: number;
  readonly mail: string;
  readonly name: string;
};

export type DemoRole = (typeof ACCOUNTS)[number]["role"];

export const ACCOUNTS = [
  { role: "curator", name: "Nagisa Amagasumi", roles: [2] },
  { role: "owner", name: "Ottoline Larkwell", roles: [4] },
  { role: "reviewer", name: "Shin Hoshikawabe", roles: [3] },
  { role: "depositor", name: "Haruka Kazanagi", roles: [3] },
] as const;

export const mailOf = (role: string): string => `${role}@demo.example`;

export type Json = Readonly<Record<string, unknown>>;

export type Ask = (
  token: string | null,
  method: string,
  path: string,
  body?: Json | Uint8Array | FormData,
  headers?: Readonly<Record<string, string>>,
) => Promise<Json>;

export type People = {
  readonly admin: string;
  readonly tokens: Readonly<Record<DemoRole, string>>;
  readonly accounts: readonly DemoAccount[];
};

/** A record that is there, as visits need it. */
export type Published = {
  readonly id: number;
  readonly parentId: number;
  readonly work: Work;
  readonly files: readonly DemoFile[];
};
