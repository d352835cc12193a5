import { shell } from 'electron'
import { isHttp } from '#shared/text/address.ts'
import { findProgram } from '#engine/tunnel/program/find.ts'

/** Opens an HTTP or HTTPS URL in the system's browser. Returns false for any other URL, or if no browser could be opened. */
export async function openExternal(address: string): Promise<boolean> {
  const url = URL.parse(address)
  // Any other scheme could start a program with content of the URL.
  if (url === null || !isHttp(url)) return false
  // On Linux Electron reports success as soon as it has forked, even if the program does not exist.
  if (process.platform === 'linux' && (await findProgram('xdg-open', process.env)) === null)
    return false
  try {
    await shell.openExternal(url.href)
    return true
  } catch {
    return false
  }
}
