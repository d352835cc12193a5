import { create } from 'zustand'
import type { HealthAlerts } from '#contract/health.ts'

/** What holds now, with the rules of the endpoints. */
export const useHealth = create<HealthAlerts>(() => ({ alerts: [], rules: [], learned: [] }))
