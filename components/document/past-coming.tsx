import { Button } from '../ui/button'
import styles from './document.module.css'

/** Stands in the place of the past while its code is fetched, which without a network is as long as there is none. */
export function PastComing() {
  return (
    <div className={styles.coming}>
      <p role="status">The history is being fetched. If you’re offline, it opens when you’re back.</p>
      <Button look="edge" onClick={() => history.pushState(null, '', location.pathname)}>
        Back to live
      </Button>
    </div>
  )
}
