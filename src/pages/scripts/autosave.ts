// Saves the form of a draft by itself (R42): two seconds after the last key, when the page is left, and before a link of
// the page is followed. The form is sent as its buttons send it; the answer is JSON of what has to be shown
// (plugins/repository/site/deposit-answers.ts). What the server has not confirmed is kept in the browser.

import { askAt, clearFault, newButton, showFault, showHint } from "./parts/field-faults.ts";
import { type Answer, type Outcome, sendForm } from "./parts/form-sending.ts";
import { bodyOf, controlOf, essenceOf, planChange, valuesOf, writeValue, writeValues } from "./parts/form-values.ts";
import { copiesOf, type LocalCopy, removeCopies, removeCopy, removeKey, writeCopy } from "./parts/local-copies.ts";

/** After the last key. */
const PAUSE_MS = 2_000;
/** Without connection: before the first attempts; later ones are as far apart as the last. */
const RETRIES_MS = [2_000, 5_000, 10_000, 30_000, 60_000];
/** The body of no form. */
const UNSAVED = "";
/** Saves that are made before a link is followed, while somebody goes on typing. */
const ATTEMPTS = 3;

type Words = Readonly<
  Record<
    | ("saved" | "unsaved" | "offline" | "ended" | "signIn" | "other" | "gone" | "refused" | "conflict")
    | ("mine" | "theirs" | "kept" | "show" | "drop"),
    string
  >
>;

const lang = document.documentElement.lang;
const timeOf = (moment: string | number): string =>
  new Date(moment).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

class Autosave {
  readonly #form: HTMLFormElement;
  readonly #words: Words;
  readonly #account: string;
  readonly #root: string;
  readonly #status = document.createElement("p");
  /** The number of the draft; `new` before there is one. */
  #draft: string;
  /** What the server has. */
  #confirmed: string;
  /** A form without answer: it is sent again as it was, so that it does not conflict with itself. */
  #unanswered: string | null = null;
  #running: Promise<boolean> | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;
  #isComposing = false;
  #isWriting = false;
  /** Changes of the other side could not be shown while the field was edited. */
  #isHeld = false;
  /** Fields with two values, and the other one. While there are any, nothing is saved. */
  readonly #asked = new Map<string, string | null>();
  #isAsked: boolean;
  /** What is wrong with fields; it is shown when they have been left. */
  #faults: ReadonlyMap<string, string> = new Map();
  #understood: ReadonlyMap<string, string> = new Map();
  /** The page is being left for good. */
  #isOver = false;

  constructor(form: HTMLFormElement) {
    const { autosave = "new", account = "", root = "", words = "{}", asked } = form.dataset;
    this.#form = form;
    this.#draft = autosave;
    this.#account = account;
    this.#root = root;
    this.#words = JSON.parse(words) as Words;
    this.#isAsked = asked !== undefined;
    this.#confirmed = this.#body;
  }

  start(): void {
    this.#status.className = "save-state";
    this.#status.setAttribute("role", "status");
    this.#form.append(this.#status);
    this.#listen();
    this.#offer();
  }

  #listen(): void {
    const form = this.#form;
    for (const type of ["input", "change"]) form.addEventListener(type, (event) => this.#edited(event));
    form.addEventListener("compositionstart", () => {
      this.#isComposing = true;
    });
    form.addEventListener("compositionend", (event) => {
      this.#isComposing = false;
      this.#edited(event);
    });
    // A key of an input method, also of one that does not tell when it composes.
    form.addEventListener("keydown", ({ keyCode }) => {
      if (keyCode === 229 && this.#isDirty) this.#schedule(PAUSE_MS);
    });
    form.addEventListener("focusout", (event) => this.#left(event.target));
    form.addEventListener("submit", (event) => this.#submitted(event));
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("submit", (event) => this.#signedOut(event), { capture: true });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#leave();
      // Signed in again in another window, perhaps.
      else if (this.#isDirty) void this.#save();
    });
    addEventListener("pagehide", () => this.#leave());
    addEventListener("online", () => void this.#save());
  }

  get #body(): string {
    return bodyOf(this.#form);
  }

  get #isDirty(): boolean {
    return this.#unanswered !== null || this.#body !== this.#confirmed;
  }

  #hidden(name: string): HTMLInputElement | null {
    return this.#form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`);
  }

  get #base(): string | null {
    return this.#hidden("base")?.value ?? null;
  }

  set #base(value: string | null) {
    const known = this.#hidden("base");
    if (value === null || value === known?.value) return;
    const input = known ?? document.createElement("input");
    Object.assign(input, { type: "hidden", name: "base", value });
    this.#form.prepend(input);
  }

  #show(text: string, link?: { readonly text: string; readonly href: string }): void {
    const words = link === undefined ? text : `${text} ${link.text}`;
    if (this.#status.textContent === words) return;
    this.#status.textContent = text;
    if (link === undefined) return;
    const anchor = document.createElement("a");
    anchor.href = link.href;
    anchor.textContent = link.text;
    this.#status.append(" ", anchor);
  }

  #edited(event: Event): void {
    if (this.#isWriting || this.#isOver) return;
    if ("isComposing" in event && event.isComposing === true) this.#isComposing = true;
    if (event.type === "input" && this.#retry === undefined && !this.#isAsked && this.#isDirty) {
      this.#show(this.#words.unsaved);
    }
    // The first key makes the draft.
    this.#schedule(this.#draft === "new" && this.#unanswered === null && !this.#isComposing ? 0 : PAUSE_MS);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      // While there is no connection, the next attempt is made by the other clock.
      if (this.#retry === undefined) void this.#save();
      else this.#keep();
    }, ms);
  }

  /** Writes what was typed to the browser's storage, or removes it where the server has it. */
  #keep(): void {
    if (this.#isOver) return;
    if (!this.#isDirty && this.#faults.size === 0) {
      removeCopy(this.#account, this.#draft);
      return;
    }
    const sent = this.#unanswered;
    const formKey = this.#hidden("form-key")?.value ?? null;
    writeCopy(this.#account, this.#draft, { at: Date.now(), base: this.#base, formKey, body: this.#body, sent });
  }

  /** Saves once, if there is something to save. @returns whether the server has what it was sent */
  #save(): Promise<boolean> {
    this.#running ??= this.#send().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #send(): Promise<boolean> {
    if (this.#isOver || (!this.#isDirty && !this.#isHeld)) return true;
    if (this.#isComposing || this.#isAsked) {
      this.#keep();
      return false;
    }
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#unanswered ??= this.#body;
    const sent = this.#unanswered;
    this.#keep();
    const form = { address: this.#form.getAttribute("action") ?? "", account: this.#account, body: sent };
    const along = ["csrf", "base", "form-key"].flatMap((name) => {
      const value = this.#hidden(name)?.value;
      return value === undefined ? [] : [[name, value] as const];
    });
    return this.#answered(await sendForm({ ...form, along, lang }), sent);
  }

  #answered(outcome: Outcome, sent: string): boolean {
    const words = this.#words;
    if (this.#isOver) return false;
    if (outcome.kind === "answer") return this.#took(outcome.answer, sent);
    if (outcome.kind === "offline") {
      this.#retry = setTimeout(() => void this.#save(), RETRIES_MS[Math.min(this.#retries, RETRIES_MS.length - 1)]);
      this.#retries += 1;
      this.#show(words.offline);
    } else if (outcome.kind === "ended") {
      const back = `${location.pathname.slice(this.#root.length)}${location.search}`;
      const href = `${this.#root}/account/login?return_to=${encodeURIComponent(back)}`;
      this.#show(words.ended, { text: words.signIn, href });
    } else {
      // It is sent again when it is another one.
      this.#unanswered = null;
      this.#show(words[outcome.kind]);
    }
    this.#keep();
    return false;
  }

  #took(answer: Answer, sent: string): boolean {
    this.#unanswered = null;
    this.#retries = 0;
    if (this.#draft === "new") this.#adopt(answer);
    const isShown = this.#showChanges(answer, sent);
    this.#isHeld = !isShown;
    if (isShown) this.#base = answer.base;
    else this.#confirmed = sent;
    if (!answer.is_saved) this.#confirmed = UNSAVED;
    if (answer.is_saved) this.#showFaults(answer);
    else if (isShown && answer.conflicts.length > 0) this.#ask(answer);
    this.#keep();
    if (!answer.is_saved) {
      if (answer.conflicts.length === 0) this.#show(this.#words.refused);
      return false;
    }
    this.#show(this.#isDirty ? this.#words.unsaved : this.#words.saved.replace("{time}", timeOf(answer.saved_at)));
    if (this.#isDirty) this.#schedule(PAUSE_MS);
    return isShown;
  }

  /** The draft exists now: the page is its page. */
  #adopt({ id, links }: Answer): void {
    removeCopy(this.#account, this.#draft);
    this.#draft = `${id}`;
    const address = `${this.#root}/deposit/${id}`;
    this.#form.setAttribute("action", address);
    this.#form.dataset.fill = `${address}/fill`;
    history.replaceState(null, "", `${address}${languageIn(location.href)}`);
    for (const anchor of document.querySelectorAll<HTMLAnchorElement>("nav.langs a")) {
      anchor.href = `${address}${languageIn(anchor.href)}`;
    }
    if (links !== undefined) this.#form.after(...elementsOf(links));
  }

  /** @returns false where the other side changed what is being edited: nothing is shown, and it is merged again later */
  #showChanges({ changed, files_enabled: isWithFiles, communities, place }: Answer, body: string): boolean {
    const now = this.#body;
    const sides = { sent: valuesOf(body), now: valuesOf(now) };
    const focused = document.activeElement;
    const active = focused !== null && this.#form.contains(focused) ? focused.getAttribute("name") : null;
    const plans = changed.map((change) => planChange(change, { ...sides, active }));
    const section = this.#form.querySelector("[data-place]");
    const isPlaceEdited = section?.contains(focused) === true || partOf(now) !== partOf(body);
    const isOther = changed.length > 0 || place !== undefined;
    if ((isOther && this.#isComposing) || plans.includes(null) || (place !== undefined && isPlaceEdited)) return false;
    const selection = selectionIn(focused);
    for (const plan of plans) {
      if (plan === null) continue;
      this.#write(plan.values, plan.group);
      if (plan.active !== null && plan.active !== active) moveFocus(controlOf(this.#form, plan.active), selection);
    }
    const noFiles = controlOf(this.#form, "no-files");
    const isOff = sides.sent.has("no-files");
    if (noFiles !== null && isOff === isWithFiles && sides.now.has("no-files") === isOff) {
      writeValue(noFiles, isWithFiles ? [] : ["yes"]);
    }
    if (section !== null && place !== undefined) section.replaceChildren(...elementsOf(place));
    else if (section !== null) showCommunities(section, communities);
    this.#confirmed = now === body ? this.#body : body;
    return true;
  }

  #write(entries: Iterable<readonly [name: string, value: string]>, group: string | null = null): void {
    this.#isWriting = true;
    writeValues(this.#form, entries, group);
    this.#isWriting = false;
  }

  #showFaults({ problems, understood }: Answer): void {
    const before = this.#faults;
    const named = (all: Answer["problems"]) =>
      new Map(all.flatMap(({ field, text }) => (field === null ? [] : [[field, text] as const])));
    this.#faults = named(problems);
    this.#understood = named(understood);
    for (const control of this.#form.querySelectorAll<HTMLElement>("[aria-invalid]")) {
      if (!this.#faults.has(control.id)) clearFault(control);
    }
    for (const name of new Set([...before.keys(), ...this.#faults.keys(), ...this.#understood.keys()])) {
      const control = controlOf(this.#form, name);
      if (control !== null && control !== document.activeElement) this.#note(control);
    }
  }

  /** Shows what is known of a field that is not being edited. */
  #note(control: HTMLElement): void {
    const fault = this.#faults.get(control.id);
    if (fault !== undefined) showFault(control, fault);
    showHint(control, this.#understood.get(control.id) ?? null);
  }

  #left(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement)) return;
    if (!this.#isAsked) this.#note(target);
    if (this.#isHeld) setTimeout(() => void this.#save());
  }

  /** Both sides changed some fields: each shows both values, and waits for a decision. */
  #ask({ problems, conflicts }: Answer): void {
    this.#isAsked = true;
    this.#asked.clear();
    for (const { field, text } of problems) {
      const control = field === null ? null : controlOf(this.#form, field);
      if (control !== null) showFault(control, text);
    }
    for (const { field, theirs } of conflicts) {
      const control = field === null ? null : controlOf(this.#form, field);
      if (field === null || control === null) continue;
      this.#asked.set(field, theirs);
      const mine = newButton(this.#words.mine, () => this.#decide(field, null));
      askAt(
        control,
        theirs === null ? [mine] : [mine, newButton(this.#words.theirs, () => this.#decide(field, theirs))],
      );
    }
    this.#show(this.#words.conflict);
  }

  #decide(field: string, value: string | null): void {
    const control = controlOf(this.#form, field);
    if (control !== null) {
      if (value !== null) writeValue(control, [value]);
      clearFault(control);
      control.focus();
    }
    this.#asked.delete(field);
    if (this.#asked.size === 0) this.#decided();
  }

  /** What the form shows now is what counts. */
  #decided(): void {
    for (const field of this.#asked.keys()) {
      const control = controlOf(this.#form, field);
      if (control !== null) clearFault(control);
    }
    this.#asked.clear();
    this.#isAsked = false;
    this.#confirmed = UNSAVED;
    void this.#save();
  }

  /** Saves until the server has everything that was typed. */
  async #flush(): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await this.#running;
      if (!this.#isDirty && !this.#isHeld) return true;
      if (!(await this.#save())) return false;
    }
    return !this.#isDirty;
  }

  #leave(): void {
    if (!this.#isDirty || this.#isOver) return;
    if (this.#running === null && !this.#isComposing) void this.#save();
    else this.#keep();
  }

  /** Its own buttons go on where they would, when everything is saved; the server shows what is wrong. */
  #submitted(event: SubmitEvent): void {
    const { submitter } = event;
    if (this.#isOver) return;
    event.preventDefault();
    if (this.#isAsked) this.#decided();
    this.#confirmed = UNSAVED;
    const name = submitter?.getAttribute("name") ?? "save";
    void this.#flush().then((isSaved) => {
      if (!isSaved) return;
      const isWhole = this.#faults.size === 0;
      if (isWhole && name === "save") return;
      this.#isOver = true;
      const own = `${this.#root}/deposit/${this.#draft}`;
      if (isWhole && (name === "files" || name === "publish")) location.assign(`${own}/${name}`);
      else this.#form.requestSubmit(submitter);
    });
  }

  /** A link of the page is followed when everything is saved: another language shows what was typed. */
  #clicked(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.target !== "" || !this.#isDirty) return;
    if (link.origin !== location.origin || link.getAttribute("href")?.startsWith("#") === true) return;
    event.preventDefault();
    void this.#flush().then(() => location.assign(link.href));
  }

  /** What the server can have, it gets; then nothing stays in the browser. */
  #signedOut(event: SubmitEvent): void {
    const form = event.target instanceof HTMLFormElement ? event.target : null;
    if (form === null || form.dataset.signOut === undefined || this.#isOver) return;
    event.preventDefault();
    void this.#flush().then(() => {
      this.#isOver = true;
      removeCopies(this.#account);
      form.submit();
    });
  }

  /** What an earlier page could not save is offered, and never mixed in by itself. */
  #offer(): void {
    const shown = essenceOf(this.#body);
    const [first, ...further] = copiesOf(this.#account, this.#draft).filter(([key, { body }]) => {
      const isShown = essenceOf(body) === shown;
      if (isShown) removeKey(key);
      return !isShown;
    });
    if (first === undefined) return;
    const [key, copy] = first;
    const note = document.createElement("div");
    note.className = "note warn";
    note.setAttribute("role", "status");
    const text = document.createElement("p");
    text.textContent = this.#words.kept.replace("{time}", new Date(copy.at).toLocaleString(lang));
    const row = document.createElement("div");
    row.className = "buttons";
    const end = (): void => {
      note.remove();
      removeKey(key);
      if (further.length > 0) this.#offer();
    };
    row.append(
      newButton(this.#words.show, () => {
        this.#restore(copy);
        end();
      }),
      newButton(this.#words.drop, end),
    );
    note.append(text, row);
    this.#form.before(note);
  }

  #restore({ base, formKey, body, sent }: LocalCopy): void {
    this.#base = base;
    const key = this.#hidden("form-key");
    if (key !== null && formKey !== null) key.value = formKey;
    this.#unanswered = sent;
    this.#write(new URLSearchParams(body));
    this.#keep();
    void this.#save();
  }
}

/** Markup of the server's own page. */
const elementsOf = (markup: string): readonly Node[] => [
  ...new DOMParser().parseFromString(markup, "text/html").body.childNodes,
];

/** What an address has of the page's language. */
function languageIn(address: string): string {
  const tag = new URL(address).searchParams.get("lang");
  return tag === null ? "" : `?lang=${encodeURIComponent(tag)}`;
}

/** The part of a form that states where the draft goes. */
const partOf = (body: string): string =>
  [...new URLSearchParams(body)].filter(([name]) => name.startsWith("place-")).join("\n");

/** The communities that the form has shown as chosen. */
function showCommunities(section: Element, communities: readonly string[]): void {
  for (const seen of section.querySelectorAll("input[name=place-seen]")) seen.remove();
  for (const value of communities) {
    const seen = document.createElement("input");
    Object.assign(seen, { type: "hidden", name: "place-seen", value });
    section.prepend(seen);
  }
}

type Selection = readonly [start: number | null, end: number | null];

const isText = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

const selectionIn = (element: Element | null): Selection =>
  isText(element) ? [element.selectionStart, element.selectionEnd] : [null, null];

/** A row has moved while somebody writes in it: they go on in its new place. */
function moveFocus(to: HTMLElement | null, [start, end]: Selection): void {
  to?.focus();
  if (isText(to) && start !== null) to.setSelectionRange(start, end);
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-autosave]")) new Autosave(form).start();
