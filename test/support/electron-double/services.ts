import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { app, assertReady } from './app.ts'
import { showMessageBox } from './message-box.ts'
import { onAction } from './actions.ts'

type Handler = (request: Request) => Response | Promise<Response>

class Protocol {
  readonly #privileged = new Set<string>()
  readonly #handlers = new Map<string, Handler>()

  registerSchemesAsPrivileged(
    schemes: readonly {
      scheme: string
      privileges?: { standard?: boolean; codeCache?: boolean }
    }[],
  ): void {
    if (app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged after the app is ready')
    for (const { scheme, privileges = {} } of schemes) {
      if (privileges.codeCache === true && privileges.standard !== true)
        throw new Error('Code cache can only be enabled for a standard scheme')
      if (privileges.standard === true) this.#privileged.add(scheme)
    }
  }

  handle(scheme: string, handler: Handler): void {
    assertReady('protocol.handle')
    if (!this.#privileged.has(scheme))
      throw new Error(`The scheme '${scheme}' has no privileges: its pages would have no origin`)
    if (this.#handlers.has(scheme)) throw new Error(`The scheme '${scheme}' is handled already`)
    this.#handlers.set(scheme, handler)
  }

  /** For the double: returns the app's response to a request of a page, or an error response if its handler throws. */
  async answer(request: Request): Promise<Response> {
    const handler = this.#handlers.get(new URL(request.url).protocol.slice(0, -1))
    if (handler === undefined) throw new Error(`Nobody handles ${request.url}`)
    try {
      return await handler(request)
    } catch (error) {
      console.error(error)
      return Response.error()
    }
  }
}

export const protocol = new Protocol()

/** As on Windows: it is in `userData`, so what was sealed cannot be unsealed with another one. */
function key(): Buffer {
  const file = path.join(app.getPath('userData'), 'Local State')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32))
  return readFileSync(file)
}

/** Prefix of the encryption key: `v10` is a fixed key (Linux) or a system-protected key (other systems), `v11` is a key of a keyring. */
const keyring = process.env['DOUBLE_KEYRING']
const tag = Buffer.from(process.platform !== 'linux' || keyring === 'basic_text' ? 'v10' : 'v11')

/** True when all key providers have responded. Nothing is encrypted or decrypted before, even if another provider has the key. */
const encryptor = Promise.withResolvers<void>()
if (keyring !== 'locked') encryptor.resolve()
onAction('unlock-keyring', () => encryptor.resolve())

export const safeStorage = {
  async encryptStringAsync(clear: string): Promise<Buffer> {
    assertReady('safeStorage')
    await encryptor.promise
    if (keyring === 'none') throw new Error('Error while encrypting the text provided')
    // Empty input gives empty output without a prefix.
    if (clear === '') return Buffer.alloc(0)
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key(), iv)
    const sealed = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()])
    return Buffer.concat([tag, iv, cipher.getAuthTag(), sealed])
  },
  async decryptStringAsync(sealed: unknown): Promise<{ result: string; shouldReEncrypt: boolean }> {
    assertReady('safeStorage')
    if (!Buffer.isBuffer(sealed)) throw new TypeError('Error processing argument: not a Buffer')
    if (sealed.length === 0) return { result: '', shouldReEncrypt: false }
    await encryptor.promise
    const known = ['v10', 'v11'].includes(sealed.toString('latin1', 0, 3))
    if (!known) throw new Error('Error while decrypting the ciphertext provided')
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(3, 15))
    decipher.setAuthTag(sealed.subarray(15, 31))
    const clear = Buffer.concat([decipher.update(sealed.subarray(31)), decipher.final()])
    return { result: clear.toString('utf8'), shouldReEncrypt: false }
  },
}

export const dialog = {
  showMessageBox,
  /** Reported on stderr for tests. */
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`[error box] ${title}: ${content}\n`)
  },
  /** The user selects `DOUBLE_SAVE`, or nothing. */
  async showSaveDialog(...args: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    tellDialog('save', args)
    const filePath = await chosen('DOUBLE_SAVE')
    return { canceled: filePath === '', filePath }
  },
  /** The user selects `DOUBLE_OPEN`, or nothing. */
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    tellDialog('open', args)
    const file = await chosen('DOUBLE_OPEN')
    return { canceled: file === '', filePaths: file === '' ? [] : [file] }
  },
}

/** Resolves immediately, or if `later` is set, with the `path` of the action `choose-file`. */
async function chosen(name: string): Promise<string> {
  const file = process.env[name] ?? ''
  if (file !== 'later') return file
  const { promise, resolve } = Promise.withResolvers<string>()
  onAction('choose-file', (action) => resolve(String(action['path'])))
  return promise
}

/** Reported on stderr for tests: whether there is a window, and the options. */
function tellDialog(kind: string, args: unknown[]): void {
  assertReady(`dialog.${kind}`)
  const over = args.length > 1 ? 'over the window' : 'alone'
  process.stderr.write(`[dialog] ${kind} ${over}: ${JSON.stringify(args.at(-1))}\n`)
}

export const shell = {
  /** Reported on stderr for tests. */
  showItemInFolder(fullPath: string): void {
    if (!path.isAbsolute(fullPath)) throw new Error('A file manager needs an absolute path')
    process.stderr.write(`[file manager] ${fullPath}\n`)
  },
  /** Reported on stderr for tests. On Linux it resolves when a process is forked, even if no program is found. */
  async openExternal(url: string): Promise<void> {
    if (process.env['DOUBLE_BROWSER'] !== 'none') process.stderr.write(`[shell] ${url}\n`)
    else if (process.platform !== 'linux') throw new Error('Failed to open URL')
    else process.stderr.write('[shell] no program\n')
  },
}

let isReporting = false

/** Only reported on stderr: no process of the double writes a dump. */
export const crashReporter = {
  start({ uploadToServer = true, submitURL = '' } = {}): void {
    if (uploadToServer && submitURL === '')
      throw new Error('submitURL must be specified when uploadToServer is true')
    // Further calls have no effect.
    if (isReporting) return
    isReporting = true
    process.stderr.write(
      `[crash reports] ${app.getPath('crashDumps')}${uploadToServer ? ', uploaded' : ''}\n`,
    )
  },
}

export const nativeTheme = { shouldUseDarkColors: false }
