"use client";

import { RefreshCw } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { LocalTime } from "@/components/ui/time/local-time";
import { Skeleton } from "@/components/ui/skeleton";
import { mailMessages, mailParts } from "./mail-message";
import type { MailMessage } from "./mail-message";
import styles from "./mail-box.module.css";

type State =
  | { kind: "loading" }
  | { kind: "failed"; sentence: string }
  | { kind: "read"; messages: MailMessage[] };

const lookEvery = 3_000;

async function fetchMail(): Promise<State> {
  try {
    const response = await fetch("/mail/messages.json", { cache: "no-store" });
    if (response.status === 403) {
      return {
        kind: "failed",
        sentence:
          "This page holds sign-in links, so it can only be read on the machine that runs this workspace.",
      };
    }
    if (!response.ok)
      return {
        kind: "failed",
        sentence: "The mail can’t be read now. It is kept; try again in a moment.",
      };
    return { kind: "read", messages: mailMessages.parse(await response.json()) };
  } catch {
    return {
      kind: "failed",
      sentence: "The server can’t be reached. The mail is kept; try again in a moment.",
    };
  }
}

/**
 * Lists the mail that the embedded backend caught instead of sending, newest first. The list is
 * polled while the page is visible.
 */
export function MailBox() {
  const [state, setState] = useState<State>({ kind: "loading" });
  const [open, setOpen] = useState<string | null>(null);
  const look = useCallback(async () => setState(await fetchMail()), []);

  useEffect(() => {
    let shown = true;
    const tick = async () => {
      const next = await fetchMail();
      if (shown) setState(next);
    };
    void tick();
    const timer = setInterval(() => {
      if (!document.hidden) void tick();
    }, lookEvery);
    return () => {
      shown = false;
      clearInterval(timer);
    };
  }, []);

  if (state.kind === "loading") return <Skeleton lines={5} label="Loading mail" />;
  if (state.kind === "failed") {
    return (
      <div className={styles.empty} role="alert">
        <p>{state.sentence}</p>
        <Button look="edge" onClick={() => void look()}>
          <Icon of={RefreshCw} />
          Try again
        </Button>
      </div>
    );
  }
  const { messages } = state;
  if (messages.length === 0) {
    return (
      <p className={styles.empty}>
        No mail yet. Sign-in links, recovery links and invitations will appear here.
      </p>
    );
  }
  const chosen = messages.find((message) => message.id === open) ?? messages[0];
  return (
    <div className={styles.box}>
      <ul className={styles.list} aria-label="Messages">
        {messages.map((message) => (
          <li key={message.id}>
            <button
              type="button"
              aria-current={message === chosen ? "true" : undefined}
              onClick={() => setOpen(message.id)}
            >
              <b>{message.subject}</b>
              <span>{message.to}</span>
              <span className={styles.when}>
                <LocalTime
                  iso={message.sentAt}
                  options={{
                    day: "numeric",
                    month: "short",
                    hour: "2-digit",
                    minute: "2-digit",
                    second: "2-digit",
                  }}
                />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && <Message message={chosen} />}
    </div>
  );
}

function Message({ message }: { message: MailMessage }) {
  return (
    <article className={styles.message} aria-label={message.subject}>
      <h2>{message.subject}</h2>
      <p className={styles.meta}>
        To {message.to}, <LocalTime iso={message.sentAt} />
      </p>
      <p className={styles.text}>
        {mailParts(message.text, location.origin).map((part, index) =>
          part.kind === "text" ? (
            part.text
          ) : (
            <a key={index} className="link" href={part.href} rel="noreferrer">
              {part.text}
            </a>
          ),
        )}
      </p>
    </article>
  );
}
