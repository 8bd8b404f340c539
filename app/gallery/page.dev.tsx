import type { Metadata } from "next";
import { Gallery } from "@/components/gallery/gallery";

export const metadata: Metadata = { title: "Gallery" };

// A `.dev.tsx` file is a page in development only (next.config.ts). A build has neither its route
// nor its code.
export default function Page() {
  return <Gallery />;
}
