"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { emailedLink } from "./emailed-link";

/**
 * Forwards the tokens of an emailed link to `/auth/confirm`. The auth service sends such a link to
 * the sign-in page if it has no better URL.
 */
export function StrayTokens() {
  const router = useRouter();
  useEffect(() => {
    if (!location.hash || !emailedLink(new URL(location.href)).link) return;
    const query = new URLSearchParams(location.search);
    // The request of this page alone carried the site that led here.
    query.set("stray", "1");
    router.replace(`/auth/confirm?${query}${location.hash}`);
  }, [router]);
  return null;
}
