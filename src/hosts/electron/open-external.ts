import { shell } from 'electron'

/** Opens an http or https address in the system's browser. False when it is another one, or there is no browser. */
export async function openExternal(address: string): Promise<boolean> {
  const url = URL.parse(address)
  // Any other scheme would start a program with what stands in the address.
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  try {
    await shell.openExternal(url.href)
    return true
  } catch {
    return false
  }
}
