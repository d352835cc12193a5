import { expect, test } from 'vitest'
import { createProber } from '#engine/tunnel/probe/prober.ts'
import { openCapture, type TestCapture } from '#test/support/capture-thread.ts'

const never = new AbortController().signal
const originOf = ({ port }: TestCapture): string => `http://127.0.0.1:${port}`

test('the listener answers a probe of ours and keeps nothing of it', async () => {
  await using tab = await openCapture()
  const prober = createProber(tab.probeKey)
  for (let i = 0; i < 3; i += 1) {
    expect(await prober.probe(originOf(tab), 5000, never)).toEqual({
      at: expect.any(Number),
      ok: true,
      ms: expect.any(Number),
      reason: null,
      code: 'probe_ok',
    })
  }
  expect(await prober.browser(originOf(tab), never)).toBe('ours')
  expect(tab.journal()).toEqual([])
})
