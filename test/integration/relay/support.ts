import { createUser } from '@nats-io/nkeys'
import type { RelayView } from '#contract/relay.ts'
import { desktopRights } from '#engine/relay/admin/render.ts'
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

/** As `tabscope relay invite` grants it. */
export function desktopUser(
  user: string,
  { publicKey }: TestUser,
  slugs: readonly string[],
): string {
  const { publish, subscribe } = desktopRights(user, slugs)
  return `{ nkey: ${publicKey}, permissions: {
    publish: ${JSON.stringify(publish)}
    subscribe: ${JSON.stringify(subscribe)}
  } }`
}

/** `users`: blocks of the configuration. The user `admin` with the password `admin` may do everything. */
export function withUsers(users: readonly string[]): string {
  return `
listen: "127.0.0.1:$PORT"
http: "127.0.0.1:$MONITOR"
jetstream { store_dir: "$FOLDER/jetstream", sync_interval: always }
authorization { users: [
  { user: admin, password: admin }
  ${users.join('\n')}
] }
`
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
