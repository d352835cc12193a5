import { expect, it } from 'vitest'
import { answer, answerReady } from '#engine/capture/answer.ts'
import { HeldMemory } from '#engine/capture/intake.ts'
import { defaultLimits } from '#engine/capture/limits.ts'
import { Listener } from '#engine/capture/listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

it('closes a connection that does not read its answer when another needs its place', async () => {
  let given = 0
  const listener = new Listener({
    limits: () => ({ ...defaultLimits, connections: 1 }),
    held: new HeldMemory(),
    endpointOf: () => null,
    via: null,
    ownOf: () => null,
    arrived: ({ answerer, status, path }) => {
      given += 1
      if (path !== '/large' || answerer.kind !== 'response') return void answer(answerer, status)
      // More than the system takes for a sender that does not read.
      answerReady(answerer, { status: 200, rawHeaders: [], body: Buffer.alloc(32 * 1024 * 1024) })
    },
  })
  const port = await listener.open(0)
  {
    await using deaf = await rawClient(port)
    deaf.socket.pause()
    await deaf.send(post('/large', goodBody))
    await until('the answer to be given', () => given === 1)
    await using next = await rawClient(port)
    await next.send(post('/', goodBody))
    expect(await next.answer()).toMatchObject({ status: 404 })
  }
  await listener.close(0, 0)
})
