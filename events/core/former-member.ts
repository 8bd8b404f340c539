/** The name that the database writes in place of the name of a deleted account. */
export const formerMember = "Former member";
