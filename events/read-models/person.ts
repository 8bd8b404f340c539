import { formerMember } from "@/events/core/former-member";
import { isolated } from "@/events/core/text/isolated";

/**
 * Somebody as the members table knows them; a colour is an index into the palette, `picture` the
 * address of theirs, which people who are known by a file alone have not.
 */
export type Person = { userId: string; name: string; color: number; picture?: string | null };

/** The address at which the service gives out the picture of a person; null for who has none. */
export function pictureAddress(userId: string, picture: string | null): string | null {
  return picture === null ? null : `/avatars/${userId}/${picture}`;
}

const imported = " (imported)";

/** How somebody is called who is known by a name in a file alone. */
export function importedName(name: string): string {
  return `${name}${imported}`;
}

/**
 * The first word of a name, as people are called in a sentence; that it is a file's word alone is
 * always said. It turns the direction of none of it.
 */
export function firstName({ name }: Pick<Person, "name">): string {
  if (name === formerMember) return formerMember;
  const isImported = name.endsWith(imported);
  const first =
    (isImported ? name.slice(0, -imported.length) : name).trim().split(/\s+/u)[0] || "Somebody";
  return isImported ? importedName(isolated(first)) : isolated(first);
}
