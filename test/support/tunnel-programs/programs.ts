import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ProviderDependencies } from '#engine/receiving/tunnel/provider.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import type { Behaviour } from './behave.ts'

export interface FakePrograms extends AsyncDisposable {
  /** Environment in which a provider finds the programs, with this behavior. */
  world(behaviour?: Behaviour, variables?: Readonly<Record<string, string>>): ProviderDependencies
  /** Only the changed variables, for a process that inherits its environment. */
  variables(behaviour?: Behaviour): Record<string, string>
  running(): number[]
}

/** Caches stripped TypeScript, which is half of the start time. */
const compiled = path.resolve('node_modules/.cache/fake-programs')

/** The fake programs are scripts, which Windows can only run through a shell. Tabscope does not use a shell. */
export const fakesRunHere = process.platform !== 'win32'

export async function fakePrograms(
  names: readonly ('cloudflared' | 'ngrok')[],
): Promise<FakePrograms> {
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
    FAKE_BEHAVIOUR: behaviour,
    STAND_IN_PIDS: pids,
  })
  return {
    variables,
    world: (behaviour = 'well', more = {}) => ({
      // These providers do not start the thread of the localtunnel client.
      tunnelThread: new URL('file:///none'),
      env: { ...process.env, ...variables(behaviour), ...more },
    }),
    running,
    async [Symbol.asyncDispose]() {
      for (const pid of running()) process.kill(pid, 'SIGKILL')
      await folder[Symbol.asyncDispose]()
    },
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie process still exists, but has ended.
    return (
      process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    )
  } catch {
    return false
  }
}
