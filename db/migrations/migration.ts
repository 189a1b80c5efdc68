// What a migration is: apart from both the list of them and each of them, so that neither imports the other in a
// circle.
import type { Dialect } from "../engine/dialect.ts";

export type Migration = {
  readonly version: number;
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
};
