import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { urlWord } from '#engine/platform/posix-quote.ts'

type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** `process` is one; tests run commands with another. */
export interface CommandIo {
  /** The path of Node, that of the script, and the words of the command line. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly pid: number
  readonly ppid: number
  cwd(): string
  /** Seconds. */
  uptime(): number
  on(event: NodeJS.Signals | 'exit', listener: () => void): unknown
  off(event: NodeJS.Signals | 'exit', listener: () => void): unknown
  kill(pid: number, signal: NodeJS.Signals): unknown
  exit(code: number): void
}

export let io: CommandIo = process

export function useIo(next: CommandIo): void {
  io = next
}

/** A text of ours, with `tabscope …` in the form in which this process was started, so that it can be copied. */
export function asStarted(text: string): string {
  return text.replaceAll(/(?<![\w./-]|npx )tabscope (?=[a-z<])/g, `${startedForm(io.env)} `)
}

/** npm sets these variables for its scripts and for `npx`. */
function startedForm(env: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env
  if (script.startsWith('node src/hosts/node/launch.mjs')) {
    const { npm_config_local_prefix: checkout = '', INIT_CWD: folder = '' } = env
    const isInside = `${folder}${path.sep}`.startsWith(`${checkout}${path.sep}`)
    return `npm run -s ${isInside ? '' : `--prefix ${urlWord(checkout)} `}tabscope --`
  }
  return event === 'npx' && /^['"]?tabscope\b/.test(script) ? 'npx tabscope' : 'tabscope'
}

export function resolvePath(file: string): string {
  return path.resolve(io.cwd(), file)
}

/** Program and first argument that run this Tabscope from any folder, without a PATH: assistants and desktops have another one than terminals. */
export function ownCommand(): { program: string; script: string } {
  const script = io.argv[1]
  if (script === undefined) throw new Error('a script runs')
  return { program: process.execPath, script: resolvePath(script) }
}

/** Ctrl+C and SIGTERM, until the returned function is called. */
export function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop = (): void => signals.forEach((signal) => io.off(signal, once))
  const once = (): void => {
    stop()
    listener()
  }
  for (const signal of signals) io.on(signal, once)
  return stop
}
