import { spawn } from 'node:child_process'

const lineBytes = 16 * 1024

/** Holds at most one line, regardless of its length. */
export function lineReader(line: (text: string) => void): {
  write(chunk: Uint8Array): void
  /** Reports output after the last line break. */
  end(): void
} {
  let parts: Buffer[] = []
  let bytes = 0
  const keep = (part: Buffer) => {
    const fits = part.subarray(0, lineBytes - bytes)
    if (fits.byteLength === 0) return
    parts.push(fits)
    bytes += fits.byteLength
  }
  const report = () => {
    const text = Buffer.concat(parts).toString('utf8').trim()
    parts = []
    bytes = 0
    if (text !== '') line(text)
  }
  return {
    write(chunk) {
      let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (;;) {
        const at = rest.indexOf(10)
        if (at === -1) break
        keep(rest.subarray(0, at))
        report()
        rest = rest.subarray(at + 1)
      }
      // Copied, because the chunk is a view that would keep a larger buffer in memory.
      keep(Buffer.from(rest))
    },
    end: report,
  }
}

const graceMs = 2000
const drainMs = 500

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly fault: NodeJS.ErrnoException | null
}

export interface Child {
  /** Resolves when the program has ended and all of its output has been read. */
  readonly ended: Promise<Exit>
  /** SIGTERM, then SIGKILL after `graceMs`. Resolves with `ended`. */
  end(): Promise<Exit>
}

/**
 * Starts a program without a shell, as the leader of its own process group, so that its children end with it and Ctrl+C in the terminal reaches only
 * Tabscope, which ends it properly. The program ends with this process, even if that is killed: on Windows through the job object in which libuv puts
 * children that are not detached, elsewhere through `endWithThisProcess`.
 */
export function startChild(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  line: (text: string) => void,
): Child {
  const grouped = process.platform !== 'win32'
  const child = spawn(file, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: grouped,
    windowsHide: true,
    shell: false,
  })
  const send = (signal: NodeJS.Signals) => {
    const { pid } = child
    if (pid === undefined) return
    try {
      // The group outlives its leader, and the rest of it receives the signal too.
      process.kill(grouped ? -pid : pid, signal)
    } catch {
      // Already ended.
    }
  }
  // The last chance if Tabscope exits without closing the tunnel.
  const killOnExit = () => send('SIGKILL')
  process.once('exit', killOnExit)
  const watcher = grouped && child.pid !== undefined ? endWithThisProcess(child.pid) : null

  const readers = [child.stdout, child.stderr].map((stream) => {
    const reader = lineReader(line)
    stream.on('data', (chunk: Buffer) => reader.write(chunk))
    return reader
  })
  let fault: NodeJS.ErrnoException | null = null
  let over = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      fault ??= error
      if (child.pid === undefined) resolve()
    })
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = exited.then(async (): Promise<Exit> => {
    // Child processes may still run and keep its output open.
    send('SIGKILL')
    over = true
    process.off('exit', killOnExit)
    watcher?.stop()
    // Processes that left the group may still keep the output open.
    const drainTimer = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, drainMs)
    await closed
    clearTimeout(drainTimer)
    for (const reader of readers) reader.end()
    return { code: child.exitCode, signal: child.signalCode, fault }
  })
  let ending: Promise<Exit> | null = null
  const end = async (): Promise<Exit> => {
    if (over) return ended
    send('SIGTERM')
    const force = setTimeout(send, graceMs, 'SIGKILL')
    try {
      return await ended
    } finally {
      clearTimeout(force)
    }
  }
  return { ended, end: () => (ending ??= end()) }
}

/**
 * Kills a process group when this process ends for any reason: a shell waits for the end of a pipe whose other end only this process holds. A killed
 * process runs no more code, and if the main process of the desktop app is killed, Chromium ends this one immediately. `group`: process ID of the leader.
 */
function endWithThisProcess(group: number): { stop(): void } {
  const script = 'read -r _; kill -s KILL -- "-$1"'
  const shell = spawn('/bin/sh', ['-c', script, 'tabscope', String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    // Ctrl+C in the terminal must not end the shell before the process it watches.
    detached: true,
  })
  // Without a shell the program still works, but outlives a killed Tabscope.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return { stop: () => void shell.kill('SIGKILL') }
}
