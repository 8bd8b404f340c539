/** The localStorage key of the person whose pages and texts this browser caches. */
const cacheOwnerKey = "palimpsest.kept-for";
/** The localStorage key of the person for whom this browser deletes the caches of others. */
const cacheClaimKey = "palimpsest.claimed-for";

/** Whether this page came from the device's cache because the server could not be reached. */
export function isCachedPage(): boolean {
  return typeof document !== "undefined" && document.documentElement.dataset.kept !== undefined;
}

/** Returns the person whose pages and texts this browser caches, or null. */
export function cacheOwner(): string | null {
  try {
    return localStorage.getItem(cacheOwnerKey);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

/**
 * Sets the person whose pages and texts this browser caches from now on. Null stops the caching in
 * every tab.
 */
export function setCacheOwner(userId: string | null): void {
  try {
    if (userId === null) localStorage.removeItem(cacheOwnerKey);
    else localStorage.setItem(cacheOwnerKey, userId);
    localStorage.removeItem(cacheClaimKey);
  } catch {
    // Without storage, nothing is cached.
  }
}

/**
 * Claims the cache for a person until the caches of others are deleted. Signing out withdraws the
 * claim.
 */
export function claimCache(userId: string): void {
  try {
    localStorage.setItem(cacheClaimKey, userId);
  } catch {
    // Without storage, nothing is cached.
  }
}

/** Whether the claim of this person still holds. */
export function isCacheClaimed(userId: string): boolean {
  try {
    return localStorage.getItem(cacheClaimKey) === userId;
  } catch {
    // Storage may be forbidden.
    return false;
  }
}
