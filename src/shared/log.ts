// The log of the program. One event is one line; secrets never belong into a field.
export type LogFields = { readonly [name: string]: unknown };

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
