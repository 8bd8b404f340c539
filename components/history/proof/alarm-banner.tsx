"use client";

import { Copy, ShieldAlert, ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import type { Alarm } from "@/events/device/history-watch";
import type { LiveDocument } from "@/machines/sync/live-document";
import { uncopied } from "@/components/ui/clipboard/clipboard";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { numberWords } from "@/events/core/text/number-words";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import type { Clock } from "@/components/ui/time/use-clock";

type Props = {
  alarm: Alarm;
  stream: string;
  backend: Pick<Backend, "history">;
  live: Pick<LiveDocument, "logRollbacks" | "rolledBackText" | "onReplaced" | "onRows"> | null;
  clock: Clock;
  onVerify: () => void;
};

/**
 * The state of the page after a log rollback. `text` is the lost content that only this tab has.
 */
type SetBack = { text: string };

function useSetBack(live: Props["live"]): SetBack | null {
  const [setBack, setSetBack] = useState<SetBack | null>(null);
  useEffect(() => {
    if (live === null) return;
    const look = () => setSetBack(live.logRollbacks === 0 ? null : { text: live.rolledBackText() });
    const stops = [live.onReplaced(look), live.onRows(look)];
    look();
    return () => {
      for (const stop of stops) stop();
    };
  }, [live]);
  return setBack;
}

function setBackWords({ version, seen }: Alarm, { text }: SetBack): string {
  const was =
    "An older backup was put back on the server while you had this document open: " +
    `of ${numberWords(seen.version)} events it had ${numberWords(version - 1)} left.`;
  const own = "What you wrote in this tab is kept and sent again.";
  return text === ""
    ? `${was} ${own} The rest of what you see is what the server has.`
    : `${was} ${own} Text that others wrote since, or you ` +
        "elsewhere, is not on the server: copy it before you close " +
        "this tab.";
}

function alarmWords({ kind, version, seen }: Alarm, clock: Clock): string {
  const when = dateTimeOf(new Date(seen.at).toISOString(), clock);
  const last = numberWords(version - 1);
  const was = `When you were here ${when}, this document had ${numberWords(seen.version)} events.`;
  return kind === "shortened"
    ? `${was} The server now has ${last}: an older backup seems to have been ` +
        `put back, and what was written after event ${last} is not on the ` +
        "server. If it is still open on another device, copy it there before you " +
        "reload."
    : `${was} From event ${numberWords(version)} on, the server now has ` +
        "others: the history was rewritten, or went on differently after " +
        "an older backup was put back. What you see is what the server has.";
}

/**
 * Warns in an open document that its history differs from the history that this browser has seen,
 * and offers actions.
 */
export function AlarmBanner({ alarm, stream, backend, live, clock, onVerify }: Props) {
  const setBack = useSetBack(live);
  const copyText = useCopyText();
  const copy = (text: string) =>
    void copyText(text, "Missing text copied", `${uncopied} It is still in this tab.`);
  return (
    <Banner
      tone="bad"
      icon={ShieldAlert}
      actions={
        <>
          {setBack !== null && setBack.text !== "" && (
            <Button look="edge" onClick={() => copy(setBack.text)}>
              <Icon of={Copy} />
              Copy what is missing
            </Button>
          )}
          <Button look="edge" onClick={onVerify}>
            <Icon of={ShieldCheck} />
            Verify…
          </Button>
          <Button look="edge" onClick={() => void backend.history.accept(stream)}>
            Accept it as it is
          </Button>
        </>
      }
    >
      {setBack === null ? alarmWords(alarm, clock) : setBackWords(alarm, setBack)}
    </Banner>
  );
}
