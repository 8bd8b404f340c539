'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { mayEmit } from '../../machines/catalog'
import { useWorkspace } from './workspace-room'

/** Begins a document and opens it as soon as it is recorded; undefined for who may not. */
export function useNewDocument(): (() => void) | undefined {
  const { documents, role, access } = useWorkspace()
  const router = useRouter()
  const create = useCallback(() => {
    const { id, done } = documents.create()
    void done.then((recorded) => {
      if (recorded) router.push(`/d/${id}`)
    })
  }, [documents, router])
  const may = access === 'open' && mayEmit('document.created', { phase: 'absent', role, isSelf: false, isAuthor: false })
  return may ? create : undefined
}
