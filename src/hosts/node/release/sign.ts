// The last step of a release: `node src/hosts/node/release/sign.ts <folder>` writes the digests of its files beside them. With
// TABSCOPE_RELEASE_KEY (the secret one) they are signed; and then TABSCOPE_UPDATE_KEY (the one that the builds got) must find them good,
// or nobody's Tabscope would take the release.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { distrustOf, releaseKeyOf } from '../../electron/updates/signed-sums.ts'
import { signatureOf, sumsOf } from './sums.ts'

/** What electron-builder writes for the updater: `latest.yml`, `latest-mac.yml` … */
const Description = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string() })).min(1),
})

const folder = process.argv[2]
if (folder === undefined) throw new Error('Say in which folder the files of the release are.')
const write = (name: string, text: string): Promise<void> =>
  writeFile(path.join(folder, name), text)

const sums = await sumsOf(folder)
await write('SHA256SUMS', sums.sha256)
await write('SHA512SUMS', sums.sha512)
const secret = process.env['TABSCOPE_RELEASE_KEY'] ?? ''
const key = releaseKeyOf(process.env['TABSCOPE_UPDATE_KEY'] ?? '')
if (secret === '') {
  if (key !== null) {
    throw new Error('The builds of this release have a key, and there is none to sign it with.')
  }
  console.log(
    'There is no key: the release is not signed, and no Tabscope will fetch it by itself.',
  )
} else {
  const signature = signatureOf(sums.sha512, secret)
  if (key === null) throw new Error('The builds of this release were given no key to check it by.')
  const names = (await readdir(folder)).filter((name) => /^latest.*\.yml$/.test(name))
  if (names.length === 0) throw new Error('There is no description for the updater.')
  for (const name of names) {
    const { version, files } = Description.parse(
      parse(await readFile(path.join(folder, name), 'utf8')),
    )
    const distrust = distrustOf(
      { version, files: files.map(({ url, sha512 }) => ({ name: url, sha512 })) },
      { sums: Buffer.from(sums.sha512), signature, key },
    )
    if (distrust !== null) throw new Error(`${name}: ${distrust}`)
  }
  await write('SHA512SUMS.sig', signature)
  console.log(`Signed, and found good by what ${names.join(', ')} say.`)
}
