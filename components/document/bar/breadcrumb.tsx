import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { aboveOf } from "@/machines/tree-rows";
import styles from "../document.module.css";

type Props = { documentId: string; title: string; icon: string | null };

/** The largest number of ancestors in the bar. The nearest ancestors are shown. */
const most = 2;

/** Shows the path of a document: its workspace, its ancestors, and its title. */
export function Crumbs({ documentId, title, icon }: Props) {
  const { id, name, documents } = useWorkspace("id", "name", "documents");
  const above = aboveOf(documents, documentId);
  return (
    <nav className={styles.chrome} aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        <li>
          <Link href={`/w/${id}`}>{name}</Link>
        </li>
        {above.length > most && (
          <li title={above.map((each) => each.title || "Untitled").join(" / ")}>…</li>
        )}
        {above.slice(-most).map((each) => (
          <li key={each.id}>
            <Link href={`/d/${each.id}`}>{each.title || "Untitled"}</Link>
          </li>
        ))}
        <li aria-current="page">
          <DocumentIcon emoji={icon} /> {title}
        </li>
      </ol>
    </nav>
  );
}
