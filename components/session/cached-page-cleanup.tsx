"use client";

import { tolerate } from "@/events/core/error-report";
import { useEffect } from "react";
import { useSession } from "./backend-provider";
import { cacheOwner } from "./cached-page";

/** Deletes the cached documents of another person as soon as a new person is signed in. */
export function OthersPages() {
  const { session } = useSession();
  const userId = session?.userId ?? null;
  useEffect(() => {
    if (userId === null || cacheOwner() === null || cacheOwner() === userId) return;
    // The cache of a device that does not answer is not readable for any page either.
    void import("./device-pages")
      .then(({ forgetPages }) => forgetPages())
      .catch(tolerate("forgetting somebody else’s pages"));
  }, [userId]);
  return null;
}
