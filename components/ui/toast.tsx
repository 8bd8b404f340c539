'use client'

import * as Radix from '@radix-ui/react-toast'
import { X } from 'lucide-react'
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { buttonClass } from './button'
import { Icon } from './icon'
import styles from './toast.module.css'

export type Toast = {
  text: string
  /** `instead` says where the same thing can be done later, once the toast is gone. */
  action?: { label: string; instead: string; onAct: () => void }
}

type Shown = Toast & { id: number }

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Gives the function that shows a toast for eight seconds; nothing may be doable only there. */
export function useToast(): (toast: Toast) => void {
  return use(ToastContext)
}

const most = 3
const duration = 8_000

/** Holds the toasts of the page, three at most; F8 moves focus to them, hover and focus stop their clock. */
export function ToastRegion({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ next: number; toasts: Shown[] }>({ next: 0, toasts: [] })
  const show = useCallback((toast: Toast) => {
    setShown(({ next, toasts }) => ({ next: next + 1, toasts: [...toasts, { ...toast, id: next }].slice(-most) }))
  }, [])
  const close = useCallback((id: number) => {
    setShown(({ next, toasts }) => ({ next, toasts: toasts.filter((toast) => toast.id !== id) }))
  }, [])
  const region = useMemo(
    () => shown.toasts.map((toast) => <Card key={toast.id} toast={toast} onClose={close} />),
    [shown.toasts, close],
  )
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={duration} swipeDirection="right" label="Notice">
        {children}
        {region}
        <Radix.Viewport className={styles.region} label="Notices ({hotkey})" />
      </Radix.Provider>
    </ToastContext>
  )
}

function Card({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  return (
    <Radix.Root className={styles.toast} type="background" onOpenChange={(open) => !open && onClose(toast.id)}>
      <Radix.Description className={styles.text}>{toast.text}</Radix.Description>
      {toast.action && (
        <Radix.Action className={buttonClass({ className: styles.action })} altText={toast.action.instead} onClick={toast.action.onAct}>
          {toast.action.label}
        </Radix.Action>
      )}
      <Radix.Close className={buttonClass({ look: 'quiet', icon: true })} aria-label="Close">
        <Icon of={X} />
      </Radix.Close>
    </Radix.Root>
  )
}
