'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { useWorkspace } from './workspace-context'

/** Begins a document and opens it as soon as it is recorded; undefined for who may not. */
export function useNewDocument(): (() => void) | undefined {
  const { documents, mayDocument } = useWorkspace()
  const router = useRouter()
  const create = useCallback(() => {
    const { id, done } = documents.create()
    void done.then((recorded) => {
      if (recorded) router.push(`/d/${id}`)
    })
  }, [documents, router])
  return mayDocument('document.created', null) ? create : undefined
}
