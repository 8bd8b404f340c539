"use client";

import { useCallback, useRef, useState } from "react";
import type { ComponentType } from "react";
import { Button } from "@/components/ui/button";

type Props = {
  name: string;
  /** Runs the transfer and shows its progress until it is done or cancelled. */
  Transfer: ComponentType<{ onEnd: () => void }>;
};

/** Starts a transfer, shows it below the button, and restores the focus at its end. */
export function TransferButton({ name, Transfer }: Props) {
  const [isMaking, setMaking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = useCallback(() => {
    setMaking(false);
    button.current?.focus();
  }, []);
  return (
    <>
      <Button ref={button} look="edge" busy={isMaking} onClick={() => setMaking(true)}>
        {name}
      </Button>
      {isMaking && <Transfer onEnd={end} />}
    </>
  );
}
