import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { forwardSignals } from './child-signals.mjs'
import { resolvePath } from './io.ts'
import { printError } from './output.ts'

const stopMs = 10_000

/** A command of the user, with the terminal of this process. */
export interface Child {
  /** Its exit code, as shells have it: 128 and the number of the signal that ended it; 127 if it was not found, 126 if it could not be started. */
  readonly ended: Promise<number>
  /** This process has received a signal, which the child has received as well. */
  isInterrupted(): boolean
  /** Resolves to 0: how a stopped command ends says nothing. */
  stop(): Promise<0>
}

export async function runChild(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Child> {
  const [file = '', ...args] = words
  const options = { stdio: 'inherit', env, cwd: resolvePath('.') } as const
  const child = (await needsShell(file, env))
    ? spawn(words.map(quotedForCmd).join(' '), { ...options, shell: true })
    : spawn(file, args, options)
  const signals = forwardSignals(child)
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
      if (hasEnded) return 0
      // Otherwise only the shell would end.
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${child.pid}`, '/t', '/f'])
      else child.kill('SIGTERM')
      if ((await Promise.race([ended, pause(stopMs, null, { ref: false })])) === null) {
        child.kill('SIGKILL')
        await ended
      }
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
  return /^[\w.:\\/=@+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`
}
