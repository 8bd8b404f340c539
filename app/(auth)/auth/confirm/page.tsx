import type { Metadata } from "next";
import { ConfirmLink } from "@/components/account/confirm-link";

export const metadata: Metadata = { title: "One moment", referrer: "no-referrer" };

export default function ConfirmPage() {
  return <ConfirmLink />;
}
