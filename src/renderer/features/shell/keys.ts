import { actionsOf } from '#contract/commands.ts'
import { usePalette } from '../palette/store.ts'
import { boundTo } from './bound.ts'

const typing =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]'
const takesMovement = '[role="tablist"], [role="separator"], [role="slider"], [data-scrolls]'
/** Where Mod+A means the text. */
const selectsText = '[role="tabpanel"]'
const takesEnter = 'button, a[href], summary, [role="tab"], [role="treeitem"]'
const movement: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End']
/** They lead away from what one is in the middle of, and back to it: they work from a popover or a menu, too. */
const fromPopovers: readonly string[] = ['Mod+k', 'Mod+,']

const mac = /mac/i.test(globalThis.navigator?.platform ?? '')

/** What the key for commands is called on this machine. */
export const modKey = mac ? '⌘' : 'Ctrl'

/** The key as the registry writes it. Shift is named where it makes no other character of it. */
export function written(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): string {
  if (event.ctrlKey || event.metaKey) return `Mod+${event.key}`
  return event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
}

/** Whether a dialog is open that lets nobody at the page beneath. */
export function modalOpen(): boolean {
  return document.querySelector('[data-modal]') !== null
}

/** Whether a key belongs to what has the focus rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing) return true
  // The palette is on its way: what is typed is meant for it.
  if (usePalette.getState().shown) return true
  // Also before it has the focus.
  if (modalOpen()) return true
  const command = event.ctrlKey || event.metaKey
  // What was typed in within a shadow root: to the outside it is the root's host.
  const [inner] = event.composedPath()
  if (inner instanceof Element && inner !== event.target && inner.closest(typing)) {
    return !command || event.key === 'a'
  }
  const { target } = event
  if (!(target instanceof Element)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) {
    return !fromPopovers.includes(written(event))
  }
  if (command) {
    // On a Mac, Ctrl with a letter edits text: Ctrl+K takes the rest of the line away.
    if (mac && !event.metaKey && target.closest(typing)) return true
    // Mod+Enter sends while one types as well; Mod+A is the text's own.
    return event.key === 'a' && target.closest(`${typing}, ${selectsText}`) !== null
  }
  if (target.closest(typing)) return true
  if (movement.includes(event.key) && target.closest(takesMovement)) return true
  return event.key === 'Enter' && target.closest(takesEnter) !== null
}

function onKey(event: KeyboardEvent): void {
  if (isTaken(event)) return
  for (const name of actionsOf(written(event))) {
    const run = boundTo(name, { keyed: true })
    if (!run) continue
    event.preventDefault()
    run()
    return
  }
}

/** Does the commands of the keys that are pressed in a page. Called once. Returns its end. */
export function listenForKeys(page: Window): () => void {
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
