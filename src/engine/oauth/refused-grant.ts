import { z } from 'zod'
import { AppError } from '../errors.ts'
import { refusedGrantName } from './live-run.ts'
import { readRun, type LiveRunPorts } from './runs.ts'

const StoredGrant = z.object({
  token: z.string(),
  refreshToken: z.string().nullable(),
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  expiresIn: z.int().nullable(),
})

/** Runs whose token is being kept: two clicks at once make one token. */
const underWay = new WeakMap<LiveRunPorts, Set<number>>()

/** Keeps the token of a refused answer, by the user's decision; its findings go with it. Throws `not_found` when there is none (any more). */
export async function keepRefused(
  context: LiveRunPorts,
  runId: number,
  label: string,
  unseal: (sealed: Uint8Array) => Promise<string>,
): Promise<{ tokenId: number }> {
  const busy = underWay.get(context) ?? new Set()
  underWay.set(context, busy)
  const none = new AppError('not_found', 'This run holds no refused token, or it was kept already.')
  const live = context.runs.get(runId)
  if (busy.has(runId) || live?.over === false) throw none
  busy.add(runId)
  try {
    // Its end is told a moment before it is stored.
    await live?.settled
    const run = await readRun(context, runId)
    const parts = await context.store.reader.call('runSecrets', runId)
    const sealed = parts.find(({ name }) => name === refusedGrantName)
    if (!sealed) throw none
    const parsed: unknown = JSON.parse(await unseal(sealed.sealed))
    const token = await context.tokens.keep(StoredGrant.parse(parsed), {
      integrationId: run.integrationId,
      label,
      // What a refresh brought is the same user's.
      replaces: run.kind === 'refresh' ? run.tokenId : null,
      runId,
      findings: run.findings,
    })
    const kept = { ...run, hasRefusedToken: false, tokenId: token.id }
    await context.store.writer.call('updateRun', {
      run: kept,
      secrets: parts.filter((part) => part !== sealed),
    })
    context.bus.push('authorization.changed', kept)
    return { tokenId: token.id }
  } finally {
    busy.delete(runId)
  }
}
