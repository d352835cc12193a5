import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { sendStatus } from '#engine/receiving/listener/send-response.ts'
import type { Listener } from '#engine/receiving/listener/listener.ts'
import { openListener } from '#test/support/open-listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc')
  return Collect.parse(runInNewContext('gc'))
}

const Collect = z.custom<() => void>((value) => typeof value === 'function')

it('releases all requests of an open connection except the last', async () => {
  const collect = exposedGc()
  const responses: WeakRef<object>[] = []
  await using listener = await openListener(({ channel }) => {
    if (channel.kind === 'response') responses.push(new WeakRef(channel.response))
    sendStatus(channel, 404)
  })
  await using client = await rawClient(listener.port)
  for (let count = 1; count <= 20; count += 1) {
    await client.send(post('/', goodBody))
    await client.answers(count)
  }
  expect(responses).toHaveLength(20)
  // A weak reference keeps its target until the end of the current task.
  await turn()
  collect()
  await turn()
  collect()
  const held = responses.filter((response) => response.deref() !== undefined)
  expect(held.length).toBeLessThanOrEqual(3)
})

async function closedListener(): Promise<WeakRef<Listener>> {
  const { listener } = await openListener(() => undefined)
  await listener.close(0, 0)
  return new WeakRef(listener)
}

it('is released after it was closed, because each tunnel creates a listener', async () => {
  const collect = exposedGc()
  const left = await closedListener()
  await until('the listener to be released', async () => {
    await turn()
    collect()
    return left.deref() === undefined
  })
})
