import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { NoticePage } from '@/components/ui/notice-page'

export default function DocumentNotFound() {
  return (
    <NoticePage
      title="No document here"
      actions={
        <Link className={buttonClass({ look: 'primary' })} href="/">
          To your workspaces
        </Link>
      }
    >
      This document doesn’t exist or isn’t shared with you. Ask the person who gave you its address for access.
    </NoticePage>
  )
}
