const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID with its hyphens, in letters of either case. */
export const isUuid = (text: string): boolean => uuid.test(text);
