"use client";

import { useId, useState } from "react";
import type { FormEvent } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { roleOptions } from "./role-words";
import { Button } from "@/components/ui/button";
import { isolated } from "@/events/core/text/isolated";
import { Select } from "@/components/ui/forms/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { useInvite } from "./use-invite";
import type { InvitedRole } from "./use-invite";
import styles from "./share-dialog.module.css";

const offered = ["viewer", "commenter", "editor"] as const satisfies readonly InvitedRole[];
const looksLikeAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/** Invites one person by email. */
export function InviteForm() {
  const { members } = useWorkspace("members");
  const { byEmail } = useInvite();
  const announce = useAnnounce();
  const field = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<InvitedRole>("viewer");
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<{ text: string; bad: boolean } | null>(null);

  const invite = async (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    if (!looksLikeAddress.test(address))
      return setNote({ text: "Write a whole address, such as name@example.com.", bad: true });
    const known = members.find((member) => member.email?.toLowerCase() === address.toLowerCase());
    if (known) return setNote({ text: `${isolated(known.name)} is already here.`, bad: true });
    setBusy(true);
    try {
      const { result, address: link } = await byEmail(address, role);
      if (result === "refused")
        return setNote({ text: "The invitation was refused, so nobody was invited.", bad: true });
      setEmail("");
      const text =
        result === "sent"
          ? `Invited ${address}.`
          : `${address} is invited, but the mail could not be sent. Send them this link yourself: ${link}`;
      setNote({ text, bad: result !== "sent" });
      announce(text);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className={styles.invite} onSubmit={(event) => void invite(event)} noValidate>
      <div className={styles.address}>
        <label htmlFor={field} className="sr">
          Email
        </label>
        <input
          id={field}
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setNote(null);
          }}
          aria-invalid={note?.bad || undefined}
          aria-describedby={note ? `${field}-note` : undefined}
        />
        <Select
          label="Role"
          value={role}
          onChange={setRole}
          options={roleOptions(null, offered).flatMap(invited)}
          edge
        />
        <Button look="primary" type="submit" busy={busy}>
          Invite
        </Button>
      </div>
      {note && (
        <p
          id={`${field}-note`}
          className={note.bad ? styles.bad : styles.help}
          role={note.bad ? "alert" : undefined}
        >
          {note.text}
        </p>
      )}
    </form>
  );
}

const invited = ({ value, label, detail }: ReturnType<typeof roleOptions>[number]) =>
  value === "owner" ? [] : [{ value, label, detail }];
