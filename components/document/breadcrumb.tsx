import { Link } from "@/components/ui/link";
import styles from "./document.module.css";

type Props = { workspace: { id: string; name: string }; title: string };

/** Where a document is: its workspace, and its title. */
export function Crumbs({ workspace, title }: Props) {
  return (
    <div className={styles.chrome}>
      <div className={styles.crumbs}>
        <Link href={`/w/${workspace.id}`}>{workspace.name}</Link>
        <span aria-hidden="true">/</span>
        <b>{title}</b>
      </div>
    </div>
  );
}
