import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ProviderDependencies } from '#engine/tunnel/provider.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import type { Behaviour } from './behave.ts'

/** Stand-ins for programs that make tunnels, on a path of their own. They are what the tests run; the real ones are never started. */
export interface StandInPrograms extends AsyncDisposable {
  /** What a provider finds them by; behaving so. */
  world(behaviour?: Behaviour, variables?: Readonly<Record<string, string>>): ProviderDependencies
  /** The variables alone, for a process that passes its own environment on. */
  variables(behaviour?: Behaviour): Record<string, string>
  /** Of all that were started here, those that still run. */
  running(): number[]
}

/** What was stripped of its types is kept: it is half of what a start costs. */
const compiled = path.resolve('node_modules/.cache/stand-in-programs')

/** They are scripts, which Windows runs through a shell only, and Tabscope uses none. */
export const standInsRunHere = process.platform !== 'win32'

export async function standInPrograms(
  names: readonly ('cloudflared' | 'ngrok')[],
): Promise<StandInPrograms> {
  const folder = ownedFolder()
  const pids = path.join(folder.path, 'pids')
  writeFileSync(pids, '')
  for (const name of names) {
    const script = path.join(import.meta.dirname, `${name}.ts`)
    const file = path.join(folder.path, name)
    writeFileSync(
      file,
      `#!/bin/sh\nNODE_COMPILE_CACHE='${compiled}' exec '${process.execPath}' '${script}' "$@"\n`,
    )
    chmodSync(file, 0o755)
  }
  const running = (): number[] =>
    readFileSync(pids, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number)
      .filter(isRunning)
  const variables = (behaviour: Behaviour = 'well') => ({
    PATH: folder.path,
    STAND_IN: behaviour,
    STAND_IN_PIDS: pids,
  })
  return {
    variables,
    world: (behaviour = 'well', more = {}) => ({
      // No thread of the localtunnel client is started by these.
      tunnelThread: new URL('file:///none'),
      env: {
        ...process.env,
        ...variables(behaviour),
        ...more,
      },
    }),
    running,
    async [Symbol.asyncDispose]() {
      for (const pid of running()) process.kill(pid, 'SIGKILL')
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Whether there is such a process, and it has not ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that has ended and that nobody asks for how is still there in name.
    return (
      process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    )
  } catch {
    return false
  }
}
