"use client";

import { tolerate } from "@/events/core/error-report";
import { useEffect } from "react";
import { useSession } from "./backend-provider";
import { cacheOwner } from "./cached-page";

/** Removes what this browser keeps of somebody else's documents as soon as another person is signed in. */
export function OthersPages() {
  const { session } = useSession();
  const userId = session?.userId ?? null;
  useEffect(() => {
    if (userId === null || cacheOwner() === null || cacheOwner() === userId) return;
    // What a device that does not answer keeps is shown to nobody: it answers no other page either.
    void import("./device-pages")
      .then(({ forgetPages }) => forgetPages())
      .catch(tolerate("forgetting somebody else’s pages"));
  }, [userId]);
  return null;
}
