import type { Metadata } from "next";
import { SessionUnchecked } from "@/components/session/session-unchecked";

export const metadata: Metadata = { title: "Not reachable", robots: { index: false } };

/** Replaces a page whose session could not be checked: `proxy.ts` rewrites to this page. */
export default function Page() {
  return <SessionUnchecked />;
}
