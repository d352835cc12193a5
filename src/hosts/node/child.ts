import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { forwardSignals } from './child-signals.mjs'
import { resolvePath } from './io.ts'
import { printError } from './output.ts'

/** For a command that is stopped, and then for what it started. */
const stopMs = 10_000
const othersMs = 1000
const pollMs = 20

/** A command of the user. */
export interface Child {
  /** Its exit code, as shells have it: 128 and the number of the signal that ended it; 127 if it was not found, 126 if it could not be started. */
  readonly ended: Promise<number>
  /** This process has received a signal, which the child has received as well. */
  isInterrupted(): boolean
  /** With what it has started, if it is `stoppable`. Resolves to 0: how a stopped command ends says nothing. */
  stop(): Promise<0>
}

/** `stoppable`: in a process group of its own, since npm ends without what it started. It can then not read from the terminal. */
export async function runChild(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { stoppable }: { readonly stoppable: boolean },
): Promise<Child> {
  const [file = '', ...args] = words
  const isGroup = stoppable && process.platform !== 'win32'
  const options = { stdio: 'inherit', env, cwd: resolvePath('.'), detached: isGroup } as const
  const child = (await needsShell(file, env))
    ? spawn(words.map(quotedForCmd).join(' '), { ...options, shell: true })
    : spawn(file, args, options)
  // The terminal notifies its own group only.
  const signals = forwardSignals(child, isGroup ? { inTerminal: false } : {})
  let hasEnded = false
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      const code = systemCodeOf(error)
      const reason = code === 'ENOENT' ? 'Command not found.' : systemReason(error)
      printError(`Could not run ${escapeControls(file)}. ${reason}`)
      resolve(code === 'ENOENT' ? 127 : 126)
    })
    child.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    )
  }).finally(() => {
    hasEnded = true
    signals.stop()
  })
  return {
    ended,
    isInterrupted: () => signals.received,
    stop: async () => {
      const { pid } = child
      if (pid === undefined || (hasEnded && !isGroup)) return 0
      const send = (signal: NodeJS.Signals | 0): boolean => {
        try {
          return process.kill(isGroup ? -pid : pid, signal)
        } catch {
          // Nothing of it runs any more.
          return false
        }
      }
      // Without taskkill, only the shell would end.
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'])
      else send('SIGTERM')
      await Promise.race([ended, pause(stopMs, null, { ref: false })])
      const deadline = performance.now() + othersMs
      while (isGroup && performance.now() < deadline && send(0)) await pause(pollMs)
      send('SIGKILL')
      await ended
      return 0
    },
  }
}

/** On Windows, npm and the like are batch files. */
async function needsShell(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (process.platform !== 'win32' || /\.(?:exe|com)$/i.test(file)) return false
  const { findProgram } = await import('#engine/tunnel/program/find.ts')
  return path.isAbsolute(file) || (await findProgram(file, env)) === null
}

function quotedForCmd(word: string): string {
  const isPlain = word !== '' && !/[^\w.:\\/=@+-]/.test(word)
  return isPlain ? word : `"${word.replaceAll('"', '""')}"`
}
