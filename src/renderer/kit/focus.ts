import { flushSync } from 'react-dom'
import { type FocusEvent, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Applies a change and moves the focus before the next key press: a key pressed
 * while the focus waits for a frame would be lost. Call it from an event handler, never during rendering.
 */
export function focusAfter(change: () => void, find: () => HTMLElement | null | undefined): void {
  flushSync(change)
  find()?.focus()
}

/**
 * For `Tabs.List`: moves the focus of the list to the selected tab. Radix does this too, but not the first time after a click on a tab. Pressing
 * Tab would then focus nothing visible.
 */
export function focusTab({ target, currentTarget }: FocusEvent<HTMLDivElement>): void {
  if (target !== currentTarget) return
  const tab = currentTarget.querySelector('[role="tab"][aria-selected="true"]')
  if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
}

/**
 * For a list of tabs: if a tab has the focus when another one is selected by its key, moves the focus along. Otherwise the focused tab would be
 * selected again when the focus returns from a dialog.
 */
export function useFocusFollowsTab(selected: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(selected)
  useLayoutEffect(() => {
    if (before.current === selected) return
    before.current = selected
    const focused = document.activeElement
    if (!focused || !list.current?.contains(focused)) return
    const tab = list.current.querySelector('[role="tab"][aria-selected="true"]')
    if (tab instanceof HTMLElement && tab !== focused) tab.focus()
  }, [selected])
  return list
}

/** Moves the focus to `target` if the element with the returned ref unmounts while it contains the focus. */
export function useFocusOnUnmount<E extends HTMLElement>(
  target: RefObject<HTMLElement | null>,
): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      // The cleanup runs before the element is removed, so the focus is still known.
      // The target is read at cleanup on purpose.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      if (element?.contains(document.activeElement)) target.current?.focus()
    }
  }, [target])
  return ref
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The bar of a chart that a key moves the cursor to; null: it is another key. */
export function indexAfterKey(key: string, at: number, count: number): number | null {
  const step = keySteps[key]
  if (step === undefined || count === 0) return null
  return Math.min(count - 1, Math.max(0, at + step))
}
