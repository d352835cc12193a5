import { create } from 'zustand'
import type { Settings } from '#contract/models.ts'

interface SettingsState {
  /** Null until the first snapshot is loaded. */
  readonly settings: Settings | null
}

export const useSettings = create<SettingsState>(() => ({ settings: null }))
