"use client";

import { useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { TransferButton } from "@/components/transfer/transfer-button";
import { Button } from "@/components/ui/button";
import styles from "../account-page.module.css";

const DataDownload = onDemand(() =>
  import("./data-download").then((module) => module.DataDownload),
);
const DeleteAccountDialog = onDemand(() =>
  import("./delete-account-dialog").then((module) => module.DeleteAccountDialog),
);

/** Offers the download of the person's data. */
export function DataToTake() {
  return (
    <div>
      <p className={styles.note}>
        One archive with your profile, your sessions, your workspaces, and everything that you wrote
        in the documents you can read: what stands and what is deleted, and your comments.
      </p>
      <TransferButton name="Download my data" Transfer={DataDownload} />
    </div>
  );
}

/** Offers the permanent deletion of the account. */
export function AccountDeletion({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <p className={styles.note}>
        Your name becomes “Former member”, and your address and everything kept for you alone is
        removed. What you wrote in documents that others share stays in them and in their history.
      </p>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      {isOpen && <DeleteAccountDialog email={email} onClose={() => setOpen(false)} />}
    </div>
  );
}
