import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { startTunnelled } from '#test/support/tunnelled.ts'
import type { BodyLimit } from '#test/support/tunnel-relay.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'

const mib = 2 ** 20

const Sizes = z.object({
  event: z.literal('tunnel_sizes'),
  largestPassedBytes: z.number().nullable(),
  smallestFailedBytes: z.number().nullable(),
})
const Step = z.object({
  event: z.literal('tunnel_size'),
  bytes: z.number(),
  result: z.string(),
  reason: z.string().nullable(),
})

test('the size probe finds the limit of the tunnel, regardless of how it rejects larger bodies', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer()
  await using tab = await startTunnelled(folder.path, `localtunnel:sized@${server.host}`)
  await tab.online()
  const probe = async (limit: BodyLimit | null) => {
    server.limitBody(limit)
    const args = ['tunnel', 'sizes', '--json', '--data', folder.path]
    const { code, stdout, stderr } = await runCli(args)
    const lines = jsonLines(stdout)
    const sizes = Sizes.safeParse(lines.at(-1))
    if (!sizes.success) throw new Error(stderr)
    const { largestPassedBytes: largest, smallestFailedBytes: stopsAt } = sizes.data
    return { code, largest, stopsAt, steps: z.array(Step).parse(lines.slice(0, -1)) }
  }
  for (const how of ['413', 'cut', 'reset'] as const) {
    const { code, largest, stopsAt, steps } = await probe({ bytes: mib, how })
    expect(code, how).toBe(1)
    // About 1 MiB: the largest size that passes and the smallest that fails are close.
    expect(largest, how).toBeGreaterThanOrEqual(mib / 2)
    expect(largest, how).toBeLessThanOrEqual(mib)
    expect(stopsAt, how).toBeGreaterThan(mib)
    expect(stopsAt, how).toBeLessThanOrEqual(2 * mib)
    for (const { result, reason } of steps) {
      if (result !== 'passed') expect(reason).toMatch(/^\S.*\.$/s)
    }
  }
  const all = await probe(null)
  expect(all).toMatchObject({ code: 0, largest: 10 * mib, stopsAt: null })
  expect(all.steps[0]?.bytes).toBe(1024)
  // Probes create no deliveries, and the tunnel stays online.
  expect(tab.deliveries()).toEqual([])
  expect(tab.states().at(-1)?.state).toBe('online')
})
