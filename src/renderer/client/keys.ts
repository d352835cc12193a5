import { mac } from '#kit/text/key-labels.ts'
import { actionsOf } from '#contract/commands.ts'
import { usePalette } from './state/overlays.ts'
import { boundTo } from './command-registry.ts'

const typing =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]'
const takesMovement = '[role="tablist"], [role="separator"], [role="slider"], [data-scrolls]'
const selectsText = '[role="tabpanel"]'
const takesEnter = 'button, a[href], summary, [role="tab"], [role="treeitem"]'
const movement: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End']
/** Keys that also work in a popover or menu, because they open something else. */
const fromPopovers: readonly string[] = ['Mod+k', 'Mod+,']

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

let clicked: Element | null = null

/** The key in the notation of the registry. Shift is only included if it does not change the character. */
export function keyNotation(event: Pressed, capsLock = false): string {
  const typed = latin(event)
  const key = capsLock && /^[a-z]$/i.test(typed) ? withoutCapsLock(typed, event) : typed
  // Caps Lock changes the letter but must not change the command.
  if (event.ctrlKey || event.metaKey) {
    return `Mod+${key.length === 1 && !event.shiftKey ? key.toLowerCase() : key}`
  }
  return event.shiftKey && key.length > 1 ? `Shift+${key}` : key
}

function withoutCapsLock(letter: string, { shiftKey }: Pressed): string {
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

/** Maps a letter of a non-Latin keyboard, such as Greek or Cyrillic, to the Latin letter at the same position. */
function latin({ key, code, altKey, shiftKey }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  // With Alt it is a third-level character of the keyboard, not a letter.
  if (letter === undefined || altKey || !/^\p{L}$/u.test(key) || /^[\0-\x7F]$/.test(key)) return key
  // Letters of Latin keyboards are not mapped.
  if (/\p{Script=Latin}/u.test(key)) return key
  return shiftKey ? letter : letter.toLowerCase()
}

/** Whether to ignore a key because of Alt. On a Mac, many keyboards need Option for brackets and similar characters. */
export function isWithAlt(event: Pressed, onMac: boolean): boolean {
  if (!event.altKey) return false
  return !onMac || event.ctrlKey || event.metaKey || !/^[!-/:-@[-`{-~]$/.test(event.key)
}

export function modalOpen(): boolean {
  return document.querySelector('[data-modal]') !== null
}

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isWithAlt(event, mac) || event.isComposing) return true
  // The palette is opening, so the keys are meant for it.
  if (usePalette.getState().shown) return true
  // Also before the dialog has the focus.
  if (modalOpen()) return true
  const command = event.ctrlKey || event.metaKey
  const selectsAll = keyNotation(event) === 'Mod+a'
  // For an input in a shadow root, the event target is the host.
  const [inner] = event.composedPath()
  if (inner instanceof Element && inner !== event.target && inner.closest(typing)) {
    return !command || selectsAll
  }
  const { target } = event
  if (!(target instanceof Element)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) {
    return !fromPopovers.includes(keyNotation(event))
  }
  if (command) {
    // On a Mac, Ctrl with a letter edits text: Ctrl+K deletes the rest of the line.
    if (mac && !event.metaKey && target.closest(typing)) return true
    // Mod+Enter also works in a text field. Mod+A selects the text.
    return selectsAll && target.closest(`${typing}, ${selectsText}`) !== null
  }
  if (target.closest(typing)) return true
  if (movement.includes(event.key) && target.closest(takesMovement)) return true
  if (event.key !== 'Enter' || target.closest(takesEnter) === null) return false
  // A clicked button keeps the focus. Outside an open delivery, the page's binding of Enter takes precedence.
  return target !== clicked || target.closest('[data-keeps-enter]') !== null
}

function onKey(event: KeyboardEvent): void {
  if (isTaken(event)) return
  for (const name of actionsOf(keyNotation(event, event.getModifierState('CapsLock')))) {
    const run = boundTo(name, { keyed: true })
    if (!run) continue
    event.preventDefault()
    run()
    return
  }
}

/** Runs the commands of pressed keys. Call once. Returns a function that stops it. */
export function listenForKeys(page: Window): () => void {
  let byPointer = false
  const onPointer = ({ target }: Event): void => {
    byPointer = true
    const { activeElement: focused } = page.document
    clicked = target instanceof Node && focused?.contains(target) === true ? focused : null
  }
  const onAnyKey = (): void => {
    byPointer = false
  }
  const onFocus = ({ target }: Event): void => {
    clicked = byPointer && target instanceof Element ? target : null
  }
  const stop = new AbortController()
  const { signal } = stop
  page.addEventListener('pointerdown', onPointer, { capture: true, signal })
  page.addEventListener('keydown', onAnyKey, { capture: true, signal })
  page.addEventListener('focusin', onFocus, { signal })
  page.addEventListener('keydown', onKey, { signal })
  return () => stop.abort()
}
