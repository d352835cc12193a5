import { create } from 'zustand'
import type { Integration } from '#contract/integrations.ts'
import type { Settings } from '#contract/models.ts'

interface SettingsState {
  /** Null until the first snapshot came. */
  readonly settings: Settings | null
  readonly integrations: readonly Integration[]
}

export const useSettings = create<SettingsState>(() => ({ settings: null, integrations: [] }))
