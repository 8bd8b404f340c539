'use client'

import { useDeferredValue, useMemo, useState } from 'react'
import { passagesAt, type Passage } from '../../events/attribution'
import { statisticsOf, type Work } from '../../events/statistics'
import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { classNames } from '../ui/class-names'
import { personClass } from '../ui/palette'
import { highlight } from './highlight'
import { authorOf, type InsightScene } from './insight-scene'
import { activeWords, quoted, shareWords, spanWords } from './insight-words'
import styles from './insight.module.css'

type Props = { scene: InsightScene; tinted: boolean; onTinted: (tinted: boolean) => void }

const atATime = 60

/** Who wrote this: the share of each author, what they did session by session, and every passage with its author and time. */
export function AuthorsView({ scene, tinted, onTinted }: Props) {
  const { timeline } = scene
  const at = useDeferredValue(scene.index)
  const { authors, sessions } = useMemo(() => statisticsOf(timeline, at), [timeline, at])
  const newest = timeline.timeOf(timeline.length - 1)
  return (
    <section aria-label="Who wrote this">
      <label className={styles.switch}>
        <input type="checkbox" checked={tinted} onChange={(event) => onTinted(event.target.checked)} />
        Show it in the text
      </label>
      <div className={styles.bar} aria-hidden>
        {authors.map(({ author, share }) => (
          <span key={author} className={personClass(authorOf(scene, author).color)} style={{ flexGrow: Math.round(share * 1000), flexBasis: 0, display: share === 0 ? 'none' : undefined }} />
        ))}
      </div>
      <WorkTable scene={scene} caption="Everybody who wrote here" work={authors} shares={authors.map(({ share }) => share)} />
      <p className={styles.hint}>
        Counted from the history, which everybody here can read. “At once” is what came in by single edits of 32 letters or more. Minutes leave out
        pauses of more than a minute.
      </p>
      <Passages scene={scene} at={at} />
      {sessions.length > 1 && <h2>Session by session</h2>}
      {sessions.length > 1 &&
        sessions.map(({ from, to, work }) => (
          <WorkTable key={from} scene={scene} caption={spanWords(timeline.timeOf(from), timeline.timeOf(to), newest)} work={work} />
        ))}
    </section>
  )
}

type TableProps = { scene: InsightScene; caption: string; work: readonly Work[]; shares?: readonly number[] }

function WorkTable({ scene, caption, work, shares }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className={shares ? 'sr' : styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">Author</span>
          </th>
          {shares && <th scope="col">Text</th>}
          <th scope="col">Words in</th>
          <th scope="col">Out</th>
          <th scope="col">At once</th>
          <th scope="col">Active</th>
        </tr>
      </thead>
      <tbody>
        {work.map(({ author, active, added, removed, atOnce }, row) => {
          const person = authorOf(scene, author)
          return (
            <tr key={author}>
              <th scope="row">
                <span className={styles.who}>
                  <Avatar name={person.name} color={person.color} size="mini" />
                  <span>{person.name.split(' ')[0]}</span>
                </span>
              </th>
              {shares && <td>{shareWords(shares[row] ?? 0)}</td>}
              <td>{added}</td>
              <td>{removed}</td>
              <td>{atOnce}</td>
              <td>{activeWords(active)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Passages({ scene, at }: { scene: InsightScene; at: number }) {
  const { timeline, surface, onGo } = scene
  const [shown, setShown] = useState(atATime)
  const passages = useMemo(() => passagesAt(timeline, at).filter(({ text }) => text.trim() !== ''), [timeline, at])
  const newest = timeline.timeOf(timeline.length - 1)
  const point = ({ line, from, to }: Passage) =>
    surface && highlight(surface.rangeOf({ start: { line, offset: from }, end: { line, offset: to - 1 } }))
  return (
    <>
      <h2>Passage by passage</h2>
      <ul className={styles.list} onBlur={() => highlight(null)} onPointerLeave={() => highlight(null)}>
        {passages.slice(0, shown).map((passage) => {
          const person = authorOf(scene, passage.author)
          return (
            <li key={`${passage.line} ${passage.from}`}>
              <button
                type="button"
                className={classNames(styles.row, personClass(person.color))}
                onFocus={() => point(passage)}
                onPointerEnter={() => point(passage)}
                onClick={() => onGo(passage.last)}
              >
                <Avatar name={person.name} color={person.color} size="mini" />
                <span className={styles.told}>
                  <b>{person.name}</b>, {spanWords(timeline.timeOf(passage.first), timeline.timeOf(passage.last), newest)},{' '}
                  {passage.atOnce ? 'inserted at once' : 'typed'}
                  <span className={styles.words}>{quoted(passage.text)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {passages.length > shown && (
        <Button look="edge" onClick={() => setShown(shown + atATime)}>
          Show more passages
        </Button>
      )}
    </>
  )
}
