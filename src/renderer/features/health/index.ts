import { lazy } from 'react'

export const HealthOfLog = lazy(async () => ({
  default: (await import('./HealthPage.tsx')).HealthOfLog,
}))

// Loaded when there is an alert.
export const AlertStrip = lazy(async () => ({
  default: (await import('./AlertStrip.tsx')).AlertStrip,
}))
