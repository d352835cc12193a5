import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { sendStatus } from '#engine/capture/send-response.ts'
import { HeldMemory } from '#engine/capture/request-reader.ts'
import { defaultLimits } from '#engine/capture/messages.ts'
import { Listener } from '#engine/capture/listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc')
  return Collect.parse(runInNewContext('gc'))
}

const Collect = z.custom<() => void>((value) => typeof value === 'function')

it('releases every request of a connection but the last, as long as the connection lasts', async () => {
  const collect = exposedGc()
  const responses: WeakRef<object>[] = []
  const listener = new Listener({
    limits: () => defaultLimits,
    held: new HeldMemory(),
    endpointOf: () => null,
    via: null,
    ownOf: () => null,
    received: ({ channel }) => {
      if (channel.kind === 'response') responses.push(new WeakRef(channel.response))
      sendStatus(channel, 404)
    },
  })
  const port = await listener.open(0)
  {
    await using client = await rawClient(port)
    for (let count = 1; count <= 20; count += 1) {
      await client.send(post('/', goodBody))
      await client.answers(count)
    }
    expect(responses).toHaveLength(20)
    // A weak reference holds until the turn it was made or read in is over.
    await turn()
    collect()
    await turn()
    collect()
    const held = responses.filter((response) => response.deref() !== undefined)
    expect(held.length).toBeLessThanOrEqual(3)
  }
  await listener.close(0, 0)
})

async function closedDoor(): Promise<WeakRef<Listener>> {
  const listener = new Listener({
    limits: () => defaultLimits,
    held: new HeldMemory(),
    endpointOf: () => null,
    via: 'tunnel',
    ownOf: () => null,
    received: () => undefined,
  })
  await listener.open(0)
  await listener.close(0, 0)
  return new WeakRef(listener)
}

it('is released when it is closed: each tunnel has its own listener', async () => {
  const collect = exposedGc()
  const left = await closedDoor()
  await until('it to be let go', async () => {
    await turn()
    collect()
    return left.deref() === undefined
  })
})
