import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { AppError } from '../../platform/errors.ts'
import { serveApi } from '../../platform/rpc.ts'
import { Follower } from './follower.ts'
import { Inspector } from './inbound.ts'
import type { RelayAccess, RelayApi, RelayEvent, RelayThreadData } from './messages.ts'
import { openRelay, readStreams, Writing } from './session.ts'

/** Follows relays, so that reading and checking a backlog delays nothing else. */
function run(port: MessagePort, data: RelayThreadData): void {
  const inspector = new Inspector(data.config)
  const writing = new Writing(data.writer)
  const followers = new Map<number, Follower>()
  const emit = (event: RelayEvent): void => port.postMessage(event)
  const unfollow = async (id: number): Promise<void> => {
    const follower = followers.get(id)
    followers.delete(id)
    await follower?.stop()
  }
  const api: RelayApi = {
    configure: (config) => inspector.configure(config),
    check,
    follow: async (target) => {
      await unfollow(target.id)
      followers.set(target.id, new Follower(target, { inspector, writing, emit }))
    },
    unfollow,
    setForward: ({ id, forward }) => {
      const follower = followers.get(id)
      if (follower) follower.forward = forward
    },
    retry: ({ id, slept }) => {
      for (const [each, follower] of followers)
        if (id === null || id === each) follower.retry(slept)
    },
    stop: async () => {
      await Promise.all([...followers.keys()].map(unfollow))
      data.writer.close()
    },
  }
  serveApi(port, api)
}

const checkMs = 10_000

async function check(access: RelayAccess): Promise<void> {
  const expired = pause(checkMs, null, { ref: false }).then(() => {
    const where = access.servers.join(', ')
    throw new AppError(
      'relay_failed',
      `The relay at ${where} did not respond within ${checkMs / 1000} seconds. Check the network, and whether its server runs.`,
    )
  })
  await Promise.race([checked(access), expired])
}

async function checked(access: RelayAccess): Promise<void> {
  const connection = await openRelay(access)
  try {
    await readStreams(connection, access)
  } finally {
    await connection.close()
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by `Relays` in the same program
if (parentPort) run(parentPort, workerData as RelayThreadData)
