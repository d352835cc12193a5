import { createHash, createPrivateKey, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** They are not listed in themselves. */
export const sumFiles = ['SHA256SUMS', 'SHA512SUMS', 'SHA512SUMS.sig'] as const

/** As `sha256sum` and `sha512sum` print them, one line per file, sorted by name. */
export async function sumsOf(folder: string): Promise<{ sha256: string; sha512: string }> {
  const own: readonly string[] = sumFiles
  const names = (await readdir(folder)).filter((name) => !own.includes(name)).sort()
  if (names.length === 0) throw new Error(`There are no files in ${folder}.`)
  const lines = { sha256: '', sha512: '' }
  for (const name of names) {
    for (const algorithm of ['sha256', 'sha512'] as const) {
      const hash = createHash(algorithm)
      await pipeline(createReadStream(path.join(folder, name)), hash)
      lines[algorithm] += `${hash.digest('hex')}  ${name}\n`
    }
  }
  return lines
}

/** The Ed25519 signature (RFC 8032) over the exact bytes, in Base64. `key`: PKCS #8 in PEM, as `openssl genpkey -algorithm ed25519` writes it. */
export function signatureOf(bytes: string, key: string): string {
  const secret = createPrivateKey(key)
  if (secret.asymmetricKeyType !== 'ed25519')
    throw new Error('The release key is not an Ed25519 key.')
  return `${sign(null, Buffer.from(bytes), secret).toString('base64')}\n`
}
