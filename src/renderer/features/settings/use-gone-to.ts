import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { useShell } from '../shell/store.ts'
import { settingsPlaceOf } from './address.ts'
import { useWantedSetting } from './looking.ts'

/** Milliseconds for which a setting that was gone to is set off. */
const shownFor = 2000

/**
 * Goes where the address says: looks for what it names (`?find=`), or scrolls to the setting, puts the focus on it, and returns its name for a
 * moment. Again for each time that it is asked for.
 */
export function useGoneTo(
  place: RefObject<HTMLElement | null>,
  look: (query: string) => void,
): string | null {
  const hash = useShell((state) => state.hash)
  const turn = useWantedSetting((state) => state.turn)
  /** Which asking is over. */
  const [over, setOver] = useState<string | null>(null)
  const { name, find } = settingsPlaceOf(hash)
  const asking = `${turn} ${hash}`
  useEffect(() => {
    look(find)
    if (name === null) return undefined
    // Once it is shown: it may have been hidden by what was looked for.
    const go = setTimeout(() => reveal(place.current, name))
    const end = setTimeout(() => setOver(asking), shownFor)
    return () => {
      clearTimeout(go)
      clearTimeout(end)
    }
  }, [asking, name, find, look, place])
  return over === asking ? null : name
}

const reachable = 'input:checked, input:not([type="radio"]), select, button, a[href]'

function reveal(place: HTMLElement | null, name: string): void {
  const setting = place?.querySelector<HTMLElement>(`[data-setting="${name}"]`)
  if (!setting) return
  setting.scrollIntoView({ block: 'center' })
  setting.querySelector<HTMLElement>(reachable)?.focus({ preventScroll: true })
}
