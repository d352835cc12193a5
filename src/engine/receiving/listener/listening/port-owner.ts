import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'
import path from 'node:path'

/** Returns "name (process 123)", or null if unknown: /proc exists only on Linux and shows only processes of the same user. */
export async function portHolder(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    const found = (await listening()).find(({ local }) => hasPort(local, port))
    return found ? await ownerOf(found.inode) : null
  } catch {
    return null
  }
}

/** Where a process and those that it has started listen: "127.0.0.1:3000". Null: unknown, as above. */
export async function listenersUnder(root: number): Promise<string[] | null> {
  if (process.platform !== 'linux') return null
  const held = new Set((await Promise.all((await processesUnder(root)).map(openFilesOf))).flat())
  const addresses = (await listening()).flatMap(({ inode, local }) =>
    held.has(`socket:[${inode}]`) ? [readableAddress(local)] : [],
  )
  return [...new Set(addresses)]
}

/** With the process itself. */
export async function processesUnder(root: number): Promise<number[]> {
  const pids = await readdir('/proc').catch(() => [])
  const parents = await Promise.all(
    pids.filter(isNumber).map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // After the name, which may contain anything (proc(5)).
      return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) }
    }),
  )
  const found = new Set([root])
  for (const above of found) {
    for (const { pid, parent } of parents) if (parent === above) found.add(pid)
  }
  return [...found]
}

const listenState = '0A'

/** `local`: in hexadecimal, as /proc has it. */
async function listening(): Promise<{ inode: string; local: string }[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === listenState)
    .map(([, local = '', , , , , , , , inode = '']) => ({ inode, local }))
}

/** Of words in the order of the computer's bytes, least significant first. */
function readableAddress(local: string): string {
  const [address = '', port = ''] = local.split(':')
  const bytes = Buffer.from(address, 'hex').swap32()
  const groups = bytes.toString('hex').match(/.{4}/g) ?? []
  const host = bytes.byteLength === 4 ? bytes.join('.') : `[${groups.join(':')}]`
  return `${URL.parse(`http://${host}`)?.hostname ?? host}:${Number.parseInt(port, 16)}`
}

async function ownerOf(inode: string): Promise<string | null> {
  for (const pid of (await readdir('/proc')).filter(isNumber)) {
    if (!(await openFilesOf(pid)).includes(`socket:[${inode}]`)) continue
    const file = await readlink(`/proc/${pid}/exe`)
    return `${path.basename(file)} (process ${pid})`
  }
  return null
}

/** Such as `socket:[12345]`, with the inode of a socket. */
async function openFilesOf(pid: number | string): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name)
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
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
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
