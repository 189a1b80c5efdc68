// Makes comboboxes of the fields that name where suggestions come from (src/pages/components/combobox.ts has the markup),
// also of fields that are added to the page. A suggestion with an address is followed; of another one the field sends a
// `suggestion` event, and has its text unless a script prevents that.
import { wordsIn } from "../languages/index.ts";
import { ListCombobox, type Suggestion } from "./parts/list-combobox.ts";

/** How many are shown. */
const SIZE = 10;
const FIELDS = "input[data-combobox]";
const words = wordsIn({ tag: document.documentElement.lang });

/** A page calls our interfaces with the token of its forms. */
function headersFor({ form }: HTMLInputElement): Record<string, string> {
  const token = form?.elements.namedItem("csrf");
  const own: Record<string, string> = token instanceof HTMLInputElement ? { "x-csrftoken": token.value } : {};
  return { accept: "application/json", "accept-language": document.documentElement.lang, ...own };
}

const attached = new WeakSet<HTMLInputElement>();

function attach(input: HTMLInputElement): void {
  if (attached.has(input)) return;
  attached.add(input);
  // Of the entry that this one is a copy of.
  for (const copied of input.closest(".combobox")?.querySelectorAll(":scope > [role]") ?? []) copied.remove();
  const { combobox: source = "", of = "", kinds = "{}" } = input.dataset;
  new ListCombobox(input, {
    label: words.suggestions(of),
    kinds: JSON.parse(kinds),
    async lookUp(text, signal) {
      const address = new URL(source, location.href);
      address.searchParams.set("q", text);
      address.searchParams.set("size", `${SIZE}`);
      const answer = await fetch(address, { signal, headers: headersFor(input) });
      if (!answer.ok) return [];
      const { suggestions }: { readonly suggestions: readonly Suggestion[] } = await answer.json();
      return suggestions;
    },
    take(suggestion, field) {
      if (suggestion.url !== undefined) {
        location.assign(suggestion.url);
        return;
      }
      const event = new CustomEvent("suggestion", { bubbles: true, cancelable: true, detail: suggestion });
      if (!field.dispatchEvent(event)) return;
      field.value = suggestion.text;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    },
    count: (suggestions) => (suggestions === 0 ? words.notFound : words.found(suggestions)),
  });
}

for (const input of document.querySelectorAll<HTMLInputElement>(FIELDS)) attach(input);
// Entries of repeatable groups come later.
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (node instanceof Element) for (const input of node.querySelectorAll<HTMLInputElement>(FIELDS)) attach(input);
  }
}).observe(document.body, { childList: true, subtree: true });
