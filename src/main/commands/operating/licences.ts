// `arkstone licences`: the licences of everything in this program, as their terms ask.
import { type Command, command } from "../command.ts";
import { CommandRefusal } from "../refusals.ts";

const licences = command({
  name: "licences",
  summary: "Print the licences of this program and of everything in it",
  examples: ["arkstone licences", "arkstone licences > LICENCES.txt"],
  async run(context) {
    const { default: text } = await import("../../../assets/licences.txt", { with: { type: "text" } }).catch(() => {
      throw new CommandRefusal(
        "The licences are collected when the binary is built",
        "Run: bun src/main/release/licences.ts (from source each package has its licence in node_modules)",
      );
    });
    context.out(text);
  },
});

export const licenceCommands: readonly Command[] = [licences];
