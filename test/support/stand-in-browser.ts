import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from './until.ts'

export interface StandInBrowser {
  /** For the environment of a program, so that it opens addresses by this one. */
  readonly PATH: string
  /** The address that it was asked to open. */
  opened(): Promise<string>
  /** The arguments of every process of this machine while it was being opened, a line each. Linux only. */
  processes(): Promise<string>
  /** Whether it was asked to open anything. */
  wasOpened(): boolean
  /** Forgets what it was asked for: the next calls wait for another address. */
  forget(): void
}

/** A program in the place of `xdg-open` that opens nothing, but writes down what it was asked for and what anybody could read meanwhile. */
export function standInBrowser(folder: string): StandInBrowser {
  const bin = path.join(folder, 'bin')
  const address = path.join(folder, 'address')
  const processes = path.join(folder, 'processes')
  const done = path.join(folder, 'done')
  mkdirSync(bin)
  const script = path.join(bin, 'xdg-open')
  const lines = [
    '#!/bin/sh',
    `printf %s "$1" > '${address}'`,
    `for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < "$file"; echo; done > '${processes}' 2>/dev/null`,
    `: > '${done}'`,
  ]
  writeFileSync(script, `${lines.join('\n')}\n`)
  chmodSync(script, 0o755)
  const read = async (file: string): Promise<string> => {
    await until('the browser to be opened', () => existsSync(done), 30_000)
    return readFileSync(file, 'utf8')
  }
  return {
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    opened: () => read(address),
    processes: () => read(processes),
    wasOpened: () => existsSync(done),
    forget: () => rmSync(done),
  }
}
