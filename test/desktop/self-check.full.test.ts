import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDesktop } from '../support/electron-double/launch.ts'
import { brokenApp, root, tempDir } from './harness.ts'

const Line = z.union([
  z.object({
    check: z.string(),
    status: z.enum(['passed', 'failed', 'skipped']),
    durationMs: z.int().nonnegative(),
    detail: z.string().nullable(),
  }),
  z.object({ verdict: z.enum(['passed', 'failed']), failed: z.int(), system: z.string() }),
])
type Line = z.infer<typeof Line>

const desktop = await openDesktop()
afterAll(async () => desktop.close())

interface Result {
  readonly code: number
  readonly lines: readonly Line[]
  readonly output: string
}

async function runSelfCheck(
  app: string,
  report: string,
  options: { timeout?: number; env?: Record<string, string> } = {},
): Promise<Result> {
  const { timeout = 60, env = {} } = options
  const args = ['--self-check', '--report', report, '--timeout', `${timeout}s`]
  const running = desktop.start({ root: app, args, env })
  const code = await running.exited
  const output = running.output()
  // stderr also contains the output of the double and the log.
  const printed = output.split('\n').filter((line) => /^\{"event":"(check|verdict)"/.test(line))
  const reported = readFileSync(path.join(report, 'self-check.jsonl'), 'utf8').trimEnd().split('\n')
  expect(reported).toEqual(printed)
  return { code, lines: printed.map((line) => Line.parse(JSON.parse(line))), output }
}

function named(lines: readonly Line[], status: 'passed' | 'failed' | 'skipped'): string[] {
  return lines.flatMap((line) => ('check' in line && line.status === status ? line.check : []))
}

function detailOf(lines: readonly Line[], check: string): string | null | undefined {
  return lines.flatMap((line) => ('check' in line && line.check === check ? [line.detail] : []))[0]
}

describe('the self-check of the desktop app', () => {
  it('passes, prints a line for each check and a verdict, and leaves nothing behind', async () => {
    using report = tempDir()
    using temp = tempDir()
    const { code, lines, output } = await runSelfCheck(root, report.path, {
      env: { TMPDIR: temp.path },
    })
    expect({
      failed: lines.filter((line) => 'check' in line && line.status === 'failed'),
      code,
    }).toEqual({ failed: [], code: 0 })
    expect(named(lines, 'passed')).toEqual([
      'secrets',
      'engine',
      'listener',
      'delivery',
      'resend',
      'window',
      'screenshot',
      'tray',
      'crash-reports',
      'close',
    ])
    // The double registers nothing with the system.
    expect(named(lines, 'skipped')).toEqual(['links'])
    expect(lines.at(-1)).toMatchObject({ verdict: 'passed', failed: 0 })
    const picture = readFileSync(path.join(report.path, 'window.png'))
    expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect(readFileSync(path.join(report.path, 'tabscope.log'), 'utf8')).toContain(
      'The engine is open.',
    )
    expect(globSync('tabscope-self-check-*', { cwd: temp.path })).toEqual([])
    expect(output).not.toMatch(/\[(message|error) box\]|\[dialog\]|\[shell\]/)
  })

  it('fails with a preload script that throws, and runs the other checks', async () => {
    using report = tempDir()
    using broken = tempDir()
    brokenApp(broken.path, 'preload/preload.cjs', /^/, 'throw new Error("broken");')
    const result = await runSelfCheck(broken.path, report.path, { timeout: 10 })
    expect(named(result.lines, 'failed')).toEqual(['window'])
    expect(result.lines.at(-1)).toMatchObject({ verdict: 'failed', failed: 1 })
    expect(result.code).toBe(1)
  })

  it('fails without a dialog when the engine does not open', async () => {
    using report = tempDir()
    using broken = tempDir()
    brokenApp(broken.path, 'main/engine-process.js', /^/, 'throw new Error("no engine today");')
    const { code, lines, output } = await runSelfCheck(broken.path, report.path)
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatchObject({ verdict: 'failed' })
    expect(detailOf(lines, 'start')).toBeDefined()
    expect(output).not.toMatch(/\[(message|error) box\]/)
    expect(existsSync(path.join(report.path, 'tabscope.log'))).toBe(true)
  })

  it('fails when it is closed before it finishes', async () => {
    using report = tempDir()
    const running = desktop.start({ root, args: ['--self-check', '--report', report.path] })
    await expect.poll(() => running.output()).toContain('{"event":"check","check":"secrets"')
    running.simulate({ kind: 'quit' })
    expect(await running.exited).toBe(1)
    expect(running.output()).toContain('Tabscope was closed before the self-check ended.')
  })
})
