import type { CallOutput } from '#contract/calls.ts'
import type { Endpoint, Verdict } from '#contract/models.ts'
import { verdicts } from '#contract/constants.ts'
import { verdictWord } from '#kit/Mark.tsx'
import { formatCount, plural } from '#shared/text/format.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client, ClientInput } from '../client.ts'
import { toast } from '#kit/toasts.ts'
import { useEndpoints } from './live-values.ts'

type Result = CallOutput<'deliveries.recheck'>

type Selected = Pick<ClientInput<'deliveries.recheck'>, 'ids' | 'filter' | 'upTo'>

/** Checks the signatures of these deliveries again with the current secrets, and shows a summary. */
export async function recheckSignatures(client: Client, which: Selected): Promise<void> {
  try {
    toast('valid', summary(await checkAll(client, which)), { about: 'recheck' })
  } catch (error) {
    toast('invalid', `The check stopped. ${messageOf(error)}`, { about: 'recheck' })
  }
}

async function checkAll(client: Client, which: Selected): Promise<Result> {
  let result = await client.call('deliveries.recheck', which)
  while (!result.complete) {
    toast('valid', `Checking again: ${formatCount(total(result))} so far…`, { about: 'recheck' })
    const { reached: after, upTo, asOf } = result
    result = addResults(
      result,
      await client.call('deliveries.recheck', { ...which, after, upTo, asOf }),
    )
  }
  return result
}

interface Change {
  /** Deliveries that the change concerns: "endpoint:bar". */
  readonly filter: string
  /** "Secret corrected." */
  readonly done: string
  /** Sets what was before. Throws if that is no longer possible. */
  readonly undo: () => Promise<unknown>
}

/** After a secret or a brand was changed: checks what was not valid again, shows the result, and offers to undo both. */
export async function recheckAfter(client: Client, change: Change): Promise<void> {
  const filter = failuresOf(change)
  try {
    const { counts, changedIds } = await checkAll(client, { filter })
    const count = plural(counts.valid, 'delivery is', 'deliveries are')
    toast('valid', `${change.done}${counts.valid > 0 ? ` ${count} now valid.` : ''}`, {
      about: 'recheck',
      action: { label: 'Undo', run: () => void undo(client, change, changedIds) },
    })
  } catch (error) {
    toast('invalid', `${change.done} The check stopped. ${messageOf(error)}`, { about: 'recheck' })
  }
}

function failuresOf({ filter }: Change): string {
  return `${filter} (verdict:invalid or verdict:missing or verdict:unchecked)`
}

async function undo(client: Client, change: Change, ids: number[]): Promise<void> {
  try {
    await change.undo()
    if (ids.length > 0) await checkAll(client, { ids })
    // Their causes were found with what is undone.
    await checkAll(client, { filter: failuresOf(change) })
    toast('valid', 'Undone. The earlier verdicts are back.', { about: 'recheck' })
  } catch (error) {
    toast('invalid', messageOf(error), { about: 'recheck' })
  }
}

/** Changes the secrets of an endpoint as `recheckAfter` describes. Throws what `change` throws. */
export async function changeSecret(
  client: Client,
  change: () => Promise<Endpoint>,
  done: string,
): Promise<void> {
  const { id, slug, secret, previousSecret } = await change()
  const after = JSON.stringify([secret, previousSecret])
  void recheckAfter(client, {
    filter: `endpoint:${slug}`,
    done,
    undo: async () => {
      const now = useEndpoints.getState().endpoints.find((endpoint) => endpoint.id === id)
      if (JSON.stringify([now?.secret, now?.previousSecret]) !== after) {
        throw new Error('The secret was changed again since, so nothing was undone.')
      }
      await client.call('endpoints.undoSecret', { id })
    },
  })
}

function addResults(before: Result, next: Result): Result {
  const counts = { ...next.counts }
  for (const verdict of verdicts) counts[verdict] += before.counts[verdict]
  return {
    ...next,
    counts,
    changed: before.changed + next.changed,
    changedIds: [...before.changedIds, ...next.changedIds],
    incomplete: before.incomplete + next.incomplete,
  }
}

function total({ counts }: Result): number {
  return verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
}

function summary(result: Result): string {
  const { counts, changed, incomplete } = result
  const each = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${formatCount(counts[verdict])} ${verdictWord(verdict).toLowerCase()}`)
  const notChecked =
    incomplete === 0
      ? ''
      : ` ${plural(incomplete, 'delivery was', 'deliveries were')} not checked: the body was not received completely.`
  if (each.length === 0)
    return notChecked === '' ? 'There was nothing to check.' : notChecked.trim()
  return `${plural(total(result), 'delivery', 'deliveries')} checked again: ${each.join(', ')}. ${changed === 0 ? 'No verdict changed.' : `${formatCount(changed)} changed.`}${notChecked}`
}

/** Compares the verdict at capture with the current one: "Invalid when it arrived, valid with the current secret." */
export function describeVerdictChange(
  before: Verdict,
  now: Verdict,
  secretName: string | null,
): string {
  const current = {
    valid: `valid with the ${secretName ?? 'current'} secret`,
    invalid: 'invalid with the current secrets',
    missing: 'missing with the current secrets',
    unsigned: 'not checked now, because no secret is set',
    unchecked: 'not checked now, because there is no secret to check it with',
  } as const satisfies Record<Verdict, string>
  const also = before === now ? 'also ' : ''
  return `${verdictWord(before)} when it arrived, ${also}${current[now]}.`
}
