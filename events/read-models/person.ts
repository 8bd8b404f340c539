import { formerMember } from "@/events/core/former-member";
import { isolated } from "@/events/core/text/isolated";

/**
 * A person as in the members table. `color` is an index into the palette. `picture` is the address
 * of their picture. A person known only from a file has no picture.
 */
export type Person = { userId: string; name: string; color: number; picture?: string | null };

/** Returns the address of a person's picture, or null if they have none. */
export function pictureAddress(userId: string, picture: string | null): string | null {
  return picture === null ? null : `/avatars/${userId}/${picture}`;
}

const imported = " (imported)";

/** Returns the display name of a person known only by a name in a file. */
export function importedName(name: string): string {
  return `${name}${imported}`;
}

/**
 * Returns the first word of a name, for sentences. It always keeps the mark of an imported name,
 * and does not affect the reading direction.
 */
export function firstName({ name }: Pick<Person, "name">): string {
  if (name === formerMember) return formerMember;
  const isImported = name.endsWith(imported);
  const first =
    (isImported ? name.slice(0, -imported.length) : name).trim().split(/\s+/u)[0] || "Somebody";
  return isImported ? importedName(isolated(first)) : isolated(first);
}
