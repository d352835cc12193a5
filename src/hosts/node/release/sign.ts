// The last step of a release: `node src/hosts/node/release/sign.ts <folder>` refuses an incomplete release, and writes the digests of its files.
// With TABSCOPE_RELEASE_KEY (the secret key) they are signed, and the signature is verified with TABSCOPE_UPDATE_KEY (the public key in the builds):
// otherwise no Tabscope could install the release.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { findReleaseProblem, releaseKeyOf } from '../../electron/updates/signed-sums.ts'
import { Builder, filesOfRelease } from './complete.ts'
import { signatureOf, sumsOf } from './sums.ts'

/** What electron-builder writes for the updater: `latest.yml`, `latest-mac.yml` … */
const Description = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string() })).min(1),
})

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
