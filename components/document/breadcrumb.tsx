import { DocumentIcon } from "@/components/ui/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./document.module.css";

type Props = { title: string; icon: string | null };

/** Where a document is: its workspace, and its title. */
export function Crumbs({ title, icon }: Props) {
  const { id, name } = useWorkspace("id", "name");
  return (
    <div className={styles.chrome}>
      <div className={styles.crumbs}>
        <Link href={`/w/${id}`}>{name}</Link>
        <span aria-hidden="true">/</span>
        <b>
          <DocumentIcon emoji={icon} /> {title}
        </b>
      </div>
    </div>
  );
}
