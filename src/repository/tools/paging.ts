// Arguments by their kind, and pages of lists (R10; reference 1.1), once they were held against what the tool takes.
import type { Arguments } from "./arguments.ts";
import { ToolRefusal } from "./outcome.ts";
import { WINDOW } from "./shapes.ts";

export const text = (args: Arguments, name: string): string => (typeof args[name] === "string" ? args[name] : "");
export const number = (args: Arguments, name: string): number => (typeof args[name] === "number" ? args[name] : 0);
export const isSet = (args: Arguments, name: string): boolean => args[name] === true;

/** The page of a list as results show it. @throws ToolRefusal beyond the window (R10). */
export function pageOf(args: Arguments): { readonly page: number; readonly size: number } {
  const [page, size] = [number(args, "page"), number(args, "size")];
  if (page * size <= WINDOW) return { page, size };
  throw new ToolRefusal(
    "invalid",
    "Invalid querystring parameters.",
    `page times size reaches to ${WINDOW}: narrow the query`,
  );
}

export const paged = (total: number, { page, size }: ReturnType<typeof pageOf>) => ({
  total,
  page,
  size,
  ...(page * size < total && (page + 1) * size <= WINDOW ? { next_page: page + 1 } : {}),
});
