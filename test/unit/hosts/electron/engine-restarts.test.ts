import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { logLines } from '#hosts/electron/engine/log-lines.ts'
import { planRestarts } from '#hosts/electron/engine/restarts.ts'
import { until } from '#test/support/until.ts'

describe('a process that ended unexpectedly', () => {
  it('is restarted after 250 ms, 1 s and 5 s, and then only on request', () => {
    const plan = planRestarts()
    expect([0, 10, 2_000, 8_000].map((now) => plan.ended(now))).toEqual([250, 1_000, 5_000, null])
    plan.reset()
    expect(plan.ended(9_000)).toBe(250)
  })

  it('is restarted after 250 ms again once a minute has passed', () => {
    const plan = planRestarts()
    expect([0, 1_000, 60_500, 61_500, 200_000].map((now) => plan.ended(now))).toEqual([
      250, 1_000, 1_000, 1_000, 250,
    ])
  })
})

describe('the output of an engine process that ends', () => {
  it('is logged when Electron has removed the listeners of the stream at its exit', async () => {
    const warned: string[] = []
    const log = {
      info: () => undefined,
      warn: (text: string) => warned.push(text),
      error: () => '',
    }
    const stream = new PassThrough()
    const lines = logLines(stream, log)
    stream.write('first\nFATAL ERROR: ')
    await until('the first line', () => warned.length === 1)
    stream.removeAllListeners()
    process.nextTick(() => {
      lines.listen()
      stream.end('out of memory')
    })
    await until('the last line', () => warned.length === 2)
    expect(warned[1]).toBe('The engine process wrote: FATAL ERROR: out of memory')
  })

  it('is logged line by line, within limits', async () => {
    const warned: string[] = []
    const log = {
      info: () => undefined,
      warn: (text: string) => warned.push(text),
      error: () => '',
    }
    logLines(null, log)
    const stream = new PassThrough()
    logLines(stream, log)
    stream.write('FATAL ERROR: out of ')
    stream.end(`memory\r\n\n  at a.js:1\n${'again\n'.repeat(1_000)}`)
    await until('the last line', () =>
      warned.includes('Further output of the process is not logged.'),
    )
    expect(warned.slice(0, 2)).toEqual([
      'The engine process wrote: FATAL ERROR: out of memory',
      'The engine process wrote:   at a.js:1',
    ])
    await once(stream, 'close')
    expect(warned.length).toBeLessThanOrEqual(201)
  })
})
