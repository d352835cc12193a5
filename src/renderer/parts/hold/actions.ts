import { useStore } from 'zustand'
import type { HeldDelivery } from '#contract/hold.ts'
import { plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { listAddress } from '#client/addresses/deliveries.ts'
import { deliveriesOf, openDelivery } from '#client/state/deliveries.ts'
import { useHold } from '#client/state/hold.ts'
import { editHeld } from '#parts/on-demand.ts'

/** Those that an action on all of them applies to. */
export function allHeld(
  held: readonly HeldDelivery[],
  at?: HeldDelivery['at'],
): readonly HeldDelivery[] {
  return held.filter((each) => !each.uncertain && (at === undefined || each.at === at))
}

export function release(client: Client, held: HeldDelivery): void {
  client.call('hold.release', { ids: [held.deliveryId] }).catch(toastError)
}

export function drop(client: Client, held: HeldDelivery): void {
  client.call('hold.drop', { ids: [held.deliveryId] }).catch(toastError)
}

export function releaseAll(client: Client): void {
  client.call('hold.release', {}).then(({ ids }) => report(ids, 'released'), toastError)
}

export function dropAll(client: Client): void {
  client.call('hold.drop', {}).then(({ ids }) => report(ids, 'dropped'), toastError)
}

export function report(ids: readonly number[], done: string): void {
  toast('valid', `${plural(ids.length, 'delivery', 'deliveries')} ${done}.`, { about: 'held' })
}

/** Opens the editor in the detail pane. */
export async function startEdit(client: Client, held: HeldDelivery): Promise<void> {
  try {
    await editHeld(client, held)
    openDelivery(held.deliveryId, null)
    location.assign(listAddress(null))
  } catch (error) {
    toastError(error)
  }
}

/** The held delivery that is selected in the list. */
export function useSelectedHeld(): HeldDelivery | undefined {
  const selectedId = useStore(deliveriesOf(null), (state) => state.selectedId)
  return useHold(({ held }) => held.find(({ deliveryId }) => deliveryId === selectedId))
}
