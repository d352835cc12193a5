import { create } from 'zustand'

interface Toast {
  readonly id: number
  readonly tone: 'valid' | 'invalid'
  readonly text: string
}

interface ToastsState {
  readonly toasts: readonly Toast[]
}

export const useToasts = create<ToastsState>(() => ({ toasts: [] }))

const shownFor = 5000
const shownAtOnce = 3
let nextId = 1

/** Says a sentence at the foot of the window for a few seconds. */
export function say(tone: Toast['tone'], text: string): void {
  const id = nextId++
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.slice(1 - shownAtOnce), { id, tone, text }],
  }))
  setTimeout(() => hideToast(id), shownFor)
}

export function hideToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}
