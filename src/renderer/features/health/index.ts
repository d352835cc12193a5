import { lazy } from 'react'

export const HealthOfLog = lazy(async () => ({
  default: (await import('./HealthPage.tsx')).HealthOfLog,
}))

// Loaded when there is an alarm.
export const AlarmStrip = lazy(async () => ({
  default: (await import('./AlarmStrip.tsx')).AlarmStrip,
}))
