import { flushSync } from 'react-dom'

/**
 * Makes a change of what is shown and puts the focus where it belongs, before the next key can come: a key pressed
 * while the focus waits for a frame would be lost. Called from a handler of an event, never while React renders.
 */
export function focusAfter(change: () => void, find: () => HTMLElement | null | undefined): void {
  flushSync(change)
  find()?.focus()
}
