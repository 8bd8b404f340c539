"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { authSentence } from "@/events/auth/auth";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { useTab } from "@/components/session/backend-provider";
import { FormNotice } from "@/components/ui/forms/form-notice";
import styles from "../account-form.module.css";

// The two people of the demo workspace, which the embedded backend creates on its first run.
const people = [
  { name: "Ana", email: "ana@example.com", color: 8 },
  { name: "Ben", email: "ben@example.com", color: 0 },
];
const password = "palimpsest";

/** Signs in with one click as one of the two people of the demo workspace. */
export function DemoPeople({ next }: { next: string }) {
  const { open } = useTab();
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, startTransition] = useTransition();

  const enter = (email: string) =>
    startTransition(async () => {
      const [tab, { attempt }, { goal }] = await Promise.all([
        open(),
        import("@/components/session/tab"),
        import("@/components/session/sign-in-destination"),
      ]);
      const result = await attempt(tab, { kind: "password", email, password });
      if (result.ok) router.replace(await goal(tab, next));
      else setProblem(authSentence(result.refusal));
    });

  return (
    <>
      <FormNotice problem={problem} stamp={0} />
      <div className={styles.demo} role="group" aria-label="Demo workspace">
        <span className={styles.words}>Look around the demo as</span>
        {people.map((person) => (
          <Button key={person.email} look="edge" busy={busy} onClick={() => enter(person.email)}>
            <Avatar name={person.name} color={person.color} size="mini" />
            <span>
              <span className="sr">Continue as </span>
              {person.name}
            </span>
          </Button>
        ))}
      </div>
    </>
  );
}
