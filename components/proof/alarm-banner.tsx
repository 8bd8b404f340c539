'use client'

import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { Backend } from '../../events/backend'
import type { Alarm } from '../../events/proof/history-watch'
import { momentOf } from '../day-words'
import { numberWords } from '../history/moment-words'
import { Banner } from '../ui/banner'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import type { Clock } from '../use-clock'

type Props = { alarm: Alarm; stream: string; backend: Pick<Backend, 'history'>; clock: Clock; onVerify: () => void }

function alarmWords({ kind, version, seen }: Alarm, clock: Clock): string {
  const when = momentOf(new Date(seen.at).toISOString(), clock)
  const last = numberWords(version - 1)
  const was = `When you were here ${when}, this document had ${numberWords(seen.version)} events.`
  return kind === 'shortened'
    ? `${was} The server now has ${last}: an older backup seems to have been put back, and what was written after event ${last} is not on the server. If it is still open on another device, copy it there before you reload.`
    : `${was} From event ${numberWords(version)} on, the server now has others: the history was rewritten, or went on differently after an older backup was put back. What you see is what the server has.`
}

/** Says, on an open document, that its history is not the one this browser has seen, and what can be done. */
export function AlarmBanner({ alarm, stream, backend, clock, onVerify }: Props) {
  return (
    <Banner
      tone="bad"
      icon={ShieldAlert}
      actions={
        <>
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
      {alarmWords(alarm, clock)}
    </Banner>
  )
}
