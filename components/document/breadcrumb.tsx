import { DocumentIcon } from "@/components/ui/document-icon";
import { Link } from "@/components/ui/link";
import styles from "./document.module.css";

type Props = { workspace: { id: string; name: string }; title: string; icon: string | null };

/** Where a document is: its workspace, and its title. */
export function Crumbs({ workspace, title, icon }: Props) {
  return (
    <div className={styles.chrome}>
      <div className={styles.crumbs}>
        <Link href={`/w/${workspace.id}`}>{workspace.name}</Link>
        <span aria-hidden="true">/</span>
        <b>
          <DocumentIcon emoji={icon} /> {title}
        </b>
      </div>
    </div>
  );
}
