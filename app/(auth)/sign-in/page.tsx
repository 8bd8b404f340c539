import type { Metadata } from "next";
import { SignInForm } from "@/components/account/sign-in/sign-in-form";
import { nextPath } from "@/components/session/next-path";
import { environment } from "@/supabase/environment";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[]; deleted?: string | string[] }>;
}) {
  const { next, deleted } = await searchParams;
  return (
    <SignInForm next={nextPath(next)} demo={environment().demo} isDeleted={deleted !== undefined} />
  );
}
