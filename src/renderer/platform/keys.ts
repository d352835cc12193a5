import { actionsOf } from '#contract/commands.ts'
import { usePalette } from '../state/palette.ts'
import { boundTo } from './command-registry.ts'

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

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What got the focus by a click rather than by a key. */
let clicked: Element | null = null

/** The key as the registry writes it. Shift is named where it makes no other character of it. */
export function written(event: Pressed, capsLock = false): string {
  const typed = latin(event)
  const key = capsLock && /^[a-z]$/i.test(typed) ? withoutCapsLock(typed, event) : typed
  // Caps Lock makes another letter, and is not meant to make another command.
  if (event.ctrlKey || event.metaKey) {
    return `Mod+${key.length === 1 && !event.shiftKey ? key.toLowerCase() : key}`
  }
  return event.shiftKey && key.length > 1 ? `Shift+${key}` : key
}

/** The letter that Shift alone makes. */
function withoutCapsLock(letter: string, { shiftKey }: Pressed): string {
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

/** A letter that no key of the registry has, as a Greek or Cyrillic keyboard writes it, is the Latin one of the same place. */
function latin({ key, code, altKey, shiftKey }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  // With Alt it is a sign of the keyboard's third level, which nobody means as a letter.
  if (letter === undefined || altKey || !/^\p{L}$/u.test(key) || /^[\0-\x7F]$/.test(key)) return key
  // Those of Latin keyboards are letters of their own.
  if (/\p{Script=Latin}/u.test(key)) return key
  return shiftKey ? letter : letter.toLowerCase()
}

/** Whether a key with Alt is none of ours. On a Mac many keyboards have brackets and others with Option alone. */
export function isWithAlt(event: Pressed, onMac: boolean): boolean {
  if (!event.altKey) return false
  return !onMac || event.ctrlKey || event.metaKey || !/^[!-/:-@[-`{-~]$/.test(event.key)
}

/** Whether a dialog is open that lets nobody at the page beneath. */
export function modalOpen(): boolean {
  return document.querySelector('[data-modal]') !== null
}

/** Whether a key belongs to what has the focus rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isWithAlt(event, mac) || event.isComposing) return true
  // The palette is on its way: what is typed is meant for it.
  if (usePalette.getState().shown) return true
  // Also before it has the focus.
  if (modalOpen()) return true
  const command = event.ctrlKey || event.metaKey
  const selectsAll = written(event) === 'Mod+a'
  // What was typed in within a shadow root: to the outside it is the root's host.
  const [inner] = event.composedPath()
  if (inner instanceof Element && inner !== event.target && inner.closest(typing)) {
    return !command || selectsAll
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
    return selectsAll && target.closest(`${typing}, ${selectsText}`) !== null
  }
  if (target.closest(typing)) return true
  if (movement.includes(event.key) && target.closest(takesMovement)) return true
  if (event.key !== 'Enter' || target.closest(takesEnter) === null) return false
  // A button that was clicked keeps the focus: outside of an open delivery the page's own use of Enter comes first.
  return target !== clicked || target.closest('[data-keeps-enter]') !== null
}

function onKey(event: KeyboardEvent): void {
  if (isTaken(event)) return
  for (const name of actionsOf(written(event, event.getModifierState('CapsLock')))) {
    const run = boundTo(name, { keyed: true })
    if (!run) continue
    event.preventDefault()
    run()
    return
  }
}

/** Does the commands of the keys that are pressed in a page. Called once. Returns its end. */
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
  page.addEventListener('pointerdown', onPointer, true)
  page.addEventListener('keydown', onAnyKey, true)
  page.addEventListener('focusin', onFocus)
  page.addEventListener('keydown', onKey)
  return () => {
    page.removeEventListener('pointerdown', onPointer, true)
    page.removeEventListener('keydown', onAnyKey, true)
    page.removeEventListener('focusin', onFocus)
    page.removeEventListener('keydown', onKey)
  }
}

const drawn: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
}

/** A key of the registry as it stands on a keyboard: `Shift R`, `Ctrl K`, `↓`. */
export function keyWord(key: string): string {
  const plus = key.indexOf('+')
  const [modifier, name] = plus > 0 ? [key.slice(0, plus), key.slice(plus + 1)] : ['', key]
  if (modifier !== '') return `${modifier === 'Mod' ? modKey : modifier} ${keyWord(name)}`
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`
  return drawn[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
