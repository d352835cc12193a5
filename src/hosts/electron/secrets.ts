import { safeStorage } from 'electron'
import type { SecretBox } from '#engine/platform/ports.ts'

export interface SystemSecrets extends SecretBox {
  /** Resolves once the system has answered, which on Linux may be after the user has answered the prompt of a keyring, or never. */
  readonly protection: Promise<SecretProtection>
}

export interface SecretProtection {
  /** True only when the operating system's store guards the key. */
  readonly secure: boolean
  /** For the log: why it is not secure, and what that means. Null when it is. */
  readonly notice: string | null
}

/**
 * How Chromium marks what it encrypts on Linux with a password that is in its source code, where no keyring gave it a key. `v11` is a key of a
 * keyring, `v12` one of the desktop portal. On Windows and macOS `v10` is a key that the system guards.
 */
const HARD_CODED = 'v10'

/** Seals with the operating system's store. Only after the app is ready. Does not wait for the store: it may ask the user first. */
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

/** By what comes out: the name of the backend that Electron tells is that of its synchronous calls, which choose for themselves. */
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
