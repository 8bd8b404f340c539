import { tolerate } from "@/events/core/error-report";
import { systemClock } from "@/events/core/clock";
import { dropCopies } from "@/events/device/copies";
import { withDeadline } from "@/events/device/deadline";
import { forgetDrafts } from "@/events/device/comment-drafts";
import { cacheOwner, claimCache, isCacheClaimed, setCacheOwner } from "./cached-page";

/** Deletes all pages and texts that this browser caches for offline use. */
export async function forgetPages(): Promise<void> {
  setCacheOwner(null);
  await Promise.all([dropCopies(), dropPages()]);
}

async function dropPages(): Promise<void> {
  // Insecure origins have no `caches`. Without storage, even reading the name throws.
  if ("caches" in window) await withDeadline(systemClock, caches.delete("pages"));
}

/**
 * Deletes what this browser stores of a person who signs out: cached pages and texts, and unsent
 * comment drafts.
 */
export async function forgetPerson(): Promise<void> {
  try {
    forgetDrafts(localStorage);
  } finally {
    await forgetPages();
  }
}

/**
 * Caches this document's page and its code for offline use, after deleting the pages of other
 * people. `isAgain` marks a retry. A retry caches nothing if the person has signed out meanwhile.
 */
export async function cachePage(userId: string, isAgain = false): Promise<void> {
  if (cacheOwner() !== userId) {
    if (isAgain && !isCacheClaimed(userId)) return;
    const forgotten = forgetPages();
    claimCache(userId);
    await forgotten;
    if (!isCacheClaimed(userId)) return;
    setCacheOwner(userId);
  }
  // In development, changed code keeps its URL, so nothing is cached.
  if (!("serviceWorker" in navigator) || process.env.NODE_ENV !== "production") return;
  const [begun] = performance.getEntriesByType("navigation");
  const came =
    navigator.serviceWorker.controller !== null &&
    begun !== undefined &&
    new URL(begun.name).pathname === location.pathname;
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  // Browsers check for a newer service worker only at navigations, and a page may be open for long.
  // Offline the check fails.
  void registration.update().catch(tolerate("looking for a newer service worker"));
  await postPage(userId, !came);
}

/** Makes the service worker, if there is one, refetch this page and replace the cached copy. */
export async function renewPage(): Promise<void> {
  if ((await navigator.serviceWorker?.getRegistration()) === undefined) return;
  const person = cacheOwner();
  if (person !== null) await postPage(person, true);
}

/**
 * Posts the page's reader and resources to the service worker. With `refetch`, the service worker
 * also fetches the page again if it has a cached copy.
 */
async function postPage(person: string, refetch: boolean): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({
    page: location.pathname,
    parts: performance.getEntriesByType("resource").map(({ name }) => name),
    person,
    // The key that service workers of earlier builds read.
    anew: refetch,
  });
}
