import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

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

export function resolvePath(file: string): string {
  return path.resolve(io.cwd(), file)
}

/** Program and first argument that run this Tabscope from any folder, without a PATH: assistants and desktops have another one than terminals. */
export function ownCommand(): { readonly program: string; readonly script: string } {
  const script = io.argv[1]
  if (script === undefined) throw new Error('a script runs')
  return { program: process.execPath, script: resolvePath(script) }
}

/** Ctrl+C and SIGTERM, until the returned function is called. */
export function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop = (): void => signals.forEach((signal) => io.off(signal, once))
  // A second signal ends the process.
  const once = (): void => {
    stop()
    listener()
  }
  for (const signal of signals) io.on(signal, once)
  return stop
}
