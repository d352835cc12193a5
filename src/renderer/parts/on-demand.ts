import { lazy } from 'react'
import type { HeldDelivery } from '#contract/hold.ts'
import type { Client } from '#client/client.ts'

// Loaded when a comparison is shown: they carry the diff library.
export const BodyDiffView = lazy(async () => ({
  default: (await import('#parts/diff/BodyDiffView.tsx')).BodyDiffView,
}))
export const TextDiffView = lazy(async () => ({
  default: (await import('#parts/diff/LineDiffView.tsx')).TextDiffView,
}))
export const HeaderDiffTable = lazy(async () => ({
  default: (await import('#parts/diff/HeaderDiffTable.tsx')).HeaderDiffTable,
}))
export const DiffTab = lazy(async () => ({
  default: (await import('#parts/diff/DiffTab.tsx')).DiffTab,
}))

// Loaded when a held delivery is edited.
export const HeldEditor = lazy(async () => ({
  default: (await import('#parts/composer/RequestParts.tsx')).HeldEditor,
}))

export async function editHeld(client: Client, delivery: HeldDelivery): Promise<void> {
  const opened = await import('#parts/composer/open.ts')
  await opened.editHeld(client, delivery)
}

// Loaded when an attempt is shown.
export const AttemptView = lazy(async () => ({
  default: (await import('#parts/send/AttemptView.tsx')).AttemptView,
}))
export const AttemptsTab = lazy(async () => ({
  default: (await import('#parts/send/AttemptsTab.tsx')).AttemptsTab,
}))
