/** The name of every deleted account; the database writes it in place of theirs. */
export const formerMember = "Former member";
