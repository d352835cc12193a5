import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/**
 * Whether the other end of a connection within this machine belongs to a user who is neither ours nor root, who could read our memory as
 * well. Known on Linux alone, from /proc; false where it is not known.
 */
export async function isAnotherUser({ localPort, remotePort }: Socket): Promise<boolean> {
  const ours = process.getuid?.()
  if (ours === undefined || localPort === undefined || remotePort === undefined) return false
  const tables = await Promise.all(
    // A socket of the one family may be connected to an address of the other.
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return tables
    .flatMap((table) => usersOf(table, remotePort, localPort))
    .some((user) => user !== ours && user !== 0)
}

/** The users of the sockets in a table of /proc/net that lead from port `from` to port `to`. */
export function usersOf(table: string, from: number, to: number): number[] {
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => ends(local, from) && ends(remote, to))
    .map((columns) => Number(columns[7]))
}

function ends(address: string | undefined, port: number): boolean {
  return address?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`) ?? false
}
