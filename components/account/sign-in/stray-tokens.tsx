"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { emailedLink } from "./emailed-link";

/**
 * Sends an emailed link that led to the sign-in page, because its service knows no better address,
 * on to where links are followed.
 */
export function StrayTokens() {
  const router = useRouter();
  useEffect(() => {
    if (!location.hash || !emailedLink(new URL(location.href)).link) return;
    const query = new URLSearchParams(location.search);
    // Which site led here is known to this page's request, and not to the next one.
    query.set("stray", "1");
    router.replace(`/auth/confirm?${query}${location.hash}`);
  }, [router]);
  return null;
}
