import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'
import { madeUpPrefix } from '#engine/rehearsal/request-builder.ts'
import type { ReadEffects } from '#engine/rehearsal/effect-counter.ts'
import { startHandler } from '../../integration/raw-body-checks/handler.ts'
import type { Runtime } from '../../integration/raw-body-checks/runtimes.ts'
import { identity } from './rehearse.ts'

/** The target, which the code of a check prints once for each event that it processes. Threads print into the lines of each other. */
const effect = new RegExp(`${madeUpPrefix}-`, 'g')

export function effectsOf(handler: Pick<PublishedHandler, 'output'>): number {
  return handler.output().match(effect)?.length ?? 0
}

export interface PublishedHandler extends AsyncDisposable {
  readonly url: string
  readonly readEffects: ReadEffects
  output(): string
}

/** Runs the code of a check in its own process. */
export async function startPublished(
  check: RawBodyCheck,
  runtime: Runtime,
): Promise<PublishedHandler> {
  const handler = await startHandler(check, runtime, identity.brand, identity.secret)
  return {
    url: handler.url,
    readEffects: async () => effectsOf(handler),
    output: () => handler.output(),
    [Symbol.asyncDispose]: () => handler[Symbol.asyncDispose](),
  }
}
