import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSecretBox, keyVariable } from '#hosts/node/session/secrets.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const key = 'a1'.repeat(32)
const boxIn = (folder: string, env: NodeJS.ProcessEnv = {}) => createSecretBox(folder, env)
const withKey = (hex: string) => boxIn('/nonexistent', { [keyVariable]: hex })

describe('the secret box', () => {
  it.each(['', 'whsec-9f3a', 'schlüssel 🗝\u0000\n', 'x'.repeat(100_000)])(
    'unseals what it sealed: %#',
    async (clear) => {
      const folder = tempFolder()
      const sealed = await boxIn(folder).seal(clear)
      expect(await boxIn(folder).unseal(new Uint8Array(sealed))).toBe(clear)
      if (clear !== '') expect(Buffer.from(sealed).includes(clear)).toBe(false)
    },
  )

  it('seals the same text differently each time', async () => {
    const box = withKey(key)
    const [one, two] = [await box.seal('same'), await box.seal('same')]
    expect(Buffer.from(one).equals(two)).toBe(false)
  })

  it('rejects data that was changed in any byte or truncated', async () => {
    const box = withKey(key)
    const sealed = Buffer.from(await box.seal('whsec-9f3a'))
    for (let at = 0; at < sealed.byteLength; at += 1) {
      const turned = Buffer.from(sealed)
      turned.writeUInt8(turned.readUInt8(at) ^ 1, at)
      await expect(box.unseal(turned)).rejects.toThrow()
      await expect(box.unseal(sealed.subarray(0, at))).rejects.toThrow()
    }
    // With empty sealed text, a truncated tag would still match.
    const nothing = Buffer.from(await box.seal(''))
    for (let at = 0; at < nothing.byteLength; at += 1)
      await expect(box.unseal(nothing.subarray(0, at))).rejects.toThrow()
    await expect(box.unseal(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow()
  })

  it('rejects data sealed with another key', async () => {
    const sealed = await boxIn(tempFolder()).seal('secret')
    await expect(boxIn(tempFolder()).unseal(sealed)).rejects.toThrow()
    await expect(withKey(key).unseal(sealed)).rejects.toThrow()
  })
})

describe('the key', () => {
  it('is created on first use, readable only by its owner, and reused', async () => {
    const folder = path.join(tempFolder(), 'data')
    const file = path.join(folder, 'key')
    const box = boxIn(folder)
    expect(existsSync(file)).toBe(false)
    const sealed = await box.seal('secret')
    const made = readFileSync(file)
    expect(made).toHaveLength(32)
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
    expect(await boxIn(folder).unseal(sealed)).toBe('secret')
    expect(readFileSync(file).equals(made)).toBe(true)
  })

  it('is never overwritten if it is invalid', async () => {
    const folder = tempFolder()
    const file = path.join(folder, 'key')
    writeFileSync(file, 'short')
    chmodSync(file, 0o600)
    await expect(boxIn(folder).seal('secret')).rejects.toThrow('is not a key of 32 bytes')
    expect(readFileSync(file, 'utf8')).toBe('short')
  })

  it('comes from the environment if set, and no file is written', async () => {
    const folder = tempFolder()
    const sealed = await boxIn(folder, { [keyVariable]: key }).seal('secret')
    expect(await withKey(key.toUpperCase()).unseal(sealed)).toBe('secret')
    expect(existsSync(path.join(folder, 'key'))).toBe(false)
    await expect(boxIn(folder).unseal(sealed)).rejects.toThrow()
  })

  it.each(['a1', `${key}0`, key.slice(1), 'g'.repeat(64), ` ${key}`])(
    'is rejected from the environment as %j, without printing it',
    async (text) => {
      const folder = tempFolder()
      const sealing = boxIn(folder, { [keyVariable]: text }).seal('secret')
      await expect(sealing).rejects.toThrow('openssl rand -hex 32')
      await expect(sealing).rejects.not.toThrow(text.trim())
      expect(existsSync(path.join(folder, 'key'))).toBe(false)
    },
  )
})
