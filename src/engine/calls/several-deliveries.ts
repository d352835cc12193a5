import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { idsOf } from '../send/jobs/ids-for-job.ts'

/** So many go to the writer at once: few enough that it is soon back at what arrives. */
const atOnce = 64

/** Pins, unpins or tags several deliveries. */
export async function mark(
  context: Context,
  { pinned, tag, ...which }: ParsedInput<'deliveries.mark'>,
): Promise<CallOutput<'deliveries.mark'>> {
  const total = { changed: 0, full: 0 }
  for (const ids of chunks(await idsOf(context, which))) {
    const { rows, full } = await context.store.writer.call('mark', { ids, pinned, tag })
    if (rows.length > 0) context.bus.push('deliveries.changed', { rows })
    total.changed += rows.length
    total.full += full
  }
  return total
}

/** Deletes several deliveries. */
export async function remove(
  context: Context,
  which: ParsedInput<'deliveries.delete'>,
): Promise<CallOutput<'deliveries.delete'>> {
  let total = 0
  for (const ids of chunks(await idsOf(context, which))) {
    const { deleted, stats } = await context.store.writer.call('deleteDeliveries', ids)
    context.stats = stats
    total += deleted
  }
  if (total > 0) {
    context.bus.push('deliveries.removed', { reason: 'deleted', stats: context.stats })
  }
  return { deleted: total }
}

function chunks(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, index) =>
    ids.slice(index * atOnce, (index + 1) * atOnce),
  )
}
