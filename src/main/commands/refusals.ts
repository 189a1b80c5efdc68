// The two ways a command ends badly on purpose: it was typed wrong (2), or it was understood and refused (1).

/** The command line is wrong: exit code 2, and where to read how it is right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The command was understood and refused: exit code 1. `hint` is what to do next. */
export class CommandRefusal extends Error {
  override readonly name = "CommandRefusal";
  readonly lines: readonly string[];
  readonly hint: string;
  /** For programs that read the error as JSON. */
  readonly code: string;

  constructor(message: string, hint = "", lines: readonly string[] = [], code = "refused") {
    super(message);
    this.code = code;
    this.hint = hint;
    this.lines = lines;
  }
}
