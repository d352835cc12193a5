import { create } from 'zustand'
import type { HealthAlarms } from '#contract/health.ts'

/** What holds now, with the rules of the endpoints. */
export const useHealth = create<HealthAlarms>(() => ({ alarms: [], rules: [], learned: [] }))
