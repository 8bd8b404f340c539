"use client";

import type { Session } from "@/events/auth/auth";
import { Button } from "@/components/ui/button";
import { Interruption, InterruptionActions } from "@/components/ui/interruption/interruption";

/** Reports that another person than the page's has signed in. Only a reload continues. */
export function OtherPerson({ before, now }: { before: Session | null; now: Session }) {
  return (
    <Interruption
      title={`You’re signed in as ${now.email}`}
      description={
        `This page was opened by ${before?.email ?? "somebody else"}. What they had not saved ` +
        "yet stays on this device and is sent when they sign in here again."
      }
    >
      <InterruptionActions>
        <Button look="primary" onClick={() => location.assign("/")}>
          Continue as {now.email}
        </Button>
      </InterruptionActions>
    </Interruption>
  );
}
