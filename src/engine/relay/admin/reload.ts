import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** Asks the nats-server that was started in `folder` to read its configuration again, which ends connections of revoked keys. False: none runs on this computer. */
export async function reloadServer(folder: string): Promise<boolean> {
  const pid = pidIn(folder)
  // The file may be of a container, or of a process that is gone: its number means another process here.
  if (pid === null || !(await isNatsServer(pid))) return false
  try {
    process.kill(pid, 'SIGHUP')
    return true
  } catch {
    return false
  }
}

function pidIn(folder: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(folder, 'data/nats.pid'), 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

async function isNatsServer(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'nats-server'
  } catch {
    // No Linux, or no such process.
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)])
    return path.basename(stdout.trim()) === 'nats-server'
  } catch {
    return false
  }
}
