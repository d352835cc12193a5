import { create } from 'zustand'
import { messageOf } from './use-action.ts'

interface ToastAction {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly id: number
  readonly tone: 'valid' | 'invalid'
  readonly text: string
  readonly action: ToastAction | null
  /** The topic. A later toast with the same topic replaces it. */
  readonly about: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface ToastsState {
  readonly toasts: readonly Toast[]
  /** All since the window was opened, newest first. */
  readonly history: readonly Toast[]
}

export const useToasts = create<ToastsState>(() => ({ toasts: [], history: [] }))

const visibleFor = 10_000
const maxHistory = 100
const maxToasts = 3
let nextId = 1

/** Shows a message at the bottom of the page for ten seconds, and keeps it in the history. */
export function toast(
  tone: Toast['tone'],
  text: string,
  { action = null, about = null }: Partial<Pick<Toast, 'action' | 'about'>> = {},
): void {
  const id = nextId++
  const added = { id, tone, text, action, about, at: Date.now() }
  useToasts.setState(({ toasts, history }) => {
    // A message that is still shown is replaced in the history as well: the next step of the same work is no other message.
    const replaced = toasts.filter((shown) => about !== null && shown.about === about)
    return {
      toasts: [...toasts.filter((shown) => !replaced.includes(shown)).slice(1 - maxToasts), added],
      history: [added, ...history.filter((before) => !replaced.includes(before))].slice(
        0,
        maxHistory,
      ),
    }
  })
  setTimeout(() => hideToast(id), visibleFor)
}

/** Shows why a call failed. */
export function toastError(error: unknown): void {
  toast('invalid', messageOf(error))
}

export function hideToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((shown) => shown.id !== id) }))
}
