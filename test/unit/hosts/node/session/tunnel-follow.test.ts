import { expect, it } from 'vitest'
import { defaultTunnelSetup, type TunnelView } from '#contract/tunnel.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Session } from '#hosts/node/session/session.ts'
import { followOpening } from '#hosts/node/session/tunnel-follow.ts'

function view(state: TunnelView['state'], reason: string): TunnelView {
  return {
    state,
    since: 1,
    cause: 'asked',
    reason,
    url: null,
    nextTryAt: null,
    failures: 0,
    setup: defaultTunnelSetup,
    using: defaultTunnelSetup,
    temporary: false,
    probe: null,
    nextProbeAt: null,
    connections: null,
    warnings: [],
  }
}

const lost = view('offline', 'lost before')
const opening = view('opening', 'requested')
const failed = view('offline', 'failed now')
const again = view('reconnecting', 'retry')
const online = view('online', 'reached')

/** The reported and returned views if these views are pushed before and after the response of `open`, and with the snapshot. */
async function follow(
  before: readonly TunnelView[],
  snapshot: TunnelView,
  after: readonly TunnelView[],
): Promise<{ reported: string[]; result: string }> {
  const reported: string[] = []
  const listeners: ((given: TunnelView) => void)[] = []
  const push = (given: TunnelView): void => {
    for (const listener of listeners) listener(given)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two members that it calls
  const session = {
    gone: new Promise<void>(() => undefined),
    on: (_name: string, listener: typeof push) => void listeners.push(listener),
    call: async () => {
      setImmediate(() => {
        for (const each of after) push(each)
      })
      return { tunnel: snapshot }
    },
  } as unknown as Pick<Session, 'call' | 'on' | 'gone'>
  const open = async (): Promise<TunnelView> => {
    for (const each of before) push(each)
    return opening
  }
  const { reason } = await followOpening(session, open, (each) => reported.push(each.reason))
  // Views pushed after the final one.
  push(again)
  push(opening)
  return { reported, result: reason }
}

it.each<[string, TunnelView[], TunnelView, TunnelView[], string[]]>([
  ['in order', [opening], opening, [failed, again], ['requested', 'requested', 'failed now']],
  [
    'without the previous tunnel',
    [lost, again, opening],
    opening,
    [online],
    ['requested', 'requested', 'reached'],
  ],
  [
    'if the final state is pushed before the response',
    [opening, failed],
    failed,
    [],
    ['requested', 'failed now'],
  ],
  ['only up to the first final state', [opening], online, [failed], ['requested', 'reached']],
])('reports an opening %s', async (_, before, snapshot, after, expected) => {
  const { reported, result } = await follow(before, snapshot, after)
  expect(reported).toEqual(expected)
  expect(result).toBe(expected.at(-1))
})

it('rejects when Tabscope ends', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  const session = {
    gone: Promise.resolve(),
    on: () => undefined,
    call: async () => ({ tunnel: opening }),
  } as unknown as Pick<Session, 'call' | 'on' | 'gone'>
  const opened = followOpening(
    session,
    async () => opening,
    () => undefined,
  )
  await expect(opened).rejects.toBeInstanceOf(AppError)
})
