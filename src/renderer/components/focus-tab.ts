import type { FocusEvent } from 'react'

/**
 * For `Tabs.List`: its own focus goes on to the chosen tab. Radix does so as well, but not the first time after a click on a tab, which would
 * be a press of the Tab key after which nothing seems to have the focus.
 */
export function focusTab({ target, currentTarget }: FocusEvent<HTMLDivElement>): void {
  if (target !== currentTarget) return
  const tab = currentTarget.querySelector('[role="tab"][aria-selected="true"]')
  if (tab instanceof HTMLElement) tab.focus({ preventScroll: true })
}
