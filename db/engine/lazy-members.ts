// Objects whose members are made when they are first read: a transaction uses few of the writers that it offers.
import type { Session } from "./dialect.ts";

type Factories<T> = { readonly [Name in keyof T]: (session: Session) => T[Name] };

/**
 * Returns a function from a session to an object with one member per factory, each made at its first use and kept.
 * Members belong to the object itself, so that a spread copies them (and makes them all).
 */
export function lazyMembers<T extends object>(factories: Factories<T>): (session: Session) => T {
  const names = Object.keys(factories) as (keyof T & string)[];
  return (session) => {
    const members = {} as T;
    for (const name of names) {
      const get = (): T[typeof name] => {
        const value = factories[name](session);
        Object.defineProperty(members, name, { value, enumerable: true });
        return value;
      };
      Object.defineProperty(members, name, { get, enumerable: true, configurable: true });
    }
    return members;
  };
}
