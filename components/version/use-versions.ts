'use client'

import { useCallback, useEffect, useState } from 'react'
import { systemRandom } from '../../events/clock'
import { type Json } from '../../events/envelope'
import { type VersionRow } from '../../events/projections'
import { sentence } from '../../events/refusal'
import { useBackend } from '../session/backend-provider'
import { useToast } from '../ui/toast'
import { useWorkspace } from '../workspace/workspace-context'

/** Pinned ones first, then the latest moment. */
export function inOrder(versions: readonly VersionRow[]): VersionRow[] {
  return [...versions].sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.at - one.at || other.createdAt.localeCompare(one.createdAt))
}

const unreachable = 'The server could not be reached. The names of versions are as they were; try again when you are back online.'

/** The named versions of a document (null until they are read), and what can be done with them: shown at once, taken back if it is refused. */
export function useVersions(documentId: string) {
  const backend = useBackend()
  const { me } = useWorkspace()
  const toast = useToast()
  const [versions, setVersions] = useState<VersionRow[] | null>(null)
  const [failed, setFailed] = useState(false)

  const load = useCallback(() => {
    if (backend === null) return
    import('../../events/projections')
      .then(({ versionsOf }) => versionsOf(backend.rows, documentId))
      .then(
        (read) => {
          setVersions(read)
          setFailed(false)
        },
        () => setFailed(true),
      )
  }, [backend, documentId])
  useEffect(load, [load])

  const append = async (type: string, body: Json, id: string): Promise<boolean> => {
    try {
      const answer = await backend?.store.append(documentId, null, [{ id: systemRandom.uuid(), type, body, subject: { kind: 'version', id }, clientTime: new Date().toISOString() }])
      if (answer?.ok) return true
      toast({ text: answer ? sentence(answer.refusal) : unreachable })
    } catch {
      toast({ text: unreachable })
    }
    load()
    return false
  }
  const change = (id: string, fields: Partial<VersionRow>) =>
    setVersions((before) => before?.map((version) => (version.id === id ? { ...version, ...fields } : version)) ?? null)

  return {
    versions: versions && inOrder(versions),
    failed,
    retry: load,
    name: (at: number, name: string) => {
      const id = systemRandom.uuid()
      const now = new Date().toISOString()
      setVersions((before) => [...(before ?? []), { id, documentId, at, name, pinned: false, createdBy: me.userId, createdAt: now, updatedAt: now }])
      return append('version.named', { at, name }, id)
    },
    rename: (id: string, name: string) => {
      change(id, { name })
      return append('version.renamed', { name }, id)
    },
    pin: (id: string, pinned: boolean) => {
      change(id, { pinned })
      return append(pinned ? 'version.pinned' : 'version.unpinned', {}, id)
    },
  }
}
