import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openHandles } from '#test/support/open-handles.ts'
import { publicLoad } from '#test/support/public-load.ts'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { startTunnelled } from '#test/support/tunnelled.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept through every restart'
const restarts = 10

/** How long the server is down, in milliseconds: from zero up to a few retries with backoff. */
const away = (round: number): number => [0, 150, 40, 700, 300][round % 5] ?? 0

/** The longest delay after this many consecutive failures, in milliseconds: 0.1 s doubling up to 30 s, including the attempt before it. */
const longest = (failures: number): number => Math.min(30_000, 100 * 2 ** (failures + 2))

test('the server is killed and restarted 10 times under load: the tunnel reconnects each time, and nothing is lost or left behind', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer({ graceMs: 200 })
  await using tab = await startTunnelled(folder.path, null, ['listen', '--secret', secret])
  const { pid = 0 } = tab.child
  const cli = async (...args: string[]) => {
    const { code, stderr } = await runCli([...args, '--data', folder.path])
    expect(code, stderr).toBe(0)
  }
  await cli('tunnel', 'open', `localtunnel:steady@${server.host}`)
  const origin = await tab.online()
  // Resources that are created on first use and kept are not leaks: the first deliveries through the first tunnel create them.
  const warm = publicLoad(() => `${origin}${tab.path}`, {
    name: 'warm',
    lanes: 6,
    secret,
    pauseMs: 0,
  })
  await until('deliveries', () => warm.answered.size > 200)
  await warm.stop()
  await cli('tunnel', 'close')
  await until('its sockets to be closed', () => server.sockets === 0)
  const before = openHandles(pid)
  const first = tab.states().length
  await cli('tunnel', 'open')
  expect(await tab.online(first)).toBe(origin)
  const load = publicLoad(() => `${origin}${tab.path}`, {
    name: 'load',
    lanes: 6,
    secret,
    pauseMs: 5,
  })

  for (let round = 0; round < restarts; round += 1) {
    const seen = tab.states().length
    const answered = load.answered.size
    await until('deliveries through it', () => load.answered.size > answered + 60)
    const killed = Date.now()
    await server.kill()
    await pause(away(round))
    const up = Date.now()
    await server.restart()
    await tab.online(seen)
    const lines = tab.states().slice(seen)
    // Its probe could not have succeeded, because nothing was listening.
    expect(
      lines.filter(({ state, since }) => state === 'online' && since > killed && since < up),
      `round ${round}`,
    ).toEqual([])
    expect(lines.some(({ state }) => state !== 'online')).toBe(true)
    expect(lines.find(({ state }) => state === 'online')?.url).toBe(origin)
    // The delay follows from the number of failures in a line, because on a slow machine not every attempt has a line.
    for (const { state, since, nextTryAt, failures } of lines) {
      if (state !== 'offline') continue
      const wait = (nextTryAt ?? Infinity) - since
      expect(wait, `${failures} failures, round ${round}`).toBeLessThanOrEqual(longest(failures))
    }
  }

  await load.stop()
  expect(load.answered.size).toBeGreaterThan(restarts * 60)
  const found = await until('all that was answered', () => {
    const hashes = tab.deliveries().map((line) => line.sha256)
    const kept = new Set(hashes)
    return [...load.answered].every((hash) => kept.has(hash)) ? hashes : null
  })
  expect(found.length - new Set(found).size, 'stored twice').toBe(0)
  const strange = found.filter((hash) => !load.sent.has(hash) && !warm.sent.has(hash))
  expect(strange.length, 'never sent').toBe(0)
  expect(new Set(tab.deliveries().map(({ verdict }) => verdict))).toEqual(new Set(['valid']))

  await cli('tunnel', 'close')
  expect(tab.states().at(-1)).toMatchObject({ state: 'off', cause: 'stopped' })
  await until('its sockets to be closed', () => server.sockets === 0)
  if (before) {
    let now = openHandles(pid)
    await until('all to be let go', () => {
      now = openHandles(pid)
      return now && now.sockets <= before.sockets && now.threads <= before.threads
    }).catch(() => expect(now).toEqual(before))
  }
  const asked = server.asked.length
  // Longer than the retry interval of a pending localtunnel client.
  await pause(1200)
  expect(server.asked.length).toBe(asked)
  expect(tab.child.exitCode).toBe(null)
  tab.child.kill('SIGTERM')
  const { code, stderr } = await tab.ended
  expect(code, stderr).toBe(0)
  expect(stderr).not.toMatch(/unhandled|uncaught|at .*\.(js|ts):\d+/i)
})
