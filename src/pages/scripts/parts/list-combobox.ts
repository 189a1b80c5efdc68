// An ARIA combobox with a list of suggestions that the server has (R40; ARIA Authoring Practices, "list autocomplete with
// manual selection"). What was typed stays unless a suggestion is taken. While an input method composes nothing is looked
// up and no key is ours. The focus stays in the text field.

export type Suggestion = {
  readonly text: string;
  /** Suggestions of a kind follow each other, under the heading of the kind. */
  readonly kind?: string;
  readonly hint?: string;
  readonly url?: string;
};

export type ComboboxOptions = {
  /** The suggestions for a text. Rejected: there are none. */
  readonly lookUp: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly take: (suggestion: Suggestion, input: HTMLInputElement) => void;
  readonly label: string;
  /** Headings by kind; a kind without one has none. */
  readonly kinds: Readonly<Record<string, string>>;
  /** What is announced. */
  readonly count: (suggestions: number) => string;
};

/** Between the last key and the look-up, and between the list and what is announced of it. */
const WAIT_MS = { lookUp: 150, announce: 600 } as const;
/** What an input method reports for the keys it has taken; some do after the composition has ended. */
const TAKEN_BY_INPUT_METHOD = 229;

const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta"]);

let made = 0;

function element(name: string, attributes: Readonly<Record<string, string>>, text = ""): HTMLElement {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.textContent = text;
  return created;
}

/** Makes a combobox of a text field that works without it. */
export class ListCombobox {
  readonly #input: HTMLInputElement;
  readonly #options: ComboboxOptions;
  readonly #id: string;
  readonly #list: HTMLElement;
  readonly #status = element("div", { role: "status", class: "off" });
  #suggestions: readonly Suggestion[] = [];
  #entries: readonly HTMLElement[] = [];
  /** The text that the suggestions are for; null: none. */
  #shownFor: string | null = null;
  #active = -1;
  #isComposing = false;
  #asked: AbortController | null = null;
  #waiting = 0;
  #announcing = 0;

  constructor(input: HTMLInputElement, options: ComboboxOptions) {
    made += 1;
    this.#input = input;
    this.#options = options;
    this.#id = `suggestions-${made}`;
    this.#list = element("div", { id: this.#id, role: "listbox", "aria-label": options.label, hidden: "" });
    const roles = { role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "false" };
    for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
    input.setAttribute("aria-controls", this.#id);
    (input.closest(".combobox") ?? input.parentElement)?.append(this.#list, this.#status);
    this.#listen();
  }

  #listen(): void {
    const input = this.#input;
    input.addEventListener("compositionstart", () => {
      this.#isComposing = true;
      this.#forget();
      this.#close();
    });
    input.addEventListener("compositionend", () => {
      this.#isComposing = false;
      this.#typed();
    });
    input.addEventListener("input", (event) => {
      if (!this.#isComposing && !(event instanceof InputEvent && event.isComposing)) this.#typed();
    });
    input.addEventListener("keydown", (event) => {
      if (this.#isComposing || event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD) return;
      if (!event.ctrlKey && !event.metaKey && this.#press(event)) event.preventDefault();
    });
    input.addEventListener("blur", () => {
      this.#forget();
      this.#close();
    });
    // The focus stays in the field.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const entry = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=option]") : null;
      if (entry !== null) this.#take(this.#entries.indexOf(entry));
    });
  }

  #typed(): void {
    this.#forget();
    this.#activate(-1);
    if (this.#input.value.trim() === "") this.#close();
    this.#waiting = window.setTimeout(() => void this.#lookUp(), WAIT_MS.lookUp);
  }

  /** What is under way is not wanted any more. */
  #forget(): void {
    clearTimeout(this.#waiting);
    this.#asked?.abort();
    this.#asked = null;
  }

  async #lookUp(): Promise<void> {
    this.#forget();
    const text = this.#input.value;
    if (text.trim() === "" || text === this.#shownFor) {
      if (text.trim() === "") this.#close();
      else this.#open();
      return;
    }
    const asking = new AbortController();
    this.#asked = asking;
    const found = await this.#options.lookUp(text, asking.signal).catch((): readonly Suggestion[] => []);
    const isHere = document.activeElement === this.#input && this.#input.value === text && !this.#isComposing;
    if (this.#asked === asking && isHere) this.#show(text, found);
  }

  #show(text: string, found: readonly Suggestion[]): void {
    this.#close();
    this.#shownFor = text;
    this.#suggestions = found;
    this.#entries = found.map(({ text: words, hint }, at) => {
      const entry = element("div", { id: `${this.#id}-${at}`, role: "option", "aria-selected": "false" }, words);
      if (hint !== undefined) entry.append(element("span", { class: "choice-hint" }, hint));
      return entry;
    });
    this.#list.replaceChildren(...this.#groups());
    this.#open();
    this.#announcing = window.setTimeout(() => {
      this.#status.textContent = this.#options.count(found.length);
    }, WAIT_MS.announce);
  }

  /** Entries of each kind in a group, which its heading names. */
  #groups(): Iterable<HTMLElement> {
    const groups = new Map<string, HTMLElement>();
    for (const [at, entry] of this.#entries.entries()) {
      const { kind = "" } = this.#suggestions[at] ?? {};
      const group = groups.get(kind) ?? this.#group(kind);
      groups.set(kind, group);
      group.append(entry);
    }
    return groups.values();
  }

  #group(kind: string): HTMLElement {
    const heading = this.#options.kinds[kind];
    if (heading === undefined) return element("div", { role: "presentation" });
    const id = `${this.#id}-${kind}`;
    const group = element("div", { role: "group", "aria-labelledby": id });
    group.append(element("div", { id, role: "presentation", class: "kind" }, heading));
    return group;
  }

  get #isOpen(): boolean {
    return !this.#list.hidden;
  }

  #open(): void {
    if (this.#entries.length === 0) return;
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  #close(): void {
    this.#activate(-1);
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
    clearTimeout(this.#announcing);
    this.#status.textContent = "";
  }

  /** -1: the text is edited, and no suggestion is active. */
  #activate(at: number): void {
    this.#entries[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = at;
    const entry = this.#entries[at];
    if (entry === undefined) {
      this.#input.removeAttribute("aria-activedescendant");
      return;
    }
    entry.setAttribute("aria-selected", "true");
    this.#input.setAttribute("aria-activedescendant", entry.id);
    entry.scrollIntoView({ block: "nearest" });
  }

  #take(at: number): void {
    const suggestion = this.#suggestions[at];
    if (suggestion === undefined) return;
    this.#forget();
    this.#close();
    this.#options.take(suggestion, this.#input);
  }

  /** True: the browser does nothing more with the key. */
  #press({ key, altKey }: KeyboardEvent): boolean {
    if (key === "ArrowDown") return this.#down(altKey);
    if (key === "ArrowUp" && this.#isOpen) {
      if (altKey) this.#close();
      else this.#activate(this.#active <= 0 ? this.#entries.length - 1 : this.#active - 1);
      return true;
    }
    if (key === "Enter" || key === "Escape") {
      const [isTaken, wasOpen] = [key === "Enter" && this.#isOpen && this.#active >= 0, this.#isOpen];
      this.#forget();
      if (isTaken) this.#take(this.#active);
      else this.#close();
      // A field for searches is emptied by Escape, unless the key closed the list.
      return isTaken || (key === "Escape" && wasOpen);
    }
    // Further keys edit the text, or move in it.
    if (!MODIFIERS.has(key)) this.#activate(-1);
    return false;
  }

  #down(altKey: boolean): true {
    if (this.#isOpen) {
      if (!altKey) this.#activate((this.#active + 1) % this.#entries.length);
    } else {
      void this.#lookUp().then(() => {
        if (this.#isOpen && !altKey) this.#activate(0);
      });
    }
    return true;
  }
}
