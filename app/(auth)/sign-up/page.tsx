import type { Metadata } from "next";
import { SignUpForm } from "@/components/account/sign-in/sign-up-form";
import { nextPath } from "@/components/session/next-path";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  return <SignUpForm next={nextPath((await searchParams).next)} />;
}
