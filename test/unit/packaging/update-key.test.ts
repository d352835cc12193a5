import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

/** What the build reads its settings of, once for each key. */
async function buildWith(key: string): Promise<string> {
  vi.stubEnv('TABSCOPE_UPDATE_KEY', key)
  vi.resetModules()
  const { default: config } = await import('../../../electron.vite.config.ts')
  return JSON.stringify(config)
}

it('an invalid key fails the build, since the app would not start', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  expect(await buildWith(key)).toContain(key)
  await expect(buildWith('not a key')).rejects.toThrow('TABSCOPE_UPDATE_KEY is not an Ed25519 key')
  expect(await buildWith('')).toContain('__UPDATE_KEY__')
})
