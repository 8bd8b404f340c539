'use client'

import { Eye } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { DocumentRow, VersionRow } from '@/events/projections'
import { StaticText } from '../editor/static-text'
import { Frame, Grow } from '../frame/frame'
import { Banner } from '../ui/banner'
import { Link } from '../ui/link'
import { useWorkspace } from '../workspace/workspace-context'
import { sinceWords } from './byline'
import styles from './document.module.css'
import graded from './graded-page.module.css'
import { Title } from './title'

/** A document for a reader who sees the present and named versions alone; `html` is null where the server could not make it. */
export type GradedSnapshot = {
  graded: true
  row: DocumentRow
  html: string | null
  version: number
  versions: readonly VersionRow[]
  /** The named version that is shown; null for the present. */
  shown: VersionRow | null
}

/** The workspace tells of letters at most every five seconds, so that the last ones may never be told. */
const untold = 6_000

/** The page of a document without its making: the text as it is, and the versions that somebody gave a name. */
export function GradedPage({ snapshot }: { snapshot: GradedSnapshot }) {
  const workspace = useWorkspace()
  const { documents, people, me, clock } = workspace
  const { html, versions, shown, version } = snapshot
  const row = documents.live.find(({ id }) => id === snapshot.row.id) ?? snapshot.row
  const router = useRouter()
  const heard = row.version
  useEffect(() => {
    // Nobody tells this reader the letters, but the workspace says that there are more.
    if (shown === null && heard > version) router.refresh()
  }, [router, heard, version, shown])
  useEffect(() => {
    if (shown !== null) return
    const late = setTimeout(() => router.refresh(), untold)
    return () => clearTimeout(late)
  }, [router, heard, version, shown])
  const title = row.title || 'Untitled'
  const place = {
    workspace,
    workspaces: workspace.workspaces,
    documents: documents.live,
    people: workspace.inDocument,
    me,
    current: { document: row.id },
    onNewDocument: undefined,
  }
  const bar = (
    <>
      <div className={styles.chrome}>
        <div className={styles.crumbs}>
          <Link href={`/w/${workspace.id}`}>{workspace.name}</Link>
          <span aria-hidden="true">/</span>
          <b>{title}</b>
        </div>
      </div>
      <Grow />
    </>
  )
  return (
    <Frame {...place} bar={bar}>
      <div className={styles.sheet}>
        <article className={styles.page}>
          <div className={styles.notices}>
            <Banner second icon={Eye}>
              {html === null
                ? 'The text can’t be shown: this installation has no service key. Nothing is lost; ask whoever runs it.'
                : 'You see the present text and named versions. An owner of the workspace decides who sees how a text was written.'}
            </Banner>
          </div>
          <Title title={row.title} editable={false} onRename={() => undefined} />
          <p className={styles.byline} suppressHydrationWarning>
            {shown === null ? `Changed ${sinceWords(row.updatedAt, clock)}` : `“${shown.name}”, named ${sinceWords(shown.createdAt, clock)} by ${people.get(shown.createdBy)?.name ?? 'somebody'}`}.
          </p>
          <StaticText html={html ?? ''} />
          {versions.length > 0 && (
            <section aria-labelledby="versions" className={graded.versions}>
              <h2 id="versions">Versions</h2>
              <ul aria-label="Versions">
                <li>
                  <Link href={`/d/${row.id}`} aria-current={shown === null ? 'page' : undefined} scroll={false}>The present</Link>
                </li>
                {versions.map(({ id, at, name, createdAt }) => (
                  <li key={id}>
                    <Link href={`/d/${row.id}?version=${at}`} aria-current={shown?.id === id ? 'page' : undefined} scroll={false}>{name}</Link>
                    <small suppressHydrationWarning>{sinceWords(createdAt, clock)}</small>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </article>
      </div>
    </Frame>
  )
}
