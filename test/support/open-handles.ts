import { readdirSync, readlinkSync } from 'node:fs'

export interface OpenHandles {
  readonly sockets: number
  readonly threads: number
}

/** Returns the open handles of a process on Linux; null on other systems. */
export function openHandles(pid: number): OpenHandles | null {
  if (process.platform !== 'linux') return null
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      // Closed after the folder was read.
      return false
    }
  })
  return { sockets: sockets.length, threads: readdirSync(`/proc/${pid}/task`).length }
}
