"use client";

import { createContext, lazy, Suspense, use, useCallback, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { knownRelease, onRelease, watchRelease } from "@/components/loading/release";
import type { Shown, Toast } from "./toast-cards";

const fetchCards = () => importWithRetry(() => import("./toast-cards"));
const ToastCards = lazy(() => fetchCards().then((cards) => ({ default: cards.ToastCards })));

const ToastContext = createContext<(toast: Toast) => void>(() => {});

/**
 * Returns a function that shows a toast for eight seconds. The toast's action must also be
 * available elsewhere.
 */
export function useToast(): (toast: Toast) => void {
  return use(ToastContext);
}

const most = 3;

/**
 * Shows the toasts of the page, three at most. Their code loads after the page but before a toast
 * needs it, because the network may be gone by then.
 */
export function ToastRegion({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ next: number; toasts: Shown[] }>({ next: 0, toasts: [] });
  const show = useCallback((toast: Toast) => {
    setShown(({ next, toasts }) => ({
      next: next + 1,
      toasts: [...toasts, { ...toast, id: next }].slice(-most),
    }));
  }, []);
  const close = useCallback((id: number) => {
    setShown(({ next, toasts }) => ({ next, toasts: toasts.filter((toast) => toast.id !== id) }));
  }, []);
  useEffect(() => void afterCritical().then(fetchCards), []);
  useEffect(() => watchRelease(Date.now), []);
  useEffect(
    () =>
      onRelease(() =>
        show({
          text:
            knownRelease() === "replaced"
              ? "A new version of Palimpsest was released. Reload the page to use it; what you wrote is kept."
              : "A part of this page can’t be loaded. Reload the page to try again; what you wrote is kept.",
          action: { label: "Reload", instead: "Reload the page", onAct: () => location.reload() },
        }),
      ),
    [show],
  );
  return (
    <ToastContext value={show}>
      {children}
      <Suspense>{shown.next > 0 && <ToastCards toasts={shown.toasts} onClose={close} />}</Suspense>
    </ToastContext>
  );
}
