import { createContext, use } from 'react'
import { create } from 'zustand'
import { settingAddress } from '../addresses/pages.ts'

interface SettingsSearch {
  readonly shown: ReadonlySet<string>
  /** The setting that a link led to, highlighted for a moment. */
  readonly highlighted: string | null
}

export const SettingsSearchContext = createContext<SettingsSearch>({
  shown: new Set(),
  highlighted: null,
})

export function useSettingsSearch(): SettingsSearch {
  return use(SettingsSearchContext)
}

interface RequestedSetting {
  readonly name: string | null
  /** Increases with each request, so that the same setting can be requested twice. */
  readonly count: number
}

/** The setting that was requested last, from any page. */
export const useRequestedSetting = create<RequestedSetting>(() => ({ name: null, count: 0 }))

/** Opens the settings page, scrolls to a setting and focuses it. */
export function goToSetting(name: string): void {
  useRequestedSetting.setState(({ count }) => ({ name, count: count + 1 }))
  location.assign(settingAddress(name))
}

/** Opens a page, and focuses the field with this label once it is there. */
export function goToField(address: string, label: string | undefined): void {
  location.assign(address)
  if (label === undefined) return
  const focus = (): boolean => {
    const labels = [...document.querySelectorAll<HTMLLabelElement>('main label')]
    const control = labels.find(({ textContent }) => textContent === label)?.control
    control?.focus()
    return control !== undefined && control !== null
  }
  // The page may still have to be loaded.
  const watcher = new MutationObserver(() => focus() && watcher.disconnect())
  watcher.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watcher.disconnect(), fieldTimeout)
  requestAnimationFrame(() => focus() && watcher.disconnect())
}

const fieldTimeout = 3000
