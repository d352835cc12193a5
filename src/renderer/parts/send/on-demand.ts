import { lazy } from 'react'

export const AttemptView = lazy(async () => ({
  default: (await import('./AttemptView.tsx')).AttemptView,
}))
