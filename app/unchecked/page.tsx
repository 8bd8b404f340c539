import type { Metadata } from "next";
import { SessionUnchecked } from "@/components/session/session-unchecked";

export const metadata: Metadata = { title: "Not reachable", robots: { index: false } };

/** Stands under the address of any page where a session could not be checked: `proxy.ts` rewrites to it. */
export default function Page() {
  return <SessionUnchecked />;
}
