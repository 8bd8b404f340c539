'use client'

import { ArchiveRestore, History } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { type Found } from '../../events/insight/deleted-text-search'
import { lostWith } from '../../events/insight/lost-passage'
import { scriptOf, textAt } from '../../events/replay/script'
import { type Timeline } from '../../events/replay/timeline'
import { firstName } from '../presence/person'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { Icon } from '../ui/icon'
import { cameWords, writerOf } from './carried-words'
import { authorOf, type InsightScene } from './insight-scene'
import { setInsight, useInsight } from './insight-state'
import { quoted, spanWords } from './insight-words'
import { SourceLink } from './source-link'
import { useInquiry } from './use-inquiry'
import styles from './insight.module.css'

type Props = {
  scene: InsightScene
  /** Puts found words back; null where the reader may not write. */
  onBringBack: ((timeline: Timeline, found: Found) => Promise<void>) | null
  busy: boolean
}

const around = 36
const atATime = 30

/** Finds words that ever stood in the document, also those that are gone: who wrote them, when they went, and by whom. */
export function SearchView({ scene, onBringBack, busy }: Props) {
  const { words } = useInsight()
  const [shown, setShown] = useState(atATime)
  const wanted = useDeferredValue(words)
  const found = useInquiry(scene, wanted.trim().length < 2 ? null : { kind: 'search', words: wanted })
  const gone = found?.filter(({ until }) => until !== null).length ?? 0
  return (
    <section aria-label="Search through time">
      <form role="search" className={styles.form} onSubmit={(event) => event.preventDefault()}>
        <Field
          label="Search through time"
          type="search"
          value={words}
          help="Finds what stands here and what ever stood here."
          onChange={(event) => {
            setInsight({ words: event.target.value })
            setShown(atATime)
          }}
        />
      </form>
      <p role="status" className={styles.hint}>
        {found && (found.length === 0 ? 'These words never stood here.' : `${gone} gone, ${found.length - gone} in the text today.`)}
      </p>
      <ul className={styles.list} aria-label="Found">
        {found?.slice(0, shown).map((each) => (
          <Result key={`${each.line} ${each.start}`} scene={scene} found={each} busy={busy} onBringBack={onBringBack} />
        ))}
      </ul>
      {found && found.length > shown && (
        <Button look="edge" onClick={() => setShown(shown + atATime)}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Result({ scene, found, busy, onBringBack }: Props & { found: Found }) {
  const { timeline, onGo, provenance } = scene
  const { since, until, line, start, end } = found
  const newest = timeline.timeOf(timeline.length - 1)
  // The last moment at which the whole passage stood: it may have gone letter by letter.
  const stood = until === null ? timeline.length - 1 : Math.max(since, timeline.groupBefore(until + 1) - 1)
  const text = scriptOf(timeline).lines[line]
  if (!text) return null
  const carried = provenance.of(text, start)
  const writer = carried ? `${writerOf(scene, carried).name}; ${cameWords(scene, carried.carriage)}` : `written by ${firstName(authorOf(scene, timeline.authorOf(since)))}`
  const lost = until === null ? null : lostWith(timeline, found)
  const context = until === null || !lost || lost.text.length > 400
  const before = context ? textAt(text, stood, 0, start).slice(-around) : ''
  const after = context ? textAt(text, stood, end + 1).slice(0, around) : ''
  return (
    <li className={styles.row}>
      <span className={styles.told}>
        {until === null ? (
          <>
            <b>Stands in the text</b>, {writer}, {spanWords(timeline.timeOf(since), timeline.timeOf(since), newest)}
          </>
        ) : (
          <>
            <b>Taken out by {firstName(authorOf(scene, timeline.authorOf(until)))}</b>, {spanWords(timeline.timeOf(until), timeline.timeOf(until), newest)}; {writer},{' '}
            {spanWords(timeline.timeOf(since), timeline.timeOf(since), newest)}
          </>
        )}
        <span className={styles.words}>
          {context ? (
            <>
              {before !== '' && '… '}
              {before}
              {until === null ? <mark>{found.text}</mark> : <del>{found.text}</del>}
              {after}
              {after !== '' && ' …'}
            </>
          ) : (
            <del>{quoted(lost.text)}</del>
          )}
        </span>
        <span className={styles.actions}>
          <Button look="edge" onClick={() => onGo(stood)}>
            <Icon of={History} size={14} />
            {until === null ? 'Go to the text' : 'Go to when it stood'}
          </Button>
          {carried && <SourceLink scene={scene} carriage={carried.carriage} />}
          {until !== null && onBringBack && (
            <Button look="edge" busy={busy} onClick={() => void onBringBack(timeline, found)}>
              <Icon of={ArchiveRestore} size={14} />
              Bring it back
            </Button>
          )}
        </span>
      </span>
    </li>
  )
}
