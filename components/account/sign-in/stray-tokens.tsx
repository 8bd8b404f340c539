"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { emailedLink } from "./emailed-link";

/**
 * Forwards an emailed link that led to the sign-in page, because the auth service had no better
 * URL, to the page that follows links.
 */
export function StrayTokens() {
  const router = useRouter();
  useEffect(() => {
    if (!location.hash || !emailedLink(new URL(location.href)).link) return;
    const query = new URLSearchParams(location.search);
    // Only this page's request knows which site led here.
    query.set("stray", "1");
    router.replace(`/auth/confirm?${query}${location.hash}`);
  }, [router]);
  return null;
}
