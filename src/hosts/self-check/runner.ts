import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeControls } from '#shared/text/visible.ts'
import { messageOf } from '#shared/text/errors.ts'

/** A busy machine that starts Chromium for the first time needs several seconds. */
const CHECK_TIMEOUT_MS = 60_000
const POLL_MS = 50

export interface CheckLine {
  readonly event: 'check'
  readonly check: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly durationMs: number
  /** What was found, why it failed, or why it was skipped. Never a secret. */
  readonly detail: string | null
}

export interface VerdictLine {
  readonly event: 'verdict'
  readonly verdict: 'passed' | 'failed'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number
  readonly [fact: string]: string | number | boolean
}

/** One check after the other, one JSON object per line. */
export interface SelfCheckRunner {
  /** `work` resolves with a detail or null; `signal` is aborted at the timeout. Resolves to whether it passed; a failed check does not stop the others. */
  check(
    name: string,
    work: (signal: AbortSignal) => Promise<string | null> | string | null,
  ): Promise<boolean>
  skip(name: string, reason: string): void
  /** Outside of a check, immediately. */
  fail(name: string, reason: unknown): void
  /** `facts`: about this build and system. Returns the exit code: 0 when no check failed, else 1. */
  finish(facts: Readonly<Record<string, string | number | boolean>>): 0 | 1
}

/** `write` takes a line as text without its line break, and as an object. */
export function createRunner(
  write: (text: string, line: CheckLine | VerdictLine) => void,
  timeoutMs = CHECK_TIMEOUT_MS,
): SelfCheckRunner {
  const begin = performance.now()
  const count = { passed: 0, failed: 0, skipped: 0 }
  let finished = false

  function report(fields: Omit<CheckLine, 'event'>): void {
    // A check that was running when the verdict was written.
    if (finished) return
    count[fields.status] += 1
    const line: CheckLine = { event: 'check', ...fields }
    write(JSON.stringify(line), line)
  }

  const fail = (check: string, reason: unknown, durationMs = 0): void =>
    report({
      check,
      status: 'failed',
      durationMs,
      detail: messageOf(reason),
    })

  return {
    async check(name, work) {
      const startedAt = performance.now()
      const elapsed = (): number => Math.round(performance.now() - startedAt)
      try {
        const detail = await withTimeout(work, timeoutMs)
        report({ check: name, status: 'passed', durationMs: elapsed(), detail })
        return true
      } catch (error) {
        fail(name, error, elapsed())
        return false
      }
    },
    skip: (name, reason) =>
      report({ check: name, status: 'skipped', durationMs: 0, detail: reason }),
    fail: (name, reason) => fail(name, reason),
    finish(facts) {
      finished = true
      const verdict: VerdictLine = {
        event: 'verdict',
        verdict: count.failed === 0 ? 'passed' : 'failed',
        ...count,
        durationMs: Math.round(performance.now() - begin),
        ...facts,
      }
      write(JSON.stringify(verdict), verdict)
      return count.failed === 0 ? 0 : 1
    },
  }
}

async function withTimeout(
  work: (signal: AbortSignal) => Promise<string | null> | string | null,
  timeoutMs: number,
): Promise<string | null> {
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new Error(`The check did not finish within ${timeoutMs / 1000} seconds.`)),
    timeoutMs,
  )
  const expired = new Promise<never>((_resolve, reject) => {
    timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason))
  })
  try {
    return await Promise.race([work(timeout.signal), expired])
  } finally {
    clearTimeout(timer)
  }
}

/** Null: not yet. Rejects when `signal` is aborted. */
export async function waitFor<T>(
  signal: AbortSignal,
  read: () => Promise<T | null> | T | null,
): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== null) return found
    await delay(POLL_MS, undefined, { signal })
  }
}

/** Synchronous, so that the line is written however the process ends. A GUI program on Windows may have no stdout. */
export function writeStdout(line: string): void {
  const bytes = Buffer.from(`${escapeControls(line)}\n`)
  let written = 0
  for (let tries = 0; written < bytes.byteLength && tries < 1_000; tries += 1) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      // Retry while a pipe is full. On other errors only the report file has the line.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}
