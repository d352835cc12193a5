import { createPublicKey, verify, type KeyObject } from 'node:crypto'

export interface ReleaseFile {
  readonly name: string
  /** In Base64, from the release's description. */
  readonly sha512: string
}

/** After the version in file names, see `artifactName` in electron-builder.yml. */
const platformSuffixes = ['linux', 'mac', 'win']

/** Of `sha512sum`: the digest in hexadecimal, two characters, the name. */
const sumLine = /^([\da-f]{128}) [ *]([^\r\n]+)$/i

/** SPKI in DER and Base64; null if the build has none. Throws if it is not an Ed25519 key, which fails the build. */
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
 * As a sentence; null if the files are the signed ones. `sums`: the exact content of `SHA512SUMS`; `signature`: Ed25519 in Base64 (RFC 8032). The updater
 * compares the download with the digest in the description, which is compared with the signed one here.
 */
export function findReleaseProblem(
  release: { readonly version: string; readonly files: readonly ReleaseFile[] },
  { sums, signature, key }: { sums: Uint8Array; signature: string; key: KeyObject },
): string | null {
  if (!verify(null, sums, key, Buffer.from(signature.trim(), 'base64'))) {
    return 'The signature of this release is invalid.'
  }
  const signed = new Map<string, string>()
  for (const line of Buffer.from(sums).toString('utf8').split('\n')) {
    const [, digest, name] = sumLine.exec(line) ?? []
    if (digest !== undefined && name !== undefined) signed.set(name, digest.toLowerCase())
  }
  if (release.files.length === 0) return 'This release lists no files.'
  for (const { name, sha512 } of release.files) {
    // Files of older and of test releases are signed too: they must not be offered under another version.
    if (!platformSuffixes.some((system) => name.includes(`-${release.version}-${system}-`))) {
      return `The file ${name} does not belong to release ${release.version}.`
    }
    if (signed.get(name) !== Buffer.from(sha512, 'base64').toString('hex')) {
      return `The file ${name} does not match its signed digest.`
    }
  }
  return null
}
