'use client'

import { Bookmark, Download, FileText, GitFork, Link2, ShieldCheck, Trash2, UserRoundPlus } from 'lucide-react'
import { InsightMenuItems } from '../insight/insight-menu-items'
import { MenuItem, MenuRule } from '../ui/menu'

export type MoreActions = {
  onShare: () => void
  onCopyLink: () => void
  onCopyText: () => void
  onVersions: () => void
  mayName: boolean
  onFork: (() => void) | null
  onVerify: () => void
  onExport: () => void
  onTrash: (() => void) | null
}

/** What the menu of a document holds; fetched when it is opened. */
export function MoreItems({ onShare, onCopyLink, onCopyText, onVersions, mayName, onFork, onVerify, onExport, onTrash }: MoreActions) {
  return (
    <>
      <MenuItem icon={UserRoundPlus} onSelect={onShare}>Share…</MenuItem>
      <MenuItem icon={Link2} onSelect={onCopyLink}>Copy link</MenuItem>
      <MenuItem icon={FileText} onSelect={onCopyText}>Copy as Markdown</MenuItem>
      <MenuRule />
      <InsightMenuItems />
      <MenuRule />
      <MenuItem icon={Bookmark} onSelect={onVersions}>{mayName ? 'Name this version…' : 'Versions…'}</MenuItem>
      {onFork !== null && <MenuItem icon={GitFork} onSelect={onFork}>Fork this document</MenuItem>}
      <MenuItem icon={ShieldCheck} onSelect={onVerify}>Verify history…</MenuItem>
      <MenuItem icon={Download} onSelect={onExport}>Export…</MenuItem>
      {onTrash !== null && (
        <>
          <MenuRule />
          <MenuItem icon={Trash2} onSelect={onTrash}>Move to trash</MenuItem>
        </>
      )}
    </>
  )
}
