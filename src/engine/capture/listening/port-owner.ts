import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Returns "name (process 123)", or null if unknown: /proc exists only on Linux and shows only processes of the same user. */
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

/** The other end of a local connection belongs to a user other than ours and root, who could read our memory anyway. False if it is unknown. */
export async function isAnotherUser(socket: Socket): Promise<boolean> {
  const users = await usersBehind(socket)
  return users.some((user) => user !== process.getuid?.() && user !== 0)
}

async function usersBehind({ localPort, remotePort }: Socket): Promise<number[]> {
  if (localPort === undefined || remotePort === undefined) return []
  const tables = await Promise.all(
    // An IPv4 socket may be connected to an IPv6 address, and vice versa.
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return tables.flatMap((table) => usersOf(table, remotePort, localPort))
}

/** Returns the users of the sockets in a table of /proc/net that are connected from port `from` to port `to`. */
export function usersOf(table: string, from: number, to: number): number[] {
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => hasPort(local, from) && hasPort(remote, to))
    .map((columns) => Number(columns[7]))
}

function hasPort(address: string | undefined, port: number): boolean {
  return address?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`) ?? false
}
