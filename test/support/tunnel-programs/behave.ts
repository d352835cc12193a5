import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { startEdge, type Edge } from './edge.ts'

/** How a stand-in is told to behave, by the variable STAND_IN. */
export type Behaviour =
  | 'well'
  /** Says nothing at all, and runs. */
  | 'silent'
  /** Does not hear that it is to end. */
  | 'stubborn'
  /** 10 MB of something before it works: one endless line, many lines, and bytes that are no text. */
  | 'garbage'
  /** The address that it gives is none. */
  | 'hostile'
  /** Has started another program, which does not hear that it is to end, and holds the output open. */
  | 'parent'
  /** Its far side cannot be reached. */
  | 'unreachable'
  /** As the real one has it: see there. */
  | 'refused'
  | 'limited'
  | 'odd'
  | 'misconfigured'

export const behaviour = process.env['STAND_IN'] ?? 'well'

const hostileUrl = 'https://user:pass@evil.test/\u001b[31m'

/** A line of its own. */
export type Say = (line: string) => void

/** What a real one prints, and with which code it ends. */
export interface Manners {
  /** All that it says until it can be reached. */
  opened(url: string): readonly string[]
  lost(): readonly string[]
  found(): readonly string[]
  passing(fault: string): readonly string[]
  failing(behaviour: string): readonly string[] | null
  readonly last: readonly string[]
}

/** Runs it: it really passes on what comes to its address. SIGUSR2 ends it with an error, SIGHUP makes it lose its connection and find it again. */
export async function behave(port: number, say: Say, manners: Manners): Promise<void> {
  if (process.env['STAND_IN_PIDS'] !== undefined) {
    appendFileSync(process.env['STAND_IN_PIDS'], `${process.pid}\n`)
  }
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
  if (process.env['STAND_IN_PIDS'] !== undefined) {
    appendFileSync(process.env['STAND_IN_PIDS'], `${child.pid}\n`)
  }
}
