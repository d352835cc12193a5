import { create } from 'zustand'

/** What can be done about it, with one press. */
interface ToastAction {
  readonly label: string
  readonly run: () => void
}

interface Toast {
  readonly id: number
  readonly tone: 'valid' | 'invalid'
  readonly text: string
  readonly action: ToastAction | null
}

interface ToastsState {
  readonly toasts: readonly Toast[]
}

export const useToasts = create<ToastsState>(() => ({ toasts: [] }))

const shownFor = 5000
const shownAtOnce = 3
let nextId = 1

/** Says a sentence at the foot of the window for a few seconds. */
export function say(tone: Toast['tone'], text: string, action: ToastAction | null = null): void {
  const id = nextId++
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.slice(1 - shownAtOnce), { id, tone, text, action }],
  }))
  setTimeout(() => hideToast(id), shownFor)
}

export function hideToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}
