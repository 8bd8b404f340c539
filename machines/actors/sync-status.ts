import { type SnapshotFrom } from 'xstate'
import { sentence } from '@/events/refusal'
import { type syncMachine } from './sync'

export type SyncStatus = {
  label: 'Saved' | 'Saving…' | 'Offline' | 'Not saved'
  tone: 'calm' | 'busy' | 'warning' | 'problem'
  sentence: string
  /** What the person can do about it. */
  action: 'sign-in' | 'retry' | 'copy' | null
}

/** What a document's status line says: what happened, what it means for the text, what can be done. */
export function status(snapshot: Pick<SnapshotFrom<typeof syncMachine>, 'value' | 'context'>): SyncStatus {
  const { value, context } = snapshot
  const unsaved = context.pending > 0
  const changes = context.pending === 1 ? '1 change' : `${context.pending} changes`
  if (value.session === 'ended') {
    return {
      label: unsaved ? 'Not saved' : 'Offline',
      tone: 'problem',
      sentence: unsaved
        ? "You've been signed out. Your last changes are safe in this tab. Sign in to continue."
        : "You've been signed out. Everything you wrote is saved. Sign in to continue.",
      action: 'sign-in',
    }
  }
  if (value.access === 'none') {
    return unsaved
      ? notSaved(`You no longer have access to this document. You can still copy the text you wrote (${changes}).`, 'copy')
      : { label: 'Offline', tone: 'problem', sentence: 'You no longer have access to this document.', action: null }
  }
  if (value.access === 'read') {
    return unsaved
      ? notSaved(`You can read this document but no longer edit it. You can still copy the text you wrote (${changes}).`, 'copy')
      : { label: 'Saved', tone: 'calm', sentence: 'You can read this document but not edit it.', action: null }
  }
  if (value.outbox === 'refused') {
    const why = context.refusal ? ` ${sentence(context.refusal)}` : ''
    return notSaved(`These changes aren't saved on the server yet. Keep this tab open.${why}`, 'retry')
  }
  if (context.stranded > 0) {
    return notSaved(
      `${context.stranded === 1 ? '1 change' : `${context.stranded} changes`} of yours belong to text of somebody else that was never saved, so they have no place in the document. Copy them to put them in by hand.`,
      'copy',
    )
  }
  const kept = value.storage === 'device'
  if (value.contact === 'missing' && context.trouble === 'fault') {
    return unsaved
      ? notSaved(`The server is in trouble and hasn't saved your last changes (${changes}). They are kept ${kept ? 'on this device' : 'in this tab'} and sent again.`, 'retry')
      : { label: 'Offline', tone: 'warning', sentence: "The server is in trouble. Everything you wrote is saved; what others write appears when it's back.", action: null }
  }
  if (value.contact === 'missing') {
    return {
      label: 'Offline',
      tone: 'warning',
      sentence: kept
        ? "You're offline. Your changes are kept on this device and will be sent when you're back."
        : "You're offline, and this browser has no room to keep your changes. Keep this tab open; they will be sent when you're back.",
      action: null,
    }
  }
  const delay = context.delay >= 1_000 ? ` Others see your letters after about ${Math.round(context.delay / 1_000)} s.` : ''
  if (unsaved) {
    return {
      label: 'Saving…',
      tone: 'busy',
      sentence:
        context.failures > 0
          ? `The server didn't answer. Your changes are kept ${kept ? 'on this device' : 'in this tab'} and sent again.`
          : `Your changes are being saved.${delay}`,
      action: null,
    }
  }
  if (!kept) {
    return {
      label: 'Saved',
      tone: 'warning',
      sentence: 'This browser has no room for offline changes. Stay online, or free some space.',
      action: null,
    }
  }
  return { label: 'Saved', tone: 'calm', sentence: `Everything you wrote is saved.${delay}`, action: null }
}

function notSaved(text: string, action: 'retry' | 'copy'): SyncStatus {
  return { label: 'Not saved', tone: 'problem', sentence: text, action }
}
