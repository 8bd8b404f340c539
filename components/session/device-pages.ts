import { tolerate } from "@/events/core/error-report";
import { systemClock } from "@/events/core/clock";
import { dropCopies } from "@/events/device/copies";
import { withDeadline } from "@/events/device/deadline";
import { forgetDrafts } from "@/events/device/comment-drafts";
import { cacheOwner, claimCache, isCacheClaimed, setCacheOwner } from "./cached-page";

/** Removes every page and text that this browser keeps for when there is no network. */
export async function forgetPages(): Promise<void> {
  setCacheOwner(null);
  await Promise.all([dropCopies(), dropPages()]);
}

async function dropPages(): Promise<void> {
  // An insecure origin has none, and a browser that stores nothing throws at the name.
  if ("caches" in window) await withDeadline(systemClock, caches.delete("pages"));
}

/**
 * Removes what this browser keeps of somebody who signs out: pages and texts, and what they wrote
 * about them and did not send.
 */
export async function forgetPerson(): Promise<void> {
  try {
    forgetDrafts(localStorage);
  } finally {
    await forgetPages();
  }
}

/**
 * Has this page, a document's, and its code kept for when there is no network; nothing of another
 * person stays beside it. `isAgain`: an attempt before has failed, since when the person may have
 * signed out, and then keeps nothing.
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
  // A page that is being developed changes under the same names.
  if (!("serviceWorker" in navigator) || process.env.NODE_ENV !== "production") return;
  const [begun] = performance.getEntriesByType("navigation");
  const came =
    navigator.serviceWorker.controller !== null &&
    begun !== undefined &&
    new URL(begun.name).pathname === location.pathname;
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  // Browsers look for a newer one by themselves only once a page has stood open for a while.
  // Without a network there is none.
  void registration.update().catch(tolerate("looking for a newer service worker"));
  await postPage(userId, !came);
}

/** Has the service worker, where there is one, fetch this page again in the place of the one it keeps. */
export async function renewPage(): Promise<void> {
  if ((await navigator.serviceWorker?.getRegistration()) === undefined) return;
  const person = cacheOwner();
  if (person !== null) await postPage(person, true);
}

/**
 * Tells the service worker who reads this page and what it is made of; `anew` has it fetched also
 * where it is kept already.
 */
async function postPage(person: string, anew: boolean): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({
    page: location.pathname,
    parts: performance.getEntriesByType("resource").map(({ name }) => name),
    person,
    anew,
  });
}
