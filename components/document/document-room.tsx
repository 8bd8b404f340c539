'use client'

import { Announcer } from '../announcer'
import { WorkspaceRoom } from '../workspace/workspace-room'
import type { WorkspaceSnapshot } from '../workspace/snapshot'
import { DocumentPage, type DocumentSnapshot } from './document-page'

type Props = { workspace: WorkspaceSnapshot; document: DocumentSnapshot }

/** A document's page with everything live around it. */
export function DocumentRoom({ workspace, document }: Props) {
  return (
    <Announcer>
      <WorkspaceRoom initial={workspace} here={document.row.id}>
        <DocumentPage key={document.row.id} snapshot={document} />
      </WorkspaceRoom>
    </Announcer>
  )
}
