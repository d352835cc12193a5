import { safeStorage } from 'electron'
import type { SecretBox } from '#engine/ports.ts'

export interface SystemSecrets extends SecretBox {
  /** True only when the operating system's store guards the key. */
  readonly secure: boolean
  /** For the log: why it is not secure, and what that means. Null when it is. */
  readonly notice: string | null
}

/** Seals with the operating system's store. Only after the app is ready. */
export async function openSystemSecrets(): Promise<SystemSecrets> {
  const notice = await noticeOf()
  return {
    secure: notice === null,
    notice,
    async seal(clear) {
      return safeStorage.encryptStringAsync(clear)
    },
    async unseal(sealed) {
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed))
      return result
    },
  }
}

async function noticeOf(): Promise<string | null> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) {
    return 'This system offers no store for secrets: they cannot be kept and must be entered again after a restart.'
  }
  // Without a keyring Chromium takes a password that is in its source code: anybody can undo that.
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
    return 'No keyring was found: secrets are kept, but anybody who can read the data folder can read them.'
  }
  return null
}
