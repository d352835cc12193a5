import { createUser } from '@nats-io/nkeys'
import type { RelayView } from '#contract/relay.ts'
import type { TestEngine } from '../../support/engine.ts'
import { until } from '../../support/until.ts'

export interface TestUser {
  readonly seed: string
  readonly publicKey: string
}

export function newUser(): TestUser {
  const pair = createUser()
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}

export async function relayOf({ engine }: TestEngine): Promise<RelayView> {
  const [relay] = await engine.call('relay.list', {})
  if (!relay) throw new Error('there is no relay')
  return relay
}

export function untilRelay(
  tab: TestEngine,
  what: string,
  is: (relay: RelayView) => boolean,
): Promise<RelayView> {
  return until(what, async () => {
    const relay = await relayOf(tab)
    return is(relay) ? relay : null
  })
}

export function isCaughtUp({ state, behind }: RelayView): boolean {
  return state === 'live' && behind === 0
}
