import { createPublicKey, verify, type KeyObject } from 'node:crypto'

/** One file of a release. */
export interface ReleaseFile {
  readonly name: string
  /** SHA-512 in Base64, as the release's description has it. */
  readonly sha512: string
}

/** What stands behind the version in the names of files, see `artifactName` in electron-builder.yml. */
const systems = ['linux', 'mac', 'win']

/** A line of `sha512sum`: the digest in hexadecimal, two characters between, the name. */
const sumLine = /^([\da-f]{128}) [ *]([^\r\n]+)$/i

/**
 * The key by which releases are signed, from its SPKI in DER and Base64; null where the build was given none. Throws when it is no Ed25519
 * key: then there is no build.
 */
export function releaseKeyOf(text: string): KeyObject | null {
  if (text === '') return null
  const key = spkiOf(text)
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error('TABSCOPE_UPDATE_KEY is not an Ed25519 key (SPKI, DER, Base64).')
  }
  return key
}

function spkiOf(text: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/**
 * Why a release is not to be trusted, as a sentence; null: its files are those that were signed. `sums` is the file `SHA512SUMS` byte for byte,
 * `signature` its Ed25519 signature in Base64 (RFC 8032). What is then downloaded is compared with the digest in the release's description,
 * which is held against the signed one here.
 */
export function findReleaseProblem(
  release: { readonly version: string; readonly files: readonly ReleaseFile[] },
  { sums, signature, key }: { sums: Uint8Array; signature: string; key: KeyObject },
): string | null {
  if (!verify(null, sums, key, Buffer.from(signature.trim(), 'base64'))) {
    return 'The signature of this release is not that of Tabscope.'
  }
  const signed = new Map<string, string>()
  for (const line of Buffer.from(sums).toString('utf8').split('\n')) {
    const [, digest, name] = sumLine.exec(line) ?? []
    if (digest !== undefined && name !== undefined) signed.set(name, digest.toLowerCase())
  }
  if (release.files.length === 0) return 'This release names no files.'
  for (const { name, sha512 } of release.files) {
    // Files of an older release, or of one that was for testing, are signed as well: they must not come back under another version.
    if (!systems.some((system) => name.includes(`-${release.version}-${system}-`))) {
      return `This release calls itself ${release.version}, and its file ${name} does not.`
    }
    if (signed.get(name) !== Buffer.from(sha512, 'base64').toString('hex')) {
      return `The file ${name} is not the one that was signed.`
    }
  }
  return null
}
