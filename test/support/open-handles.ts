import { readdirSync, readlinkSync } from 'node:fs'

export interface OpenHandles {
  readonly sockets: number
  readonly threads: number
}

/** What a process holds, as Linux tells it; null elsewhere. */
export function openHandles(pid: number): OpenHandles | null {
  if (process.platform !== 'linux') return null
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      // Closed since the folder was read.
      return false
    }
  })
  return { sockets: sockets.length, threads: readdirSync(`/proc/${pid}/task`).length }
}
