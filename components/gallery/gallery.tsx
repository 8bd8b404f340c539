import { Actions } from "./actions";
import { Fields } from "./fields";
import { Layers } from "./layers";
import { Messages } from "./messages";
import { People } from "./people";
import { Waiting } from "./waiting";
import styles from "./gallery.module.css";

/** Shows every component of components/ui, and some other presentational ones, in each state. */
export function Gallery() {
  return (
    <main className={styles.page} id="main">
      <h1>Gallery</h1>
      <p className={styles.lead}>
        In development only. Ctrl+Shift+L goes from the light theme to the dark one and back.
      </p>
      <Actions />
      <Fields />
      <Messages />
      <Waiting />
      <People />
      <Layers />
    </main>
  );
}
