import { spawn } from 'node:child_process'

/** So much of a line is kept, in bytes; what follows up to its end is let go. */
const lineBytes = 16 * 1024

/** Cuts what a program writes into lines. Holds one line at most, however much comes and however long it is. */
export function lineReader(line: (text: string) => void): {
  write(chunk: Uint8Array): void
  /** What stood there without an end of line. */
  end(): void
} {
  let held: Buffer[] = []
  let bytes = 0
  const keep = (part: Buffer) => {
    const fits = part.subarray(0, lineBytes - bytes)
    if (fits.byteLength === 0) return
    held.push(fits)
    bytes += fits.byteLength
  }
  const tell = () => {
    const text = Buffer.concat(held).toString('utf8').trim()
    held = []
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
        tell()
        rest = rest.subarray(at + 1)
      }
      // A copy: the chunk is a view of a larger buffer, which would be held with it.
      keep(Buffer.from(rest))
    },
    end: tell,
  }
}

/** Between the asking and the forcing, in milliseconds. */
const graceMs = 2000
/** What it wrote before it ended is waited for so long, in milliseconds. */
const drainMs = 500

/** How a program ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** It could not be started at all. */
  readonly fault: NodeJS.ErrnoException | null
}

export interface Child {
  /** Resolves when it is gone, and all that it wrote has been read. */
  readonly gone: Promise<Exit>
  /** Asks it to end, and forces it when it has not after `graceMs`. Resolves with `gone`. */
  end(): Promise<Exit>
}

/**
 * Starts a program, never through a shell, as the head of a process group of its own: so that whatever it starts in turn ends with it, and so
 * that Ctrl+C in the terminal comes to Tabscope alone, which ends it in order. It ends with this process, also when that is killed: on Windows
 * by the job object in which libuv puts what is not detached, elsewhere by `endWithThisProcess`.
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
      // The group outlives its head: what is left of it hears the signal too.
      process.kill(grouped ? -pid : pid, signal)
    } catch {
      // Gone already.
    }
  }
  // Where Tabscope ends without having closed anything, this is the last moment.
  const last = () => send('SIGKILL')
  process.once('exit', last)
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
  const gone = exited.then(async (): Promise<Exit> => {
    // Children of its own may live on and hold its output open: they go with it.
    send('SIGKILL')
    over = true
    process.off('exit', last)
    watcher?.stop()
    // What has left the group may still hold it open: that is not waited for.
    const enough = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, drainMs)
    await closed
    clearTimeout(enough)
    for (const reader of readers) reader.end()
    return { code: child.exitCode, signal: child.signalCode, fault }
  })
  let ending: Promise<Exit> | null = null
  const end = async (): Promise<Exit> => {
    if (over) return gone
    send('SIGTERM')
    const force = setTimeout(send, graceMs, 'SIGKILL')
    try {
      return await gone
    } finally {
      clearTimeout(force)
    }
  }
  return { gone, end: () => (ending ??= end()) }
}

/**
 * Kills a process group when this process ends in whatever way: a shell waits for the end of a pipe whose other end is held here alone. A
 * killed process runs no more code, and where main of the desktop app is killed, Chromium ends this process at once. `group` is the number of
 * its head.
 */
function endWithThisProcess(group: number): { stop(): void } {
  const script = 'read -r _; kill -s KILL -- "-$1"'
  const shell = spawn('/bin/sh', ['-c', script, 'tabscope', String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    // Ctrl+C in the terminal must not end it before what it watches.
    detached: true,
  })
  // Without a shell the program outlives a Tabscope that is killed, and works all the same.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return { stop: () => void shell.kill('SIGKILL') }
}
