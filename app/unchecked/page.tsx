import type { Metadata } from "next";
import { SessionUnchecked } from "@/components/session/session-unchecked";

export const metadata: Metadata = { title: "Not reachable", robots: { index: false } };

/** Shown in place of any page whose session could not be checked: `proxy.ts` rewrites to it. */
export default function Page() {
  return <SessionUnchecked />;
}
