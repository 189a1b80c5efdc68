// Adds to each citation a button that copies it. Where the browser refuses, the text is selected, for the keyboard.
const RESET_MS = 4_000;

function select(text: HTMLElement): void {
  const selection = getSelection();
  selection?.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(text);
  selection?.addRange(range);
}

async function copy(text: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? "");
    return true;
  } catch {
    // Without a secure connection there is no clipboard.
    select(text);
    return false;
  }
}

function addButton(text: HTMLElement, words: DOMStringMap): void {
  const { copy: label = "", copied = "", failed = "" } = words;
  const name = text.previousElementSibling?.textContent ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = label;
  button.setAttribute("aria-label", `${label}: ${name}`);
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    status.textContent = ` ${(await copy(text)) ? copied : failed}`;
    setTimeout(() => {
      status.textContent = "";
    }, RESET_MS);
  });
  const row = document.createElement("p");
  row.className = "copy";
  row.append(button, status);
  text.after(row);
}

for (const box of document.querySelectorAll<HTMLElement>("[data-copy]"))
  for (const text of box.querySelectorAll<HTMLElement>(".cite")) addButton(text, box.dataset);
