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
  /** What it is about: a later one about the same takes its place. */
  readonly about: string | null
}

interface ToastsState {
  readonly toasts: readonly Toast[]
}

export const useToasts = create<ToastsState>(() => ({ toasts: [] }))

const shownFor = 5000
const shownAtOnce = 3
let nextId = 1

/** Says a sentence at the foot of the window for a few seconds. */
export function say(
  tone: Toast['tone'],
  text: string,
  { action = null, about = null }: Partial<Pick<Toast, 'action' | 'about'>> = {},
): void {
  const id = nextId++
  useToasts.setState(({ toasts }) => ({
    toasts: [
      ...toasts.filter((toast) => about === null || toast.about !== about).slice(1 - shownAtOnce),
      { id, tone, text, action, about },
    ],
  }))
  setTimeout(() => hideToast(id), shownFor)
}

export function hideToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}
