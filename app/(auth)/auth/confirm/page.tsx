import type { Metadata } from "next";
import { headers } from "next/headers";
import { ConfirmLink } from "@/components/account/sign-in/confirm-link";

export const metadata: Metadata = { title: "One moment", referrer: "no-referrer" };

export default async function ConfirmPage() {
  return <ConfirmLink site={(await headers()).get("sec-fetch-site") ?? ""} />;
}
