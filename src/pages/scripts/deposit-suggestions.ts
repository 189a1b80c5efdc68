// Fills in the fields of a draft from the suggestion that was taken (R42). The server returns what becomes of which field;
// where a value would be replaced, its question is shown below the field, and nothing changes before it is answered.
import { addEntry, entriesOf } from "./parts/group-entries.ts";
import type { Suggestion } from "./parts/list-combobox.ts";

type Entry = { readonly name: string; readonly value: string };
type Filling = { readonly all: readonly Entry[]; readonly empty: readonly Entry[]; readonly question: string | null };
type Taken = Suggestion & { readonly id?: string };
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** The field of this name; entries of repeatable groups are added until it is there. */
function controlOf(form: HTMLFormElement, name: string): Control | null {
  for (;;) {
    const found = form.elements.namedItem(name);
    if (isControl(found)) return found;
    const group = [...form.querySelectorAll<HTMLElement>("[data-group]")].findLast(({ dataset }) =>
      name.startsWith(`${dataset.group}.`),
    );
    if (group === undefined) return null;
    const at = Number(name.slice((group.dataset.group ?? "").length + 1).split(".", 1)[0]);
    if (!(at >= entriesOf(group).length) || addEntry(group) === null) return null;
  }
}

function write(form: HTMLFormElement, entries: readonly Entry[]): void {
  for (const { name, value } of entries) {
    const control = controlOf(form, name);
    if (control === null || control.value === value) continue;
    control.value = value;
    control.closest("details")?.setAttribute("open", "");
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

const status = document.createElement("p");
status.className = "off";
status.setAttribute("role", "status");

function announce(form: HTMLFormElement, words: string | undefined): void {
  if (!status.isConnected) form.append(status);
  status.textContent = words ?? "";
}

const removeQuestions = (form: HTMLFormElement): void => {
  for (const each of form.querySelectorAll(".suggested")) each.remove();
};

function ask(form: HTMLFormElement, field: HTMLInputElement, { all, empty, question }: Filling): void {
  field.closest(".field")?.insertAdjacentHTML("afterend", question ?? "");
  const shown = form.querySelector<HTMLElement>(".suggested.question");
  shown?.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button === null) return;
    event.preventDefault();
    removeQuestions(form);
    if (button.name !== "save") {
      write(form, button.name === "fill" ? all : empty);
      announce(form, form.dataset.filled);
    }
    field.focus();
  });
  shown?.querySelector<HTMLElement>("[tabindex]")?.focus();
}

async function fill(form: HTMLFormElement, field: HTMLInputElement, { id = "" }: Taken): Promise<void> {
  removeQuestions(form);
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") sent.append(name, value);
  sent.set("field", field.name);
  sent.set("id", id);
  const answer = await fetch(form.dataset.fill ?? "", { method: "POST", body: sent }).catch(() => null);
  if (answer?.ok !== true) {
    announce(form, form.dataset.unfilled);
    return;
  }
  const filling: Filling = await answer.json();
  if (filling.question !== null) {
    ask(form, field, filling);
    return;
  }
  write(form, filling.all);
  field.focus();
  announce(form, form.dataset.filled);
}

/** One more choice, for what the field has found; it is chosen. */
function choose(
  form: HTMLFormElement,
  field: HTMLInputElement,
  { id = "", text, hint = "" }: Taken,
  name: string,
): void {
  const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[type=checkbox][name="${name}"]`)];
  const box = boxes.find(({ value }) => value === id) ?? document.createElement("input");
  if (!box.isConnected) {
    const label = document.createElement("label");
    Object.assign(box, {
      type: "checkbox",
      id: boxes.length === 0 ? name : `${name}-${boxes.length + 1}`,
      name,
      value: id,
    });
    Object.assign(label, { htmlFor: box.id, textContent: hint === "" ? text : `${text} (${hint})` });
    const [choice, words] = [document.createElement("div"), document.createElement("span")];
    choice.className = "choice";
    words.append(label);
    choice.append(box, words);
    const list = boxes[0]?.closest(".choices");
    if (list === null || list === undefined) field.closest(".combobox")?.before(choice);
    else list.append(choice);
  }
  box.checked = true;
  field.value = "";
  box.dispatchEvent(new Event("change", { bubbles: true }));
  box.focus();
}

document.addEventListener("suggestion", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !(event instanceof CustomEvent)) return;
  const form = field.form;
  const { adds } = field.dataset;
  if (form?.dataset.fill === undefined) return;
  // What was typed stays until the fields are filled in.
  event.preventDefault();
  if (adds === undefined) void fill(form, field, event.detail);
  else choose(form, field, event.detail, adds);
});
