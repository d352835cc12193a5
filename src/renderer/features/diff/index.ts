import { lazy } from 'react'

export { CompareBar } from './CompareBar.tsx'
export { type DiffSide, digestOf } from './side.ts'
export { compare } from './side.ts'

// Loaded when a comparison is shown: they carry the diff library.
export const BodyDiffView = lazy(async () => {
  const { BodyDiffView: view } = await import('./BodyDiffView.tsx')
  return { default: view }
})
export const TextDiffView = lazy(async () => {
  const { TextDiffView: view } = await import('./LineDiffView.tsx')
  return { default: view }
})
export const HeaderDiffTable = lazy(async () => {
  const { HeaderDiffTable: table } = await import('./HeaderDiffTable.tsx')
  return { default: table }
})
export const DiffTab = lazy(async () => {
  const { DiffTab: tab } = await import('./DiffTab.tsx')
  return { default: tab }
})
