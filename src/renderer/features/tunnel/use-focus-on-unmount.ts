import { useLayoutEffect, useRef, type RefObject } from 'react'

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
