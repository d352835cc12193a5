import { lazy } from 'react'

// Loaded when a comparison is shown: they carry the diff library.
export const BodyDiffView = lazy(async () => ({
  default: (await import('./BodyDiffView.tsx')).BodyDiffView,
}))
export const HeaderDiffTable = lazy(async () => ({
  default: (await import('./HeaderDiffTable.tsx')).HeaderDiffTable,
}))
