import { lazy } from 'react'

// Loaded when an attempt is shown.
export const AttemptView = lazy(async () => ({
  default: (await import('./AttemptView.tsx')).AttemptView,
}))
