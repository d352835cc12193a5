import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, healthOf, notForwarded } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, post } from '#test/support/requests.ts'

const engine = sharedTestEngine()

test.each(['127.0.0.1', 'localhost'])(
  'a forward to the Tabscope listener at %s stops after one hop, and both deliveries report it',
  async (host) => {
    const tab = engine()
    const url = `http://${host}:${tab.port}${tab.path}`
    await using elsewhere = await rawTarget()
    await using forward = await forwardTo(tab, url)
    await using _ = await forwardTo(tab, elsewhere.origin)
    await deliver(tab, post(tab.path, goodBody))
    const [first, second] = await tab.kept(2)
    expect([first?.sentBy, second?.sentBy]).toEqual([null, 'forward'])

    const attempts = await attemptsOf(tab, first?.id ?? 0, 2)
    const own = attempts.find(({ forwardId }) => forwardId === forward.id)
    const { notes, status } = await tab.engine.call('attempts.get', { id: own?.id ?? 0 })
    expect(status).toBe(200)
    expect(notes.join(' ')).toContain('is not forwarded any further')
    const said = await notForwarded(tab, second?.id ?? 0)
    expect(said.toSorted()).toEqual(
      [url, elsewhere.origin]
        .map(
          (target) =>
            `Not forwarded to ${target}: Tabscope forwarded it here itself, so it is not forwarded again.`,
        )
        .toSorted(),
    )
    expect(await healthOf(tab, forward.id)).toMatchObject({ ok: 1, skipped: 1, waiting: 0 })
    // A later delivery proves that nothing else was forwarded.
    await deliver(tab, post(tab.path, goodBody))
    expect(await tab.kept(4)).toHaveLength(4)
    expect(elsewhere.received).toHaveLength(2)
  },
)

test('the response of the Tabscope listener is passed through once', async () => {
  const tab = engine()
  const url = `http://127.0.0.1:${tab.port}${tab.path}`
  await using _ = await forwardTo(tab, url, { mode: 'return' })
  expect((await deliver(tab, post(tab.path, goodBody))).status).toBe(200)
  const [first, second] = await tab.kept(2)
  expect(second?.sentBy).toBe('forward')
  const [attempt] = await attemptsOf(tab, first?.id ?? 0, 1)
  expect(attempt).toMatchObject({ kind: 'pass_through', status: 200 })
  expect(await notForwarded(tab, second?.id ?? 0)).toHaveLength(1)
})
