"use client";

import { useId, useState } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { copyText, uncopied } from "@/components/ui/clipboard/clipboard";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/forms/select";
import { useInvite } from "./use-invite";
import type { InvitedRole } from "./use-invite";
import styles from "./share-dialog.module.css";

const day = 24 * 60 * 60 * 1000;
const lifetimes = [
  { value: "1", label: "for a day" },
  { value: "7", label: "for a week" },
  { value: "30", label: "for a month" },
  { value: "always", label: "until revoked" },
] as const;
const linkRoles = [
  { value: "viewer", label: "can read" },
  { value: "commenter", label: "can comment" },
  { value: "editor", label: "can edit" },
] as const;

type Props = { link: string | null; onLink: (link: string) => void };

/**
 * Creates a link that lets its holders join. The link is shown once, because the log stores only
 * its fingerprint.
 */
export function LinkForm({ link, onLink }: Props) {
  const { byLink } = useInvite();
  const field = useId();
  const [role, setRole] = useState<InvitedRole>("viewer");
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]["value"]>("7");
  const [busy, setBusy] = useState(false);
  const [copied, setCopied] = useState(false);
  const announce = useAnnounce();
  const copy = async (made: string) => {
    const done = await copyText(made);
    setCopied(done);
    announce(done ? "Invitation link copied" : uncopied);
  };
  const make = async () => {
    setBusy(true);
    setCopied(false);
    try {
      const made = await byLink(role, lifetime === "always" ? null : Number(lifetime) * day);
      if (made) onLink(made);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.link}>
      <span className={styles.words}>
        <b>Invitation link</b>
        <small>
          {link
            ? "Copy it now: it can’t be shown again."
            : "Anyone who opens it joins this workspace."}
        </small>
      </span>
      <div className={styles.choices}>
        <Select
          label="Role of who joins by link"
          value={role}
          onChange={setRole}
          options={linkRoles}
          edge
        />
        <Select
          label="How long the link works"
          value={lifetime}
          onChange={setLifetime}
          options={lifetimes}
          edge
        />
        <span className={styles.grow} />
        <Button look="edge" busy={busy} onClick={() => void make()}>
          Create link
        </Button>
      </div>
      {link && (
        <>
          <label htmlFor={field} className="sr">
            Invitation link
          </label>
          <div className={styles.made}>
            <input id={field} readOnly value={link} onFocus={(event) => event.target.select()} />
            <Button look="edge" onClick={() => void copy(link)}>
              {copied ? "Copied" : "Copy invitation link"}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
