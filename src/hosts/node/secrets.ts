import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SecretBox } from '#engine/ports.ts'

/** Environment variable with the key, 32 bytes in hex; then no key file is written. */
export const keyVariable = 'TABSCOPE_KEY'

const version = 1
const ivBytes = 12
const tagBytes = 16

/**
 * Seals with AES-256-GCM under a key that lies beside the store, readable by its owner only, or in `TABSCOPE_KEY`. This protects a
 * copy of the store without its key; who can read the folder can read the secrets, and the capability `osSecretStore` says so.
 */
export function createSecretBox(dataDir: string, env: NodeJS.ProcessEnv = process.env): SecretBox {
  let key: Buffer | null = null
  const getKey = (): Buffer => (key ??= keyFrom(env) ?? keyFile(dataDir))
  return {
    seal: async (clear) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', getKey(), iv)
      const sealed = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), sealed])
    },
    unseal: async (sealed) => {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== version) throw new Error('sealed by another kind of store')
      const iv = bytes.subarray(1, 1 + ivBytes)
      const tag = bytes.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', getKey(), iv, {
        // Without it a tag cut to four bytes would do.
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(tag)
      const text = bytes.subarray(1 + ivBytes + tagBytes)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
  }
}

function keyFrom(env: NodeJS.ProcessEnv): Buffer | null {
  const text = env[keyVariable]
  if (!text) return null
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new Error(
      `${keyVariable} must be 32 bytes in hex: 64 digits. Make one with: openssl rand -hex 32`,
    )
  }
  return Buffer.from(text, 'hex')
}

function keyFile(dataDir: string): Buffer {
  const file = path.join(dataDir, 'key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = readFileSync(file)
  if (key.byteLength !== 32)
    throw new Error(
      `${file} is not a key of 32 bytes. Put the right one back, or delete it and enter the secrets again.`,
    )
  return key
}
