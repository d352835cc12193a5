import { safeStorage } from 'electron'
import type { SecretBox } from '#engine/platform/ports.ts'

export interface SystemSecrets extends SecretBox {
  /** On Linux that may be after the user has responded to the prompt of a keyring, or never. */
  readonly protection: Promise<SecretProtection>
}

export interface SecretProtection {
  /** The operating system's store protects the key. */
  readonly secure: boolean
  /** For the log: why it is not secure, and what that means. */
  readonly notice: string | null
}

/** On Linux, data encrypted with a password from Chromium's source code, without a keyring (`v11`) or portal (`v12`). Elsewhere a key that the system protects. */
const HARD_CODED = 'v10'

/** The app must be ready. Does not wait for the store, which may prompt the user first. */
export function openSystemSecrets(): SystemSecrets {
  return {
    protection: findProtection(),
    async seal(clear) {
      return safeStorage.encryptStringAsync(clear)
    },
    async unseal(sealed) {
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed))
      return result
    },
  }
}

/** Determined from encrypted data: the backend name that Electron reports is that of its synchronous calls, which choose their own backend. */
async function findProtection(): Promise<SecretProtection> {
  let sealed: Buffer
  try {
    sealed = await safeStorage.encryptStringAsync('probe')
  } catch {
    return {
      secure: false,
      notice:
        'This system has no secret store: secrets cannot be stored, and must be entered again after a restart.',
    }
  }
  if (process.platform === 'linux' && sealed.toString('latin1', 0, 3) === HARD_CODED) {
    return {
      secure: false,
      notice:
        'No keyring was found, or it stayed locked: anyone who can read the data folder can read the stored secrets.',
    }
  }
  return { secure: true, notice: null }
}
