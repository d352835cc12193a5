import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

const variable = 'STARTED_BY_TABSCOPE'

/**
 * The environment with a mark that says which process has started it. A Tabscope that is killed ends nothing any more; by this mark the next
 * one finds what it left. Only Linux lets the environment of a process be read. Elsewhere such a program lives on until it writes its next
 * line, to a pipe that nobody reads any more: that ends programs written in Go, as these are.
 */
export function marked(env: Readonly<Record<string, string>>): Record<string, string> {
  const self = process.platform === 'linux' ? selfMark() : null
  return self === null ? { ...env } : { ...env, [variable]: self }
}

/** Ends what a Tabscope has started that is no more. Of a process that lives nothing is touched, nor of what bears no mark. */
export async function endOrphans(): Promise<void> {
  if (process.platform !== 'linux') return
  const names = await readdir('/proc').catch(() => [])
  for (const name of names.filter((name) => /^\d+$/.test(name))) {
    const owner = await ownerOf(name)
    if (owner === null || (await isAlive(owner))) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // Gone meanwhile.
    }
  }
}

/** A number of a process is used again; with the time of its start it is the same one. */
function selfMark(): string | null {
  try {
    const started = startedAt(readFileSync('/proc/self/stat', 'utf8'))
    return started === null ? null : `${process.pid}.${started}`
  } catch {
    return null
  }
}

async function ownerOf(pid: string): Promise<{ pid: string; started: string } | null> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  const entry = environment.split('\0').find((entry) => entry.startsWith(`${variable}=`))
  const [, owner, started] = /=(\d+)\.(\d+)$/.exec(entry ?? '') ?? []
  return owner === undefined || started === undefined ? null : { pid: owner, started }
}

async function isAlive({ pid, started }: { pid: string; started: string }): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  return stat !== null && startedAt(stat) === started
}

/** The 22nd field, behind the name in brackets, which may hold anything (proc_pid_stat(5)). */
function startedAt(stat: string): string | null {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
