import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Who listens on a port of this machine, as "name (process 123)"; null when it cannot be known. Read from /proc, so on Linux only, and
 * only for processes of the same user.
 */
export async function portHolder(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    const inode = (await listeningInodes(port))[0]
    return inode ? await ownerOf(inode) : null
  } catch {
    return null
  }
}

const listenState = '0A'

async function listeningInodes(port: number): Promise<string[]> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hex}`) && columns[3] === listenState)
    .flatMap((columns) => columns[9] ?? [])
}

async function ownerOf(inode: string): Promise<string | null> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const fd of fds) {
      const link = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')
      if (link !== `socket:[${inode}]`) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8')
      return `${name.trim()} (process ${pid})`
    }
  }
  return null
}
