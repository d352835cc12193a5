import type { CallOutput } from '#contract/calls.ts'
import type { Verdict } from '#contract/models.ts'
import { verdicts } from '#contract/constants.ts'
import { verdictWord } from '../ui/Mark.tsx'
import { formatCount, plural } from '#shared/text/format.ts'
import { messageOf } from '../platform/call-error.ts'
import type { Client, ClientInput } from '../platform/client.ts'
import { toast } from '../platform/toasts.ts'

type Result = CallOutput<'deliveries.recheck'>

/** Checks the signatures of these deliveries again with the current secrets, and shows a summary. */
export async function recheckSignatures(
  client: Client,
  which: Pick<ClientInput<'deliveries.recheck'>, 'ids' | 'filter' | 'upTo'>,
): Promise<void> {
  try {
    let result = await client.call('deliveries.recheck', which)
    while (!result.complete) {
      toast('valid', `Checking again: ${formatCount(total(result))} so far…`, { about: 'recheck' })
      const { reached: after, upTo, asOf } = result
      result = addResults(
        result,
        await client.call('deliveries.recheck', { ...which, after, upTo, asOf }),
      )
    }
    toast('valid', summary(result), { about: 'recheck' })
  } catch (error) {
    toast('invalid', `The check stopped. ${messageOf(error)}`, { about: 'recheck' })
  }
}

function addResults(before: Result, next: Result): Result {
  const counts = { ...next.counts }
  for (const verdict of verdicts) counts[verdict] += before.counts[verdict]
  return {
    ...next,
    counts,
    changed: before.changed + next.changed,
    incomplete: before.incomplete + next.incomplete,
  }
}

function total({ counts }: Result): number {
  return verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
}

/** "12 deliveries checked again: 10 valid, 2 invalid. 10 changed." */
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
