import type { Metadata } from "next";
import { Gallery } from "@/components/gallery/gallery";

export const metadata: Metadata = { title: "Gallery" };

// `.dev.tsx` is a page in development only (next.config.ts): a build has neither its route nor its
// code.
export default function Page() {
  return <Gallery />;
}
