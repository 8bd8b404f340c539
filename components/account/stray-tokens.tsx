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
    if (location.hash && emailedLink(new URL(location.href)).link)
      router.replace(`/auth/confirm${location.search}${location.hash}`);
  }, [router]);
  return null;
}
