import { createContext, use } from 'react'
import { create } from 'zustand'
import { settingAddress } from '../routes/settings.ts'

/** What is looked for on the page, for what is drawn on it. */
interface Looking {
  /** As they are compared; empty: nothing is looked for. */
  readonly words: readonly string[]
  /** Names of the settings that are shown. */
  readonly shown: ReadonlySet<string>
  /** The one that was gone to, for a moment. */
  readonly gone: string | null
}

export const LookingContext = createContext<Looking>({ words: [], shown: new Set(), gone: null })

export function useLooking(): Looking {
  return use(LookingContext)
}

interface Wanted {
  readonly name: string | null
  /** Grows each time, so that the same one can be gone to twice. */
  readonly turn: number
}

/** The setting that was asked for last, from wherever. */
export const useWantedSetting = create<Wanted>(() => ({ name: null, turn: 0 }))

/** Shows a setting of the page: scrolls to it, and puts the focus on it. */
export function goToSetting(name: string): void {
  useWantedSetting.setState(({ turn }) => ({ name, turn: turn + 1 }))
  location.assign(settingAddress(name))
}
