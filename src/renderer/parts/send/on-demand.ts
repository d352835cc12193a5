import { lazy } from 'react'

// Loaded when an attempt is shown.
export const AttemptView = lazy(async () => ({
  default: (await import('./AttemptView.tsx')).AttemptView,
}))
export const AttemptsTab = lazy(async () => ({
  default: (await import('./AttemptsTab.tsx')).AttemptsTab,
}))
