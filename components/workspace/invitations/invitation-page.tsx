"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { InvitationPreview } from "@/events/read-models/invitation-rows";
import { StoreFault } from "@/events/log/store";
import { useTab } from "@/components/session/backend-provider";
import { Button, buttonClass } from "@/components/ui/button";
import { isolated } from "@/events/core/text/isolated";
import { Link } from "@/components/ui/link";
import { NoticePage } from "@/components/ui/screen/notice-page";

type Props = {
  invitation: string;
  token: string;
  preview: InvitationPreview | null;
  /** The signed-in person, or null for a visitor. */
  reader: { email: string; name: string } | null;
};

const abilities = {
  editor: "read and write",
  commenter: "read and comment",
  viewer: "read",
} as const;

const closed: Record<string, string> = {
  expired:
    "It was open for a while only, and that time is over. Ask whoever sent it for a new one.",
  accepted: "It has been accepted already. If that was you, your workspace is one click away.",
  declined: "It was declined. If you have changed your mind, ask for a new one.",
  revoked: "It was revoked. If you think that is a mistake, ask whoever sent it.",
};

/** Shows an invitation: its workspace, the account that would accept it, and the two answers. */
export function InvitationPage({ invitation, token, preview, reader }: Props) {
  const { open } = useTab();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [declined, setDeclined] = useState(false);

  if (!preview)
    return (
      <NoticePage title="This invitation cannot be opened" actions={<Home />}>
        Its address is not complete, or it was never made. Open the link from the mail again, or ask
        for a new one.
      </NoticePage>
    );
  if (declined || preview.phase !== "open")
    return (
      <NoticePage title="This invitation is closed" actions={<Home />}>
        {closed[declined ? "declined" : preview.phase] ??
          "It is not open any more. Ask whoever sent it for a new one."}
      </NoticePage>
    );

  const title = `${isolated(preview.inviterName || "Somebody")} invites you to ${isolated(preview.workspaceName)}`;
  const here = encodeURIComponent(`/invite/${invitation}?token=${token}`);
  if (!reader)
    return (
      <NoticePage
        title={title}
        actions={
          <>
            <Link className={buttonClass({ look: "primary" })} href={`/sign-up?next=${here}`}>
              Create an account
            </Link>
            <Link className={buttonClass({ look: "edge" })} href={`/sign-in?next=${here}`}>
              Sign in
            </Link>
          </>
        }
      >
        You will be able to {abilities[preview.role]} everything there, and to play its history. It
        takes an account
        {preview.email ? ` with the address ${preview.email}` : ""}.
      </NoticePage>
    );
  if (preview.email && preview.email.toLowerCase() !== reader.email.toLowerCase())
    return (
      <NoticePage title={title} actions={<Home />}>
        This invitation is for {preview.email}, and you are signed in as {reader.email}. Sign out,
        then open it again with the other account, or ask for an invitation to this address.
      </NoticePage>
    );

  const reply = async (choice: "accept" | "decline") => {
    setBusy(true);
    setProblem(null);
    try {
      const [{ backend }, { answerInvitation }] = await Promise.all([
        open(),
        import("@/events/read-models/invitation-rows"),
      ]);
      const answered = await answerInvitation(backend.rows, choice, invitation, token);
      if (!answered.ok)
        setProblem(
          "The invitation is not open to you any more. Ask whoever sent it for a new one.",
        );
      else if (choice === "accept") router.replace(`/w/${preview.workspaceId}`);
      else setDeclined(true);
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      setProblem(
        "The server could not be reached, so nothing was changed. Try again when you are back online.",
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <NoticePage
      title={title}
      actions={
        <>
          <Button look="primary" busy={busy} onClick={() => void reply("accept")}>
            Join workspace
          </Button>
          {preview.kind === "email" && (
            <Button look="edge" busy={busy} onClick={() => void reply("decline")}>
              Decline
            </Button>
          )}
        </>
      }
    >
      {problem ? (
        <span role="alert">{problem}</span>
      ) : (
        `You will be able to ${abilities[preview.role]} everything there, and ` +
        `to play its history. You are signed in as ${isolated(reader.name)}.`
      )}
    </NoticePage>
  );
}

function Home() {
  return (
    <Link className={buttonClass({ look: "primary" })} href="/">
      Go to your workspaces
    </Link>
  );
}
