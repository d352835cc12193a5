import { flushSync } from 'react-dom'
import { type FocusEvent, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Makes a change of what is shown and puts the focus where it belongs, before the next key can come: a key pressed
 * while the focus waits for a frame would be lost. Called from a handler of an event, never while React renders.
 */
export function focusAfter(change: () => void, find: () => HTMLElement | null | undefined): void {
  flushSync(change)
  find()?.focus()
}

/**
 * For `Tabs.List`: its own focus goes on to the chosen tab. Radix does so as well, but not the first time after a click on a tab, which would
 * be a press of the Tab key after which nothing seems to have the focus.
 */
export function focusTab({ target, currentTarget }: FocusEvent<HTMLDivElement>): void {
  if (target !== currentTarget) return
  const tab = currentTarget.querySelector('[role="tab"][aria-selected="true"]')
  if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
}

/**
 * For a list of tabs: where one of them has the focus when another is chosen by its key, the focus goes along. Left behind it would choose its
 * own tab again as soon as it came back from a dialog.
 */
export function useFocusFollowsTab(chosen: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(chosen)
  useLayoutEffect(() => {
    if (before.current === chosen) return
    before.current = chosen
    const focused = document.activeElement
    if (!focused || !list.current?.contains(focused)) return
    const tab = list.current.querySelector('[role="tab"][aria-selected="true"]')
    if (tab instanceof HTMLElement && tab !== focused) tab.focus()
  }, [chosen])
  return list
}
