/** Whose pages and texts this browser keeps. */
const cacheOwnerKey = "palimpsest.kept-for";
/** For whom this browser lets go of what it keeps of others. */
const cacheClaimKey = "palimpsest.claimed-for";

/** Whether this page came from the device, because the server could not be reached. */
export function isCachedPage(): boolean {
  return typeof document !== "undefined" && document.documentElement.dataset.kept !== undefined;
}

/** The person whose pages and texts this browser keeps; null where it keeps nobody's. */
export function cacheOwner(): string | null {
  try {
    return localStorage.getItem(cacheOwnerKey);
  } catch {
    // A browser in which nothing may be stored.
    return null;
  }
}

/**
 * Says whose pages and texts this browser keeps from now on; null for nobody's, which stops every
 * tab that still has something to keep.
 */
export function setCacheOwner(userId: string | null): void {
  try {
    if (userId === null) localStorage.removeItem(cacheOwnerKey);
    else localStorage.setItem(cacheOwnerKey, userId);
    localStorage.removeItem(cacheClaimKey);
  } catch {
    // Where nothing may be stored, nobody's are kept.
  }
}

/** Says who will own what this browser keeps, once nothing of others is left; signing out takes that back. */
export function claimCache(userId: string): void {
  try {
    localStorage.setItem(cacheClaimKey, userId);
  } catch {
    // Where nothing may be stored, nobody's are kept.
  }
}

/** Whether that is this person still. */
export function isCacheClaimed(userId: string): boolean {
  try {
    return localStorage.getItem(cacheClaimKey) === userId;
  } catch {
    // A browser in which nothing may be stored.
    return false;
  }
}
