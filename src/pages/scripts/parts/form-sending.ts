// Sends a form in the background, and reads what the server makes of it (R42).

type FieldText = { readonly field: string | null; readonly text: string };

/** As the server answers the script of the form (plugins/repository/site/deposit-answers.ts). */
export type Answer = {
  readonly id: number;
  readonly base: string;
  readonly saved_at: string;
  readonly is_saved: boolean;
  readonly files_enabled: boolean;
  readonly problems: readonly FieldText[];
  readonly understood: readonly FieldText[];
  readonly conflicts: readonly { readonly field: string | null; readonly theirs: string | null }[];
  readonly changed: readonly { readonly group: string; readonly fields: Readonly<Record<string, string>> }[];
  /** Communities that are chosen now. */
  readonly communities: readonly string[];
  readonly place?: string;
  readonly links?: string;
};

/**
 * `offline`: nobody answers, or not now. `ended`: the session. `other`: somebody else is signed in. `gone`: the draft.
 * `refused`: this form.
 */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "offline" | "ended" | "other" | "gone" | "refused" };

export type FormToSend = {
  readonly address: string;
  readonly account: string;
  /** Names and values that are not of the form's fields; the token is replaced where the page has expired. */
  readonly along: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly lang: string;
};

/** The most that browsers send of pages that are being left. */
const KEPT_ALIVE_BYTES = 60_000;
const ANSWER_MS = 60_000;

const FOR_NOW: ReadonlySet<number> = new Set([408, 409, 425, 429]);

export async function sendForm(form: FormToSend, isRenewed = false): Promise<Outcome> {
  const body = `${new URLSearchParams(form.along.map(([name, value]) => [name, value]))}&${form.body}`;
  try {
    const answer = await fetch(form.address, {
      method: "POST",
      headers: {
        accept: "application/json",
        "accept-language": form.lang,
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body,
      keepalive: body.length < KEPT_ALIVE_BYTES,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { status } = answer;
    if (answer.headers.get("content-type")?.startsWith("application/json") === true && [200, 409].includes(status)) {
      return { kind: "answer", answer: await answer.json() };
    }
    if (status === 401) return { kind: "ended" };
    if (status === 403 && !isRenewed) return await sendWithNewToken(form);
    if (status === 404 || status === 410) return { kind: "gone" };
    return { kind: status >= 500 || FOR_NOW.has(status) ? "offline" : "refused" };
  } catch {
    return { kind: "offline" };
  }
}

/** The person has signed in again, in another window: the page as it is now has the token of the new session. */
async function sendWithNewToken(form: FormToSend): Promise<Outcome> {
  const answer = await fetch(form.address, { headers: { accept: "text/html" } });
  if (answer.status === 404 || answer.status === 410) return { kind: "gone" };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector<HTMLFormElement>("form[data-autosave]");
  if (found === null) return { kind: "ended" };
  if (found.dataset.account !== form.account) return { kind: "other" };
  const csrf = found.querySelector<HTMLInputElement>("input[name=csrf]")?.value ?? "";
  for (const input of document.querySelectorAll<HTMLInputElement>("input[type=hidden][name=csrf]")) input.value = csrf;
  const along = form.along.map(([name, value]) => [name, name === "csrf" ? csrf : value] as const);
  return await sendForm({ ...form, along }, true);
}
