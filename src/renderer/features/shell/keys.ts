import { useEffect, useLayoutEffect, useRef } from 'react'
import { actionsOf, type CommandName } from '#contract/commands.ts'

const typing =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]'
const takesMovement = '[role="tablist"], [role="separator"], [role="slider"], [data-scrolls]'
/** Where Mod+A means the text. */
const selectsText = '[role="tabpanel"]'
const takesEnter = 'button, a[href], summary, [role="tab"], [role="treeitem"]'
const movement: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End']

/** What the key for commands is called on this machine. */
export const modKey = /mac/i.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

/** The key as the registry writes it. Shift is named where it makes no other character of it. */
export function written(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): string {
  if (event.ctrlKey || event.metaKey) return `Mod+${event.key}`
  return event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key
}

/** Whether a key belongs to what has the focus rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey) return true
  // What was typed in within a shadow root: to the outside it is the root's host.
  const [inner] = event.composedPath()
  if (inner instanceof Element && inner !== event.target && inner.closest(typing)) {
    return (!event.ctrlKey && !event.metaKey) || event.key === 'a'
  }
  const { target } = event
  if (!(target instanceof Element)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true
  if (event.ctrlKey || event.metaKey) {
    // Mod+Enter sends while one types as well; Mod+A is the text's own.
    return event.key === 'a' && target.closest(`${typing}, ${selectsText}`) !== null
  }
  if (target.closest(typing)) return true
  if (movement.includes(event.key) && target.closest(takesMovement)) return true
  return event.key === 'Enter' && target.closest(takesEnter) !== null
}

/** Binds actions to their keys while the component is mounted. */
export function useKeys(bindings: Partial<Record<CommandName, () => void>>): void {
  const latest = useRef(bindings)
  useEffect(() => {
    latest.current = bindings
  })
  // Before the screen is drawn: what one can see must take its keys.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTaken(event)) return
      const name = actionsOf(written(event)).find((action) => latest.current[action])
      const run = name && latest.current[name]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
