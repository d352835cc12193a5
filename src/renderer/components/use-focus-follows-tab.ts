import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * For a list of tabs: where one of them has the focus when another is chosen by its key, the focus goes along. Left behind it would choose its
 * own tab again as soon as it came back from a dialog.
 */
export function useFocusFollowsTab(chosen: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (!focused || !list.current?.contains(focused)) return
    const tab = list.current.querySelector(`[role="tab"][aria-selected="true"]`)
    if (tab instanceof HTMLElement && tab !== focused) tab.focus()
  }, [chosen])
  return list
}
