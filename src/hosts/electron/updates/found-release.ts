import { net } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { findReleaseProblem } from './signed-sums.ts'

/** Newer than the running version. */
export interface Release {
  readonly version: string
  /** HTTPS; empty if unknown. */
  readonly page: string
  /** Why it must not be downloaded; null if its files are signed. */
  readonly problem: string | null
}

const MAX_BYTES = 256 * 1024

/** From the server, so nothing may be missing or of another type. */
const Files = z.array(z.object({ url: z.string(), sha512: z.string() })).min(1)
/** From a URL with a path, `?` or `%`, the updater would derive another name than the signed one, and pass it to the system's shell. */
const validFileName = /^[\w-][\w.-]*$/

/** Rejects with a sentence if the digests cannot be read. */
export async function inspectRelease(
  updater: AppUpdater,
  info: UpdateInfo,
  key: KeyObject,
  signal: AbortSignal,
): Promise<Release> {
  const { version } = info
  const files = Files.safeParse(info.files)
  if (!files.success) {
    return { version, page: '', problem: 'The description of this release lists no valid files.' }
  }
  const invalid = files.data.find(({ url }) => !validFileName.test(url))
  if (invalid !== undefined) {
    return { version, page: '', problem: 'This release lists a file with an invalid name.' }
  }
  const folder = folderUrl(updater, info)
  const [sums, signature] = await Promise.all([
    read(new URL('SHA512SUMS', folder), signal),
    read(new URL('SHA512SUMS.sig', folder), signal),
  ])
  const problem = findReleaseProblem(
    { version, files: files.data.map(({ url, sha512 }) => ({ name: url, sha512 })) },
    { sums, signature: signature.toString('utf8'), key },
  )
  return { version, page: releasePage(folder), problem }
}

function folderUrl(updater: AppUpdater, info: UpdateInfo): URL {
  const [first] = updater['updateInfoAndProvider']?.provider.resolveFiles(info) ?? []
  if (first === undefined) throw new Error('This release lists no files.')
  return new URL('.', first.url)
}

/** `https://github.com/<owner>/<name>/releases/download/v1.2.3/` becomes `…/releases/tag/v1.2.3`. */
function releasePage({ protocol, href }: URL): string {
  if (protocol !== 'https:') return ''
  return href.replace(/\/releases\/download\/([^/]+)\/$/, '/releases/tag/$1')
}

async function read(url: URL, signal: AbortSignal): Promise<Buffer> {
  const response = await net.fetch(url.href, { credentials: 'omit', cache: 'no-store', signal })
  const name = path.posix.basename(url.pathname)
  if (!response.ok) throw new Error(`The release has no ${name} (HTTP ${response.status}).`)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.byteLength
    // A server may never stop sending.
    if (length > MAX_BYTES) throw new Error(`The ${name} of the release is too long.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
