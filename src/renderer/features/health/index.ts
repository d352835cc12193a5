import { lazy } from 'react'

// Loaded when there is an alert.
export const AlertStrip = lazy(async () => ({
  default: (await import('./AlertStrip.tsx')).AlertStrip,
}))
