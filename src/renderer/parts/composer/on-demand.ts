import { lazy } from 'react'
import type { HeldDelivery } from '#contract/hold.ts'
import type { Client } from '#client/client.ts'

// Loaded when a held delivery is edited.
export const HeldEditor = lazy(async () => ({
  default: (await import('./HeldEditor.tsx')).HeldEditor,
}))

export async function editHeld(client: Client, delivery: HeldDelivery): Promise<void> {
  const opened = await import('./open.ts')
  await opened.editHeld(client, delivery)
}
