import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from './until.ts'

export interface FakeBrowser {
  /** Environment variables that make a program use this browser. */
  readonly PATH: string
  opened(): Promise<string>
  /** Arguments of all processes while the URL was being opened, one process per line. Linux only. */
  processes(): Promise<string>
  wasOpened(): boolean
  /** Resets the record, so that the next calls wait for another URL. */
  forget(): void
}

/** A replacement for `xdg-open` that opens nothing, and records the URL and the process arguments visible to other users. */
export function fakeBrowser(folder: string): FakeBrowser {
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
    await until('the browser to be opened', () => existsSync(done))
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
