/** What everybody is called whose account was deleted; the database writes it where their name stood. */
export const formerMember = "Former member";
