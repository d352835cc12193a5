import { lazy } from 'react'

// Loaded when there is an alarm.
export const AlarmStrip = lazy(async () => ({
  default: (await import('./AlarmStrip.tsx')).AlarmStrip,
}))
