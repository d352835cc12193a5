import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { Builder, filesOfRelease } from '#hosts/node/release/complete.ts'
import { findReleaseProblem } from '#hosts/electron/updates/signed-sums.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const script = path.join(root, 'src/hosts/node/release/sign.ts')
const readRoot = (name: string): string => readFileSync(path.join(root, name), 'utf8')
const builder = Builder.parse(parse(readRoot('electron-builder.yml')))
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readRoot('package.json')))
const { all, updates } = filesOfRelease(builder, { name: 'tabscope', version })
const name = `tabscope-${version}-linux-x86_64.AppImage`
const content = 'an app'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const given = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

let folder: OwnedFolder
const file = (one: string): string => path.join(folder.path, one)
const digest = (algorithm: string): Buffer => createHash(algorithm).update(content).digest()
const sha512 = digest('sha512').toString('base64')

beforeEach(async () => {
  folder = ownedFolder()
  for (const one of all) await writeFile(file(one), content)
  // JSON is valid YAML. The packager decides which description lists which file; together they list all.
  const description = { version, files: updates.map((url) => ({ url, sha512 })) }
  for (const one of all.filter((each) => each.endsWith('.yml'))) {
    await writeFile(file(one), JSON.stringify(description))
  }
})
afterEach(() => folder[Symbol.asyncDispose]())

function run(keys: Record<string, string>): string {
  return execFileSync(process.execPath, [script, folder.path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...keys },
  })
}

describe('the last step of a release', () => {
  it('writes digests in the format of sha256sum and sha512sum, with a signature that the app accepts', async () => {
    run({ TABSCOPE_RELEASE_KEY: secret, TABSCOPE_UPDATE_KEY: given })
    expect(await readFile(file('SHA256SUMS'), 'utf8')).toContain(
      `${digest('sha256').toString('hex')}  ${name}\n`,
    )
    const sums = await readFile(file('SHA512SUMS'))
    expect(sums.toString().split('\n')).toHaveLength(all.length + 1)
    const signature = await readFile(file('SHA512SUMS.sig'), 'utf8')
    const release = { version, files: [{ name, sha512 }] }
    expect(findReleaseProblem(release, { sums, signature, key: publicKey })).toBeNull()
    // A second run does not include the files of the first.
    run({ TABSCOPE_RELEASE_KEY: secret, TABSCOPE_UPDATE_KEY: given })
    expect(await readFile(file('SHA512SUMS'))).toEqual(sums)
  })

  it('signs nothing without keys, and reports it', async () => {
    expect(run({ TABSCOPE_RELEASE_KEY: '', TABSCOPE_UPDATE_KEY: '' })).toContain('unsigned')
    await expect(readFile(file('SHA512SUMS.sig'))).rejects.toThrow('ENOENT')
  })

  it.each([
    [
      'another key',
      { update: generateKeyPairSync('ed25519').publicKey },
      'signature of this release is invalid',
    ],
    ['only one of the keys', { update: null }, 'TABSCOPE_UPDATE_KEY is missing'],
  ])('rejects a release that the app would reject: %s', (_name, { update }, sentence) => {
    const key = update?.export({ format: 'der', type: 'spki' }).toString('base64') ?? ''
    const keys = { TABSCOPE_RELEASE_KEY: secret, TABSCOPE_UPDATE_KEY: key }
    expect(() => run(keys)).toThrow(sentence)
  })

  it('rejects an incomplete release, with and without keys', async () => {
    const keys = { TABSCOPE_RELEASE_KEY: '', TABSCOPE_UPDATE_KEY: '' }
    const description = { version, files: [{ url: name, sha512 }] }
    for (const one of all.filter((each) => each.startsWith('latest'))) {
      await writeFile(file(one), JSON.stringify(description))
    }
    expect(() => run(keys)).toThrow(
      `The release is incomplete. Missing files: ${updates.slice(1).join(', ')}`,
    )
    await rm(file('latest-mac.yml'))
    expect(() => run(keys)).toThrow('The release is incomplete. Missing files: latest-mac.yml')
    await expect(readFile(file('SHA256SUMS'))).rejects.toThrow('ENOENT')
  })

  it('rejects a release whose description lists a different file', async () => {
    await writeFile(file(name), 'another app')
    expect(() => run({ TABSCOPE_RELEASE_KEY: secret, TABSCOPE_UPDATE_KEY: given })).toThrow(
      'does not match its signed digest',
    )
  })
})
