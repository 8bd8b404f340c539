'use client'

import { Footprints, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Backend } from '@/events/backend'
import { absenceOf, lastOwnVersion, type Absence } from '@/events/insight/catch-up'
import type { LiveDocument } from '@/machines/actors/live-document'
import { momentOf } from '../day-words'
import { firstName, type Person } from '../presence/person'
import { Banner } from '../ui/banner'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { absenceWords } from './absence-words'
import { setInsight } from './insight-state'
import { keepSeen, lastSeen } from './last-seen'

type Props = {
  documentId: string
  userId: string
  backend: Backend
  live: LiveDocument
  people: ReadonlyMap<string, Person>
  clock: { now: number; zone: string }
}

type News = { since: number; at: string | null; until: number; absence: Absence[]; more: boolean }

const mostRows = 1_000
const replaySeconds = 20

async function read({ backend, documentId, userId }: Pick<Props, 'backend' | 'documentId' | 'userId'>): Promise<News | null> {
  const here = lastSeen(userId, documentId)
  const since = Math.max(here?.version ?? 0, await lastOwnVersion(backend.rows, documentId, userId))
  if (since === 0) return null
  const rows = await backend.store.read(documentId, since, mostRows)
  const absence = absenceOf(rows, userId)
  const until = rows.at(-1)?.version ?? since
  return absence.length === 0 ? null : { since, at: since === here?.version ? here.at : null, until, absence, more: rows.length === mostRows }
}

/** Remembers what has been seen, as long as the page is in sight. */
function useKeepSeen({ documentId, userId, live }: Pick<Props, 'documentId' | 'userId' | 'live'>): void {
  useEffect(() => {
    const keep = () => keepSeen(userId, documentId, { version: live.version, at: new Date().toISOString() })
    const inSight = () => !document.hidden && keep()
    const stop = live.onRows(inSight)
    addEventListener('pagehide', inSight)
    document.addEventListener('visibilitychange', keep)
    return () => {
      inSight()
      stop()
      removeEventListener('pagehide', inSight)
      document.removeEventListener('visibilitychange', keep)
    }
  }, [documentId, userId, live])
}

/** Says on opening what others did since one was last here, and offers to play it in 20 seconds. */
export function CatchUp(props: Props) {
  const { documentId, userId, backend, people, clock } = props
  const [news, setNews] = useState<News | null>(null)
  useEffect(() => {
    let wanted = true
    // Not to know what is new is no reason to disturb: the text itself is there.
    read({ backend, documentId, userId }).then((found) => wanted && setNews(found), () => undefined)
    return () => {
      wanted = false
    }
  }, [backend, documentId, userId])
  useKeepSeen(props)
  if (!news) return null
  const { since, at, until, absence, more } = news
  const nameOf = (id: string) => firstName(people.get(id) ?? { name: 'Somebody' })
  const play = () => history.pushState(null, '', `?from=${since + 1}&to=${until}&play=1&within=${replaySeconds}`)
  return (
    <Banner
      second
      icon={Footprints}
      actions={
        <>
          <Button look="edge" onClick={play}>
            Play it in {replaySeconds} seconds
          </Button>
          <Button look="edge" onClick={() => setInsight({ view: 'account', since })}>
            What changed
          </Button>
          <Button look="quiet" icon aria-label="Dismiss" onClick={() => setNews(null)}>
            <Icon of={X} />
          </Button>
        </>
      }
    >
      Since you were last here{at === null ? '' : `, ${momentOf(at, clock)}`}: {absenceWords(absence, nameOf)}
      {more ? ' And more.' : ''}
    </Banner>
  )
}
