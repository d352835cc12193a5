import { shell } from 'electron'
import { isHttp } from '#shared/text/address.ts'
import { findProgram } from '#engine/tunnel/program/find.ts'

/** Opens an http or https address in the system's browser. False when it is another one, or nothing is there to open it. */
export async function openExternal(address: string): Promise<boolean> {
  const url = URL.parse(address)
  // Any other scheme would start a program with what stands in the address.
  if (url === null || !isHttp(url)) return false
  // On Linux Electron reports success as soon as it has forked, also where there is no such program to execute.
  if (process.platform === 'linux' && (await findProgram('xdg-open', process.env)) === null)
    return false
  try {
    await shell.openExternal(url.href)
    return true
  } catch {
    return false
  }
}
