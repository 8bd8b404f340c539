"use client";

import { usePathname } from "next/navigation";
import { lazy, Suspense } from "react";
import { useSession } from "./backend-provider";
import { importWithRetry } from "@/components/loading/retrying-import";

const SignInAgain = lazy(() =>
  importWithRetry(() => import("./sign-in-again")).then((module) => ({
    default: module.SignInAgain,
  })),
);
const OtherPerson = lazy(() =>
  importWithRetry(() => import("./other-person")).then((module) => ({
    default: module.OtherPerson,
  })),
);

const authPaths = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset-password",
  "/auth/confirm",
  "/mail",
];

/** Asks to sign in again over the open page when the session has ended under it; the page stays as it is. */
export function SessionDialog() {
  const { phase, ended, replaced, session } = useSession();
  const pathname = usePathname();
  if (authPaths.includes(pathname)) return null;
  // An invitation is read by people who have never been here.
  const needsPerson = !pathname.startsWith("/invite/");
  const over =
    phase === "ended" ||
    (phase === "signedOut" && needsPerson) ||
    (phase === "signingIn" && ended !== null);
  return (
    <Suspense>
      {over && <SignInAgain ended={ended} />}
      {replaced && session && <OtherPerson before={replaced} now={session} />}
    </Suspense>
  );
}
