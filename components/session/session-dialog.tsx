"use client";

import { usePathname } from "next/navigation";
import { lazy, Suspense, useEffect } from "react";
import { useSession } from "./backend-provider";
import { pagePerson } from "./person/page-person";
import { usePagePerson } from "./person/use-page-person";
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

/** Asks the person to sign in again when the session of the page ends. The page stays as it is. */
export function SessionDialog() {
  const { phase, ended, replaced, session } = useSession();
  const person = usePagePerson();
  const pathname = usePathname();
  const isAuth = authPaths.includes(pathname);
  useEffect(() => {
    // A page without personal content, such as the list of workspaces, belongs to the first person
    // who signs in.
    if (!isAuth && session !== null) pagePerson.claim(session.userId);
  }, [isAuth, session]);
  if (isAuth) return null;
  // People without an account read invitations.
  const needsPerson = !pathname.startsWith("/invite/");
  const over =
    phase === "ended" ||
    (phase === "signedOut" && needsPerson) ||
    (phase === "signingIn" && ended !== null);
  return (
    <Suspense>
      {over && <SignInAgain ended={ended} />}
      {session !== null && person !== null && session.userId !== person && (
        <OtherPerson before={replaced?.userId === person ? replaced : null} now={session} />
      )}
    </Suspense>
  );
}
