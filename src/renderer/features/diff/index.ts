import { lazy } from 'react'

export { BodyDiffView } from './BodyDiffView.tsx'
export { CompareBar } from './CompareBar.tsx'
export { HeaderDiffTable } from './HeaderDiffTable.tsx'
export { type DiffSide, digestOf } from './side.ts'
export { compare } from './side.ts'

/** Loaded when the tab is opened. */
export const DiffTab = lazy(async () => {
  const { DiffTab: tab } = await import('./DiffTab.tsx')
  return { default: tab }
})
