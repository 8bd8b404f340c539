"use client";

import { tolerate } from "@/events/core/error-report";
import { useEffect } from "react";
import { useSession } from "./backend-provider";
import { cacheOwner } from "./cached-page";

/** Deletes another person's cached documents as soon as a new person has signed in. */
export function OthersPages() {
  const { session } = useSession();
  const userId = session?.userId ?? null;
  useEffect(() => {
    if (userId === null || cacheOwner() === null || cacheOwner() === userId) return;
    // If the cache cannot be deleted here, no page can read it either.
    void import("./device-pages")
      .then(({ forgetPages }) => forgetPages())
      .catch(tolerate("forgetting somebody else’s pages"));
  }, [userId]);
  return null;
}
