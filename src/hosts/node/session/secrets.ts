import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#engine/platform/errors.ts'
import type { SecretBox } from '#engine/platform/ports.ts'
import { storageFailure } from '#engine/platform/storage-failure.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

/** 32 bytes in hex. If it is set, no key file is written. */
export const keyVariable = 'TABSCOPE_KEY'

const version = 1
const ivBytes = 12
const tagBytes = 16
const keyBytes = 32

/** AES-256-GCM. The key protects a copy of the store without it; users who can read the folder can read the secrets (capability `osSecretStore`). */
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
        // Otherwise a tag truncated to four bytes would be accepted.
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
      `${keyVariable} must be 32 bytes in hex: 64 digits. Create one with: openssl rand -hex 32`,
    )
  }
  return Buffer.from(text, 'hex')
}

/** Throws `store_failed` if the key can neither be read nor created. */
function keyFile(dataDir: string): Buffer {
  const file = path.join(dataDir, 'key')
  let key: Buffer
  try {
    key = readKey(file) ?? makeKey(file)
  } catch (error) {
    throw storageFailure(error) ?? error
  }
  if (key.byteLength !== keyBytes) {
    throw new AppError(
      'store_failed',
      `${file} is not a key of ${keyBytes} bytes. Restore the original file, or delete it and enter the secrets again.`,
    )
  }
  return key
}

function readKey(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Written under a temporary name until it is complete, so that a full disk never leaves a truncated key. */
function makeKey(file: string): Buffer {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${randomBytes(8).toString('hex')}.new`
  try {
    writeFileSync(part, randomBytes(keyBytes), { mode: 0o600, flag: 'wx', flush: true })
    try {
      linkSync(part, file)
    } catch (error) {
      // Some file systems do not support hard links. EEXIST: another process has just created the key, which is used.
      if (systemCodeOf(error) !== 'EEXIST') renameSync(part, file)
    }
  } finally {
    rmSync(part, { force: true })
  }
  return readFileSync(file)
}
