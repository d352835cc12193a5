import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { isNear } from '../send/target/confirmed.ts'

/** The sender looks: what it would connect to counts, and it knows where our own listener is. */
export async function look(
  { sender }: Context,
  { url }: ParsedInput<'targets.look'>,
): Promise<CallOutput<'targets.look'>> {
  return sender.api.call('look', url)
}

export async function list({ targets }: Context): Promise<CallOutput<'targets.list'>> {
  return [...targets.values()].toSorted((a, b) => (a.origin < b.origin ? -1 : 1))
}

export async function set(
  context: Context,
  { url, ...given }: ParsedInput<'targets.set'>,
): Promise<CallOutput<'targets.set'>> {
  const { sender, store, targets, turn } = context
  const { origin, place } = await sender.api.call('look', url)
  return turn(async () => {
    const before = targets.get(origin)
    // Only what was said is kept: a name that is near today may be elsewhere tomorrow.
    const target = {
      origin,
      place,
      confirmed: given.confirmed ?? before?.confirmed ?? false,
      verifyTls: given.verifyTls ?? before?.verifyTls ?? true,
    }
    await store.writer.call('writeTarget', target)
    if (target.confirmed || !target.verifyTls) targets.set(origin, target)
    else targets.delete(origin)
    await context.configureThreads()
    return { ...target, confirmed: target.confirmed || isNear(place) }
  })
}
