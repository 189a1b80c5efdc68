// `arkstone completion SHELL`: a script with which bash, zsh or fish completes commands and options, generated from the
// table of commands.
import { type Command, command } from "./command.ts";
import { UsageError } from "./refusals.ts";

const SHELLS = { bash, zsh, fish } as const;
type Shell = keyof typeof SHELLS;
const isShell = (text: string): text is Shell => Object.hasOwn(SHELLS, text);

export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: "completion",
    summary: "Print a script that completes commands and options in bash, zsh or fish",
    words: ["SHELL"],
    details: `
SHELL is bash, zsh or fish. Put the line of your shell from the examples into ~/.bashrc or ~/.zshrc; fish reads the file by itself. Generate the
script again after an upgrade.`,
    examples: [
      'eval "$(arkstone completion bash)"',
      'eval "$(arkstone completion zsh)"',
      "arkstone completion fish > ~/.config/fish/completions/arkstone.fish",
    ],
    async run(context, _, [shell = ""]) {
      if (!isShell(shell)) {
        throw new UsageError(`SHELL must be bash, zsh or fish, not "${shell}"`, 'See "arkstone completion --help"');
      }
      context.out(SHELLS[shell](nodesOf(commands())));
    },
  });

/** A place on the command line: the words before it, and what may follow. */
type Node = {
  readonly path: string;
  readonly next: readonly { readonly word: string; readonly summary: string }[];
  /** Null for a group that is not a command itself. */
  readonly command: Command | null;
};

function nodesOf(commands: readonly Command[]): readonly Node[] {
  const nodes = new Map<string, { word: string; summary: string }[]>([["", []]]);
  for (const { name, summary } of commands) {
    const words = name.split(" ");
    words.forEach((word, at) => {
      const isLast = at === words.length - 1;
      const above = nodes.get(words.slice(0, at).join(" "));
      const known = above?.find((each) => each.word === word);
      if (known === undefined) above?.push({ word, summary: isLast ? summary : "" });
      else if (isLast) known.summary = summary;
      const path = words.slice(0, at + 1).join(" ");
      if (!nodes.has(path)) nodes.set(path, []);
    });
  }
  return [...nodes].map(([path, next]) => ({
    path,
    next,
    command: commands.find(({ name }) => name === path) ?? null,
  }));
}

const optionsOf = (found: Command | null): readonly (readonly [name: string, help: string, takesValue: boolean])[] =>
  Object.entries(found?.options ?? {}).map(([name, { help, type }]) => [name, help, type === "string"]);
/** A word or a value of it may be a file: only these complete to file names. */
const takesFiles = (found: Command | null): boolean => (found?.words.length ?? 0) > 0;

/** A text within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(nodes: readonly Node[]): string {
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const cases = nodes.map(({ path, next, command: found }) => {
    const words = next.map(({ word }) => word);
    const options = optionsOf(found).map(([name]) => `--${name}`);
    const all = [...words, ...options, ...(path === "" ? ["--help", "--version"] : [])];
    return `    ${quoted(path)}) words=${quoted(all.join(" "))}; files=${takesFiles(found) ? 1 : 0} ;;`;
  });
  return `# bash completion for arkstone
_arkstone() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at= words= files=0 i next
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
      ${known.join("|")}) at=$next ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* && ( $files = 1 || $before = --* ) ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _arkstone arkstone
`;
}

function zsh(nodes: readonly Node[]): string {
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const described = (word: string, about: string): string => quoted(`${word.replaceAll(":", "\\:")}:${about}`);
  const cases = nodes.map(({ path, next, command: found }) => {
    const words = [
      ...next.map(({ word, summary }) => described(word, summary)),
      ...optionsOf(found).map(([name, help]) => described(`--${name}`, help)),
    ];
    return `    (${quoted(path)}) choices=(${words.join(" ")}); files=${takesFiles(found) ? 1 : 0} ;;`;
  });
  return `#compdef arkstone
# zsh completion for arkstone
_arkstone() {
  local at= files=0 word next before=\${words[CURRENT-1]} current=\${words[CURRENT]}
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at }$word"
    case "$next" in
      (${known.join("|")}) at=$next ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'arkstone' choices
  if [[ $current != -* && ( $files = 1 || $before = --* ) ]]; then _files; fi
}
compdef _arkstone arkstone
`;
}

function fish(nodes: readonly Node[]): string {
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = nodes.flatMap(({ path, next, command: found }) => {
    const at = `complete -c arkstone -n ${fishQuoted(`__arkstone_at ${fishQuoted(path)}`)}`;
    return [
      ...(takesFiles(found) ? [`${at} -F`] : []),
      ...next.map(({ word, summary }) => `${at} -f -a ${fishQuoted(word)} -d ${fishQuoted(summary)}`),
      ...optionsOf(found).map(
        ([name, help, takesValue]) => `${at} -l ${name}${takesValue ? " -r" : ""} -d ${fishQuoted(help)}`,
      ),
    ];
  });
  return `# fish completion for arkstone
function __arkstone_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$at $word")
    if contains -- $next ${known.join(" ")}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
complete -c arkstone -f
${lines.join("\n")}
`;
}
