// What was typed and the server has not confirmed (R42), in the local storage of the browser: under the account and the
// draft, one for each window. Without storage there are no copies.

/** `sent`: a form without answer, which the server may have. Bodies are forms as they are sent. */
export type LocalCopy = {
  readonly at: number;
  readonly base: string | null;
  readonly formKey: string | null;
  readonly body: string;
  readonly sent: string | null;
};

const PREFIX = "arkstone-draft";

/** Of this page while it is open. */
const WINDOW = Math.random().toString(36).slice(2);

const ofAccount = (account: string): string => `${PREFIX} ${account} `;
const ownKey = (account: string, draft: string): string => `${ofAccount(account)}${draft} ${WINDOW}`;

function withStorage<T>(work: (storage: Storage) => T, otherwise: T): T {
  try {
    return work(localStorage);
  } catch {
    // Full, or turned off.
    return otherwise;
  }
}

export const writeCopy = (account: string, draft: string, copy: LocalCopy): void =>
  withStorage((storage) => storage.setItem(ownKey(account, draft), JSON.stringify(copy)), undefined);

export const removeCopy = (account: string, draft: string): void => removeKey(ownKey(account, draft));

export const removeKey = (key: string): void => withStorage((storage) => storage.removeItem(key), undefined);

const keysWith = (storage: Storage, start: string): readonly string[] =>
  Object.keys(storage).filter((key) => key.startsWith(start));

/** Copies of a draft that other pages left, newest first. */
export const copiesOf = (account: string, draft: string): readonly (readonly [key: string, copy: LocalCopy])[] =>
  withStorage(
    (storage) =>
      keysWith(storage, `${ofAccount(account)}${draft} `)
        .filter((key) => key !== ownKey(account, draft))
        .map((key) => [key, JSON.parse(storage.getItem(key) ?? "") as LocalCopy] as const)
        .sort(([, one], [, other]) => other.at - one.at),
    [],
  );

/** All copies of an account. */
export const removeCopies = (account: string): void =>
  withStorage((storage) => {
    for (const key of keysWith(storage, ofAccount(account))) storage.removeItem(key);
  }, undefined);
