import { net } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { findReleaseProblem } from './signed-sums.ts'

/** A release that is newer than this Tabscope. */
export interface Release {
  readonly version: string
  /** Where people read about it, an https address; empty where that is not known. */
  readonly page: string
  /** Why it must not be fetched, as a sentence; null: its files are signed. */
  readonly distrust: string | null
}

/** The largest list of digests or signature that is read, in bytes. */
const LONGEST = 256 * 1024

/** What the updater reads of a release's files. It is the server's word, so nothing of it may be missing or of another kind. */
const Files = z.array(z.object({ url: z.string(), sha512: z.string() })).min(1)
/**
 * A name beside the description and nothing else. Of an address with a path, a question mark or a percent sign the updater would read another
 * name than the one that was signed, and hand that to the system's shell.
 */
const plainName = /^[\w-][\w.-]*$/

/** What is to be thought of a release that electron-updater has found. Rejects with a sentence where its digests cannot be read. */
export async function inspectRelease(
  updater: AppUpdater,
  info: UpdateInfo,
  key: KeyObject,
  signal: AbortSignal,
): Promise<Release> {
  const { version } = info
  const files = Files.safeParse(info.files)
  if (!files.success) {
    return { version, page: '', distrust: 'The description of this release lists no valid files.' }
  }
  const strange = files.data.find(({ url }) => !plainName.test(url))
  if (strange !== undefined) {
    return { version, page: '', distrust: 'This release lists a file with an invalid name.' }
  }
  const folder = folderOf(updater, info)
  const [sums, signature] = await Promise.all([
    read(new URL('SHA512SUMS', folder), signal),
    read(new URL('SHA512SUMS.sig', folder), signal),
  ])
  const distrust = findReleaseProblem(
    { version, files: files.data.map(({ url, sha512 }) => ({ name: url, sha512 })) },
    { sums, signature: signature.toString('utf8'), key },
  )
  return { version, page: pageOf(folder), distrust }
}

/** Where the files of the release are. */
function folderOf(updater: AppUpdater, info: UpdateInfo): URL {
  const [first] = updater['updateInfoAndProvider']?.provider.resolveFiles(info) ?? []
  if (first === undefined) throw new Error('This release names no files.')
  return new URL('.', first.url)
}

/** `https://github.com/<owner>/<name>/releases/download/v1.2.3/` is read about at `…/releases/tag/v1.2.3`. */
function pageOf({ protocol, href }: URL): string {
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
    // Nothing says that a server ever ends.
    if (length > LONGEST) throw new Error(`The ${name} of the release is too long.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
