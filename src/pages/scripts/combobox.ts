// Makes comboboxes of the fields that name where suggestions come from (src/pages/components/combobox.ts has the markup).
// A suggestion with an address is followed; another one becomes the text, and a `suggestion` event of the field has it.
import { ListCombobox, type Suggestion } from "./parts/list-combobox.ts";

/** How many are shown. */
const SIZE = 10;

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-combobox]")) {
  const { combobox: source = "", listLabel: label = "", kinds = "{}", ...words } = input.dataset;
  new ListCombobox(input, {
    label,
    kinds: JSON.parse(kinds),
    async lookUp(text, signal) {
      const address = new URL(source, location.href);
      address.searchParams.set("q", text);
      address.searchParams.set("size", `${SIZE}`);
      const answer = await fetch(address, { signal, headers: { accept: "application/json" } });
      if (!answer.ok) return [];
      const { suggestions }: { readonly suggestions: readonly Suggestion[] } = await answer.json();
      return suggestions;
    },
    take(suggestion, field) {
      if (suggestion.url !== undefined) {
        location.assign(suggestion.url);
        return;
      }
      field.value = suggestion.text;
      field.dispatchEvent(new CustomEvent("suggestion", { bubbles: true, detail: suggestion }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    },
    count(suggestions) {
      if (suggestions === 0) return words.notFound ?? "";
      return suggestions === 1 ? (words.foundOne ?? "") : (words.found ?? "").replace("{n}", `${suggestions}`);
    },
  });
}
