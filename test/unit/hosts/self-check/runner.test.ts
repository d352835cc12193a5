import { describe, expect, it } from 'vitest'
import { createRunner, waitFor } from '#hosts/self-check/runner.ts'

function collected(timeoutMs?: number) {
  const lines: unknown[] = []
  const runner = createRunner((line) => void lines.push(JSON.parse(line)), timeoutMs)
  return { runner, lines }
}

describe('the runner of the self-check', () => {
  it('writes a line for each check and a verdict with the facts', async () => {
    const { runner, lines } = collected()
    expect(await runner.check('one', () => 'found')).toBe(true)
    runner.skip('two', 'not here')
    expect(runner.finish({ version: '1.2.3' })).toBe(0)
    const durationMs: unknown = expect.any(Number)
    expect(lines).toEqual([
      { event: 'check', check: 'one', status: 'passed', durationMs, detail: 'found' },
      { event: 'check', check: 'two', status: 'skipped', durationMs: 0, detail: 'not here' },
      {
        event: 'verdict',
        verdict: 'passed',
        passed: 1,
        failed: 0,
        skipped: 1,
        durationMs,
        version: '1.2.3',
      },
    ])
  })

  it('continues after a check that throws, and then fails', async () => {
    const { runner, lines } = collected()
    const broken = await runner.check('broken', () => {
      throw new Error('no disk')
    })
    expect(broken).toBe(false)
    expect(await runner.check('next', async () => null)).toBe(true)
    expect(runner.finish({})).toBe(1)
    expect(lines).toMatchObject([
      { check: 'broken', status: 'failed', detail: 'no disk' },
      { check: 'next', status: 'passed' },
      { verdict: 'failed', passed: 1, failed: 1 },
    ])
  })

  it('fails a check that never ends, and stops its waits', async () => {
    const { runner, lines } = collected(20)
    const stopped = Promise.withResolvers<unknown>()
    await runner.check('endless', (signal) => {
      const waiting = waitFor<string>(signal, () => null)
      waiting.catch(stopped.resolve)
      return waiting
    })
    expect(await stopped.promise).toBeInstanceOf(Error)
    expect(lines).toMatchObject([
      { status: 'failed', detail: 'The check did not finish within 0.02 seconds.' },
    ])
  })
})
