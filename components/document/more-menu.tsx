'use client'

import { Bookmark, Download, Ellipsis, FileText, GitFork, Link2, ShieldCheck, Trash2, UserRoundPlus } from 'lucide-react'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { Menu, MenuItem, MenuRule } from '../ui/menu'
import { InsightMenuItems } from '../insight/insight-menu-items'

type Props = { onShare: () => void; onCopyLink: () => void; onCopyText: () => void; onVersions: () => void; mayName: boolean; onFork: (() => void) | null; onVerify: () => void; onExport: () => void; onTrash: (() => void) | null }

/** The rest of what can be done with a document. */
export function MoreMenu({ onShare, onCopyLink, onCopyText, onVersions, mayName, onFork, onVerify, onExport, onTrash }: Props) {
  return (
    <Menu
      align="end"
      label="More"
      trigger={
        <Button look="quiet" icon aria-label="More">
          <Icon of={Ellipsis} />
        </Button>
      }
    >
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
    </Menu>
  )
}
