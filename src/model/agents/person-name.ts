// How people are named to others (R2g): by their name, and never by a mail address, which accounts without a name carry
// in its place.

/** Empty where the person has no name. */
export function personName({ name }: { readonly name: string }): string {
  return name.includes("@") ? "" : name;
}
