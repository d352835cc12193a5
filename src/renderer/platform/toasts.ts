import { create } from 'zustand'
import { messageOf } from './call-error.ts'

interface ToastAction {
  readonly label: string
  readonly run: () => void
}

interface Toast {
  readonly id: number
  readonly tone: 'valid' | 'invalid'
  readonly text: string
  readonly action: ToastAction | null
  /** The topic. A later toast with the same topic replaces it. */
  readonly about: string | null
}

interface ToastsState {
  readonly toasts: readonly Toast[]
}

export const useToasts = create<ToastsState>(() => ({ toasts: [] }))

const visibleFor = 5000
const maxToasts = 3
let nextId = 1

/** Shows a message at the bottom of the window for a few seconds. */
export function toast(
  tone: Toast['tone'],
  text: string,
  { action = null, about = null }: Partial<Pick<Toast, 'action' | 'about'>> = {},
): void {
  const id = nextId++
  useToasts.setState(({ toasts }) => ({
    toasts: [
      ...toasts.filter((shown) => about === null || shown.about !== about).slice(1 - maxToasts),
      { id, tone, text, action, about },
    ],
  }))
  setTimeout(() => hideToast(id), visibleFor)
}

/** Shows why a call failed. */
export function toastError(error: unknown): void {
  toast('invalid', messageOf(error))
}

export function hideToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((shown) => shown.id !== id) }))
}
