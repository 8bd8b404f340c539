import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { DocumentRoom } from '@/components/document/document-room'
import { loadDocument } from './load'

type Props = { params: Promise<{ document: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const loaded = await loadDocument((await params).document)
  if (loaded === null || loaded === 'signed-out') return {}
  return { title: { absolute: `${loaded.document.row.title || 'Untitled'} — ${loaded.workspace.workspace.name}` } }
}

export default async function Page({ params }: Props) {
  const { document } = await params
  const loaded = await loadDocument(document)
  if (loaded === 'signed-out') redirect(`/sign-in?next=${encodeURIComponent(`/d/${document}`)}`)
  if (loaded === null) notFound()
  return <DocumentRoom workspace={loaded.workspace} document={loaded.document} />
}
