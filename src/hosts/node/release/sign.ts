// The last step of a release: `node src/hosts/node/release/sign.ts <folder>` refuses an incomplete release, and writes the digests of its files.
// With TABSCOPE_RELEASE_KEY (the secret key) they are signed, and the signature is verified with TABSCOPE_UPDATE_KEY (the public key in the builds):
// otherwise no Tabscope could install the release.
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { findReleaseProblem, releaseKeyOf } from '../../electron/updates/signed-sums.ts'
import { Builder, filesOfRelease } from './complete.ts'

/** What electron-builder writes for the updater: `latest.yml`, `latest-mac.yml` … */
const Description = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string() })).min(1),
})

/** They are not listed in themselves. */
const sumFiles = ['SHA256SUMS', 'SHA512SUMS', 'SHA512SUMS.sig'] as const

const folder = process.argv[2]
if (folder === undefined) throw new Error('Specify the folder of the release: sign.ts <folder>')
const write = (name: string, text: string): Promise<void> =>
  writeFile(path.join(folder, name), text)
const root = path.resolve(import.meta.dirname, '../../../..')
const readRoot = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8')

const builder = Builder.parse(parse(await readRoot('electron-builder.yml')))
const own = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(await readRoot('package.json')))
const names = await readdir(folder)
const expected = filesOfRelease(builder, own)
assertComplete(names, expected.all)

const releases = []
for (const name of names.filter((file) => /^latest.*\.yml$/.test(file))) {
  const text = await readFile(path.join(folder, name), 'utf8')
  releases.push({ name, ...Description.parse(parse(text)) })
}
assertComplete(
  releases.flatMap(({ files }) => files.map(({ url }) => url)),
  expected.updates,
)

const sums = await sumsOf(folder)
await write('SHA256SUMS', sums.sha256)
await write('SHA512SUMS', sums.sha512)
const secret = process.env['TABSCOPE_RELEASE_KEY'] ?? ''
const key = releaseKeyOf(process.env['TABSCOPE_UPDATE_KEY'] ?? '')
if (secret === '') {
  if (key !== null) {
    throw new Error('TABSCOPE_RELEASE_KEY is missing: the builds expect a signed release.')
  }
  console.log(
    'TABSCOPE_RELEASE_KEY is not set: the release is unsigned, and Tabscope will not install it automatically.',
  )
} else {
  const signature = signatureOf(sums.sha512, secret)
  if (key === null)
    throw new Error('TABSCOPE_UPDATE_KEY is missing: the builds cannot verify the signature.')
  for (const { name, version, files } of releases) {
    const problem = findReleaseProblem(
      { version, files: files.map(({ url, sha512 }) => ({ name: url, sha512 })) },
      { sums: Buffer.from(sums.sha512), signature, key },
    )
    if (problem !== null) throw new Error(`${name}: ${problem}`)
  }
  await write('SHA512SUMS.sig', signature)
  console.log(`Signed, and verified with ${releases.length} update descriptions.`)
}

function assertComplete(present: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.filter((name) => !present.includes(name))
  if (missing.length > 0) {
    throw new Error(`The release is incomplete. Missing files: ${missing.join(', ')}`)
  }
}

/** As `sha256sum` and `sha512sum` print them, one line per file, sorted by name. */
async function sumsOf(folder: string): Promise<{ sha256: string; sha512: string }> {
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
function signatureOf(bytes: string, key: string): string {
  const secret = createPrivateKey(key)
  if (secret.asymmetricKeyType !== 'ed25519')
    throw new Error('The release key is not an Ed25519 key.')
  return `${sign(null, Buffer.from(bytes), secret).toString('base64')}\n`
}
