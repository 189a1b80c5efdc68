// What is wrong with a field, at the field, as the server renders it (src/pages/components/fields.ts), and what is asked
// there where two windows have changed it (R42).

const idOf = (control: HTMLElement): string => `${control.id}-error`;

/** What has the control: of choices their group. */
const fieldOf = (control: HTMLElement): Element | null => control.closest(".field") ?? control.closest("fieldset");

export function clearFault(control: HTMLElement): void {
  const field = fieldOf(control);
  document.getElementById(idOf(control))?.remove();
  field?.querySelector(".ask")?.remove();
  field?.classList.remove("has-error");
  control.removeAttribute("aria-invalid");
  const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== idOf(control));
  if (described.join("") === "") control.removeAttribute("aria-describedby");
  else control.setAttribute("aria-describedby", described.join(" "));
}

export function showFault(control: HTMLElement, text: string): void {
  const known = document.getElementById(idOf(control));
  if (known?.textContent === text) return;
  clearFault(control);
  const fault = document.createElement("p");
  fault.className = "wrong";
  fault.id = idOf(control);
  fault.textContent = text;
  const field = fieldOf(control);
  [...(field?.children ?? [])].find((part) => part.contains(control))?.before(fault);
  field?.classList.add("has-error");
  field?.closest("details")?.setAttribute("open", "");
  control.setAttribute("aria-invalid", "true");
  const described = control.getAttribute("aria-describedby");
  control.setAttribute("aria-describedby", described === null ? fault.id : `${described} ${fault.id}`);
}

export function newButton(label: string, act: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = label;
  button.addEventListener("click", act);
  return button;
}

/** Buttons that decide between two values. */
export function askAt(control: HTMLElement, buttons: readonly HTMLButtonElement[]): void {
  const field = fieldOf(control);
  field?.querySelector(".ask")?.remove();
  const row = document.createElement("div");
  row.className = "buttons ask";
  for (const button of buttons) button.setAttribute("aria-describedby", idOf(control));
  row.append(...buttons);
  field?.append(row);
}

/** How a written date was understood: in the place of its hint, until the date is another one. */
export function showHint(control: HTMLElement, text: string | null): void {
  const hint = document.getElementById(`${control.id}-hint`);
  if (hint === null) return;
  hint.dataset.hint ??= hint.textContent ?? "";
  hint.textContent = text ?? hint.dataset.hint;
}
