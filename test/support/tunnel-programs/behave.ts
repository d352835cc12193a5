import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { startEdge, type Edge } from './edge.ts'

/** Behavior of a fake program, set in the variable FAKE_BEHAVIOUR. */
export type Behaviour =
  | 'well'
  | 'silent'
  /** Ignores signals to end. */
  | 'stubborn'
  /** Writes 10 MB before it works: one very long line, many lines, or binary data. */
  | 'garbage'
  /** Reports an invalid URL. */
  | 'hostile'
  /** Starts another program that ignores signals to end and keeps the output open. */
  | 'parent'
  | 'unreachable'
  /** Like in the real program. */
  | 'refused'
  | 'limited'
  | 'odd'
  | 'misconfigured'

export const behaviour = process.env['FAKE_BEHAVIOUR'] ?? 'well'

const hostileUrl = 'https://user:pass@evil.test/\u001b[31m'

export type Say = (line: string) => void

export interface ProgramOutput {
  /** Output until the tunnel is reachable. */
  opened(url: string): readonly string[]
  lost(): readonly string[]
  found(): readonly string[]
  passing(fault: string): readonly string[]
  failing(behaviour: string): readonly string[] | null
  readonly last: readonly string[]
}

/** Runs the fake program. It forwards requests to its URL. SIGUSR2 ends it with an error; SIGHUP makes it lose and restore its connection. */
export async function behave(port: number, say: Say, manners: ProgramOutput): Promise<void> {
  if (process.env['STAND_IN_PIDS'] !== undefined)
    appendFileSync(process.env['STAND_IN_PIDS'], `${process.pid}\n`)
  const failing = manners.failing(behaviour)
  if (failing !== null) {
    failing.forEach(say)
    process.exitCode = 1
    return
  }
  if (behaviour === 'stubborn') process.on('SIGTERM', () => {})
  if (behaviour === 'silent') {
    setInterval(() => {}, 60_000)
    return
  }
  if (behaviour === 'garbage') await garbage(say)
  if (behaviour === 'parent') beParent()

  let lost = false
  process.on('SIGHUP', () => {
    lost = !lost
    const lines = lost ? manners.lost() : manners.found()
    lines.forEach(say)
  })
  process.on('SIGUSR2', () => {
    manners.last.forEach(say)
    process.exit(1)
  })
  const edge: Edge = await startEdge(port, (fault) => manners.passing(fault).forEach(say))
  manners.opened(behaviour === 'hostile' ? hostileUrl : edge.url).forEach(say)
}

async function garbage(say: Say): Promise<void> {
  const noise = Buffer.alloc(1024 * 1024, 0xfe)
  for (let mib = 0; mib < 5; mib++) await written(noise)
  const lines = '{"level":"not what it seems \u001b[2J\n'.repeat(30_000)
  for (let mib = 0; mib < 5; mib++) await written(Buffer.from(lines))
  say('')
}

function written(bytes: Buffer): Promise<void> {
  const { stderr } = process
  return new Promise((resolve) => void stderr.write(bytes, () => resolve()))
}

function beParent(): void {
  const child = spawn(
    process.execPath,
    ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 60_000)'],
    { stdio: 'inherit' },
  )
  if (process.env['STAND_IN_PIDS'] !== undefined)
    appendFileSync(process.env['STAND_IN_PIDS'], `${child.pid}\n`)
}
