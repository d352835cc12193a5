import { plural as counted } from '#shared/text/format.ts'
import { create } from 'zustand'
import type { CallInput } from '#contract/calls.ts'
import { sentence } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { say } from '../../../platform/toasts.ts'
import { useDeliveries } from '../../../state/deliveries.ts'
import { countSelected } from '../../../state/select-deliveries.ts'
import { hasSelection, useSelection } from '../../../state/selection.ts'

/** Live deliveries that something is done to, and how many they are. */
export interface Several {
  readonly which: Pick<CallInput<'deliveries.delete'>, 'ids' | 'filter' | 'upTo'>
  readonly count: number
}

interface AskedState {
  /** What is asked about before it is done; null: nothing. */
  readonly asked: 'tag' | 'delete' | null
  readonly several: Several | null
}

/** The dialog about several deliveries. */
export const useSeveral = create<AskedState>(() => ({ asked: null, several: null }))

/** Those that are selected with their boxes, else this one; null: there is neither. */
export function severalOr(id: number | null): Several | null {
  const selection = useSelection.of(null).getState()
  const { ids, all } = selection
  if (all !== null) {
    const { rows } = useDeliveries.of(null).getState()
    return { which: { ...all }, count: countSelected(rows, selection) }
  }
  if (hasSelection(selection)) return { which: { ids: [...ids] }, count: ids.size }
  return id === null ? null : { which: { ids: [id] }, count: 1 }
}

/** Asks for the tag, or whether they are to be deleted. */
export function askAbout(asked: 'tag' | 'delete', several: Several | null): void {
  if (several !== null) useSeveral.setState({ asked, several })
}

export function closeSeveral(): void {
  useSeveral.setState({ asked: null, several: null })
}

/** Pins or unpins several deliveries. */
export function pinSeveral(client: Client, { which }: Several, pinned: boolean): void {
  client.call('deliveries.mark', { ...which, pinned }).then(
    ({ changed }) =>
      say(
        'valid',
        `${counted(changed, 'delivery', 'deliveries')} ${pinned ? 'pinned' : 'unpinned'}.`,
      ),
    (error: unknown) => say('invalid', sentence(error)),
  )
}
