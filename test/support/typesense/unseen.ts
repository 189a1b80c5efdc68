// How the substitute refuses: as the real server was seen to (Refused), or loudly, with 501, where the answer of the real
// one is not recorded.

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Nothing may rest on behaviour that was never seen on a real server. */
export class Unseen extends Error {}

export function unseen(what: string): never {
  throw new Unseen(`The substitute was never shown ${what} on a real server`);
}
