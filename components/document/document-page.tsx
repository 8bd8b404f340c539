'use client'

import { History, UserRoundPlus } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useState } from 'react'
import type { DocumentRow } from '@/events/projections'
import { copyText, uncopied } from '../clipboard'
import { editorOf, type MadeEditor, TextEditor } from '../editor/text-editor'
import { useFork } from '../fork/use-fork'
import { Frame, Grow } from '../frame/frame'
import { useInsight } from '../insight/insight-state'
import { onDemand } from '../on-demand'
import { firstName } from '../presence/person'
import { useHistoryAlarm } from '../proof/use-history-alarm'
import { useBackend } from '../session/backend-provider'
import { CommentsButton } from '../thread/comments-button'
import { useComments } from '../thread/use-comments'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { isolated } from '../ui/isolated'
import { Link } from '../ui/link'
import { useToast } from '../ui/toast'
import { useNewDocument } from '../workspace/use-new-document'
import { bylineOf } from './byline'
import styles from './document.module.css'
import { MoreMenu } from './more-menu'
import { Notices } from './notices'
import { PeopleHere } from './people-here'
import { SaveStatus } from './save-status'
import { Title } from './title'
import { useDocument } from './use-document'
import { useFading } from './use-fading'
import { useFollowing } from './use-following'
import { useHistoryKey } from './use-history-key'
import { useReadable } from './use-readable'

const VersionsDialog = onDemand(() => import('../version/versions-dialog').then((module) => module.VersionsDialog))

const ImportNotice = onDemand(() => import('../proof/import-notice').then((module) => module.ImportNotice))
const ForkNotice = onDemand(() => import('../fork/fork-notice').then((module) => module.ForkNotice))

const ShareDialog = onDemand(() => import('../invitation/share-dialog').then((module) => module.ShareDialog))

const VerifyDialog = onDemand(() => import('../proof/verify-dialog').then((module) => module.VerifyDialog))
const ExportDialog = onDemand(() => import('../proof/export-dialog').then((module) => module.ExportDialog))
const AlarmBanner = onDemand(() => import('../proof/alarm-banner').then((module) => module.AlarmBanner))

const LiveDiscussions = onDemand(() => import('../thread/live-discussions').then((module) => module.LiveDiscussions))
const LiveInsight = onDemand(() => import('../insight/live-insight').then((module) => module.LiveInsight))

const CatchUp = onDemand(() => import('../insight/catch-up').then((module) => module.CatchUp))

const FollowingChip = onDemand(() => import('./following-chip').then((module) => module.FollowingChip))

const Past = onDemand(() => import('./past').then((module) => module.Past))

/** A document as the server rendered it: its row, its text as HTML, and the state a live editor begins from. */
export type DocumentSnapshot = {
  row: DocumentRow
  html: string
  /** The Yjs state at `version`, as base64. */
  state: string
  version: number
  owners: [client: number, userId: string][]
  /** The highest document schema in the log. */
  schema: number
  /** Everybody who has written in it. */
  writers: string[]
}

/** The page of a document: its text, who is in it, whether it is saved, and what can be done with it. */
export function DocumentPage({ snapshot }: { snapshot: DocumentSnapshot }) {
  const { workspace, row, live, text, status, here, access, may, unreadable, setUnreadable, writers, lastChange, whom, sendPresence, onTextReady } = useDocument(snapshot)
  const { documents, people, me, clock } = workspace
  const [sharing, setSharing] = useState(false)
  const [versions, setVersions] = useState(false)
  const [verifying, setVerifying] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [made, setMade] = useState<MadeEditor | null>(null)
  const written = unreadable === null ? text : null
  const editor = editorOf(made, written)
  const insight = useInsight()
  const backend = useBackend()
  const alarm = useHistoryAlarm(backend, row.id)
  const [firstAccess] = useState(access)
  const [freshComments, setFreshComments] = useState(0)
  const toast = useToast()
  const newDocument = useNewDocument()
  useFading()
  const query = useSearchParams()
  const past = inThePast(query)
  const comments = useComments(!past && access !== 'none')
  const mayComment = access !== 'none' && row.phase === 'live' && workspace.mayDocument('thread.opened', null)
  const title = row.title || 'Untitled'
  const unsavedOffline = status !== null && status.label !== 'Saved' && status.tone !== 'busy'
  useEffect(() => {
    document.title = `${unsavedOffline ? '● ' : ''}${title} — ${workspace.name}`
  }, [unsavedOffline, title, workspace.name])

  const personOf = useCallback(
    (clientId: number, state: Record<string, unknown>) => {
      // Until somebody's first words are in the log, only they themselves say who they are; name and colour are the members' list's.
      const userId = live?.userOf(clientId) ?? (typeof state.userId === 'string' ? state.userId : null)
      const person = userId === null ? undefined : people.get(userId)
      return person === undefined ? null : { userId: person.userId, name: firstName(person), color: person.color }
    },
    [live, people],
  )
  const followed = whom === null ? undefined : people.get(whom)
  const unfollow = useCallback(() => sendPresence({ type: 'unfollow' }), [sendPresence])
  useFollowing(whom, live?.awareness ?? null, unfollow)
  const refuse = useCallback((words: string) => toast({ text: words }), [toast])
  const copy = (words: string, said: string) => void copyText(words).then((done) => toast({ text: done ? said : uncopied }))
  const copyMarkdown = () =>
    void import('../editor/markdown').then(({ markdownOf }) => {
      if (live !== null) copy(`# ${title}\n\n${markdownOf(live.fragment)}`, 'The text is on the clipboard, as Markdown.')
    })
  const trash = () =>
    void documents.trash(row.id).then((done) => {
      if (!done) return
      toast({ text: `Moved “${isolated(title)}” to trash`, action: { label: 'Undo', instead: 'It can be restored from the trash', onAct: () => void documents.restore(row.id) } })
    })
  const fork = useFork({ documentId: row.id, title, store: backend?.store ?? null })
  const openHistory = useCallback(
    () => history.pushState(null, '', `?at=${Math.max(live?.version ?? 0, snapshot.version)}`),
    [live, snapshot.version],
  )
  useHistoryKey(openHistory)
  const authors = writers.map((id) => people.get(id)).filter((person) => person !== undefined)
  const changedBy = people.get(lastChange.by) ?? null
  const readable = useReadable(unreadable === null ? null : live)

  const bar = (
    <>
      <div className={styles.chrome}>
        <div className={styles.crumbs}>
          <Link href={`/w/${workspace.id}`}>{workspace.name}</Link>
          <span aria-hidden="true">/</span>
          <b>{title}</b>
        </div>
      </div>
      <div className={styles.status}>
        <SaveStatus status={status} />
      </div>
      <Grow />
      <div className={styles.chrome}>
        <PeopleHere people={here} whom={whom} onFollow={(userId) => sendPresence({ type: 'follow', userId })} />
        <Button look="quiet" aria-label="Share" className={styles.share} onClick={() => setSharing(true)}>
          <Icon of={UserRoundPlus} />
          <span className={styles.words}>Share</span>
        </Button>
        <CommentsButton shown={comments.shown} fresh={freshComments} className={styles.words} onToggle={() => comments.setShown(!comments.shown)} />
        <Button look="quiet" aria-label="History" aria-keyshortcuts="Control+Alt+Shift+H" onClick={openHistory}>
          <Icon of={History} />
          <span className={styles.words}>History</span>
        </Button>
        <MoreMenu
          onShare={() => setSharing(true)}
          onCopyLink={() => copy(`${location.origin}/d/${row.id}`, 'The link is on the clipboard.')}
          onCopyText={copyMarkdown}
          onVersions={() => setVersions(true)}
          mayName={may('document.edited')}
          onFork={may('document.edited') ? () => void fork(Math.max(live?.version ?? 0, snapshot.version)) : null}
          onVerify={() => setVerifying(true)}
          onExport={() => setExporting(true)}
          onTrash={may('document.trashed') ? trash : null}
        />
      </div>
    </>
  )
  const place = {
    workspace,
    workspaces: workspace.workspaces,
    documents: documents.live,
    people: workspace.inDocument,
    me,
    current: { document: row.id },
    onNewDocument: newDocument,
  }
  const aside = !past && live !== null && backend !== null && (insight.view !== null || insight.tinted) && (
    <LiveInsight documentId={row.id} store={backend.store} live={live} editor={editor} people={people} mayWrite={access === 'write'} />
  )
  return (
    <>
    {past && (
      <Past
        place={place}
        documentId={row.id}
        title={title}
        known={snapshot.version}
        live={live}
        people={people}
        here={here}
        mayRestore={may('document.reverted')}
        onVerify={() => setVerifying(true)}
      />
    )}
    {/* The editor stays as it is, with its undo steps and its place, while somebody looks at the past. */}
    <div className={past ? styles.away : styles.present}>
    <Frame
      {...place}
      bar={bar}
      aside={aside}
    >
      <div className={styles.sheet}>
        <article className={styles.page}>
          {alarm !== null && backend !== null && (
            <div className={styles.notices}>
              <AlarmBanner alarm={alarm} stream={row.id} backend={backend} clock={clock} onVerify={() => setVerifying(true)} />
            </div>
          )}
          {live !== null && backend !== null && access !== 'none' && (
            <div className={styles.notices}>
              <CatchUp documentId={row.id} userId={me.userId} backend={backend} live={live} people={people} clock={clock} />
            </div>
          )}
          <Notices
            access={access}
            lowered={firstAccess === 'write'}
            comments={mayComment}
            trashed={row.phase === 'trashed'}
            unreadable={unreadable}
            status={status}
            live={live}
            onRestore={may('document.restored') ? () => void documents.restore(row.id) : null}
            onCopied={(done) => toast({ text: done ? 'Your changes are on the clipboard.' : `${uncopied} Your changes are still in this tab.` })}
          />
          {row.forkedFrom !== null && row.forkedAt !== null && (
            <ForkNotice id={row.id} title={title} parent={row.forkedFrom} version={row.forkedAt} mayWrite={access === 'write'} />
          )}
          {row.forkedFrom === null && editor !== null && backend !== null && access !== 'none' && (
            <ImportNotice documentId={row.id} store={backend.store} />
          )}
          <Title title={row.title} editable={access === 'write'} onRename={(next) => void documents.rename(row.id, next)} />
          <p className={styles.byline} suppressHydrationWarning>
            {bylineOf({ writers: authors, createdAt: row.createdAt, changedAt: lastChange.at, changedBy }, clock)}
          </p>
          <TextEditor
            key={`${unreadable ?? 'live'} ${readable === null}`}
            html={readable ?? snapshot.html}
            live={written}
            editable={access === 'write'}
            personOf={personOf}
            onRefuse={refuse}
            onUnreadable={setUnreadable}
            onComment={mayComment ? comments.compose : null}
            onPick={comments.pick}
            onEditor={setMade}
            onReady={onTextReady}
          />
        </article>
        {live !== null && access !== 'none' && (
          <LiveDiscussions documentId={row.id} phase={row.phase} live={live} editor={editor} comments={comments} onNews={setFreshComments} />
        )}
      </div>
      {versions && (
        <VersionsDialog
          documentId={row.id}
          people={people}
          naming={may('document.edited') ? { at: Math.max(live?.version ?? 0, snapshot.version), words: 'the text as it is saved now' } : null}
          onClose={() => setVersions(false)}
        />
      )}
      {followed !== undefined && <FollowingChip person={followed} onStop={unfollow} />}
      {sharing && <ShareDialog open={sharing} onOpenChange={setSharing} name={title} />}
    </Frame>
    </div>
    {exporting && backend !== null && (
      <ExportDialog backend={backend} documentId={row.id} title={title} version={Math.max(live?.version ?? 0, snapshot.version)} people={people} me={me} onClose={() => setExporting(false)} />
    )}
    {verifying && backend !== null && (
      <VerifyDialog backend={backend} documentId={row.id} version={Math.max(live?.version ?? 0, snapshot.version)} clock={clock} onClose={() => setVerifying(false)} />
    )}
    </>
  )
}

/** Whether an address asks for a moment or a range of the history. */
function inThePast(query: URLSearchParams): boolean {
  return ['at', 'from', 'compare'].some((name) => /^\d{1,15}$/.test(query.get(name) ?? ''))
}
