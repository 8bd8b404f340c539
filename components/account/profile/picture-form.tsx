"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import { useTab } from "@/components/session/backend-provider";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { useToast } from "@/components/ui/toast";
import { PictureUpload } from "./picture-upload";
import styles from "../account-page.module.css";

type Props = { userId: string; name: string; color: number; picture: string | null };

/** Lets the person choose, change or remove the picture that every workspace shows of them. */
export function PictureForm({ userId, name, color, picture }: Props) {
  const { open } = useTab();
  const router = useRouter();
  const toast = useToast();
  const field = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  // The pressed button is unmounted, so the focus moves to the first button.
  const isSettled = chosen === null;
  const wasSettled = useRef(isSettled);
  useEffect(() => {
    if (isSettled && !wasSettled.current) choose.current?.focus();
    wasSettled.current = isSettled;
  }, [isSettled]);

  const remove = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { backend } = await open();
      const event = { type: "account.picture_set", body: { picture: null } } as const;
      const answer = await backend.store.append(userId, null, [
        { id: systemRandom.uuid(), ...event },
      ]);
      if (answer.ok) {
        toast({ text: "Picture removed" });
        choose.current?.focus();
        router.refresh();
      } else setProblem(sentence(answer.refusal));
    } catch (fault) {
      reportUnexpected(fault);
      setProblem(failureWords(fault, "Your picture wasn’t removed", navigator.onLine));
    }
    setBusy(false);
  };

  return (
    <div className={styles.picture}>
      <Avatar name={name || "?"} color={color} picture={picture} size="profile" />
      <div>
        <input
          ref={field}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          aria-label="Picture to upload"
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) setChosen(file);
            setProblem(null);
            // Lets the same file be chosen again.
            target.value = "";
          }}
        />
        <FormNotice problem={problem} stamp={0} />
        {chosen === null ? (
          <div className={styles.row}>
            <Button ref={choose} look="edge" onClick={() => field.current?.click()}>
              {picture === null ? "Upload picture" : "Change picture"}
            </Button>
            {picture !== null && (
              <Button look="quiet" busy={busy} onClick={() => void remove()}>
                Remove picture
              </Button>
            )}
          </div>
        ) : (
          <PictureUpload
            key={`${chosen.name} ${chosen.lastModified} ${chosen.size}`}
            file={chosen}
            onDone={() => {
              setChosen(null);
              toast({ text: "Saved" });
              router.refresh();
            }}
            onEnd={() => setChosen(null)}
            onChoose={() => field.current?.click()}
          />
        )}
        <p className={styles.note}>
          Shown beside your name to the people of your workspaces. PNG, JPEG, GIF, WebP or AVIF.
        </p>
      </div>
    </div>
  );
}
