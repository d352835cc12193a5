import { execFile } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { createUser } from '@nats-io/nkeys'
import { AppError } from '../../../platform/errors.ts'
import { fileFailed } from '../../../platform/file-errors.ts'
import { encodeInvitation } from '../files.ts'
import { renderFiles, type Templates } from './render.ts'
import {
  AdminFile,
  assertFree,
  assertHost,
  assertName,
  grantedEndpoints,
  isLoopbackRelay,
  RelayState,
  serversOf,
} from './state.ts'

/** What `tabscope relay init` was given. Undefined: as before, or the default. */
export interface RelaySettings {
  readonly name: string | undefined
  readonly hosts: readonly string[] | undefined
  readonly port: number | undefined
  readonly keepDays: number | undefined
  readonly maxBytes: number | undefined
  readonly endpoints: RelayState['endpoints'] | undefined
  readonly receiver: string | undefined
}

const stateFile = 'relay.json'
const defaultBytes = 10 * 1000 ** 3
const secondReloadMs = 1000

/**
 * A new relay in `folder`. With `force` also one that is there: its keys, users and CA stay, and the server gets a new certificate. Throws `file_exists`,
 * `bad_input`, `file_failed`.
 */
export async function createRelay(
  folder: string,
  settings: RelaySettings,
  { force, now, templates }: { force: boolean; now: number; templates: Templates },
): Promise<RelayState> {
  const isThere = existsSync(path.join(folder, stateFile))
  if (isThere && !force) {
    throw new AppError(
      'file_exists',
      `There is a relay in ${folder}. Choose another folder with -o, or change this one with --force: its keys and users stay.`,
    )
  }
  if (!isThere && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new AppError('file_exists', `${folder} is not empty. Choose another folder with -o.`)
  }
  const before = isThere ? readRelay(folder) : null
  const state = settled(before, settings)
  writing(folder, () => {
    mkdirSync(path.join(folder, 'data'), { recursive: true, mode: 0o700 })
    mkdirSync(path.join(folder, 'tls'), { recursive: true, mode: 0o700 })
  })
  const ca = isLoopbackRelay(state) ? null : await certify(folder, state, now)
  const complete = { ...state, ca }
  writeRelay(folder, complete, templates)
  return complete
}

function settled(before: RelayState | null, settings: RelaySettings): RelayState {
  const hosts = [...(settings.hosts ?? before?.hosts ?? [])]
  hosts.forEach(assertHost)
  const parsed = RelayState.safeParse({
    tabscope: 'relay',
    version: 1,
    name: settings.name ?? before?.name ?? hosts[0],
    hosts,
    port: settings.port ?? before?.port ?? 4222,
    keepDays: settings.keepDays ?? before?.keepDays ?? 7,
    maxBytes: settings.maxBytes ?? before?.maxBytes ?? defaultBytes,
    endpoints: settings.endpoints ?? before?.endpoints ?? [],
    ca: before?.ca ?? null,
    admin: before?.admin ?? newKeys(),
    receivers: before?.receivers ?? [],
    users: before?.users ?? [],
  } satisfies Record<keyof RelayState, unknown>)
  if (!parsed.success) {
    throw new AppError(
      'bad_input',
      'A relay needs one host, or three of a cluster, at least one endpoint, and a name of 1 to 80 characters.',
    )
  }
  const state = parsed.data
  const receiver = settings.receiver ?? (state.receivers.length === 0 ? 'edge-1' : undefined)
  return receiver === undefined || state.receivers.some(({ name }) => name === receiver)
    ? state
    : withReceiver(state, receiver)
}

async function certify(folder: string, state: RelayState, now: number): Promise<string> {
  const { createAuthority, createServerCertificate } = await import('./certificates.ts')
  const file = (name: string): string => path.join(folder, 'tls', name)
  const authority =
    state.ca === null
      ? await createAuthority(state.name, now)
      : { certificate: state.ca, key: readText(file('ca.key')) }
  const server = await createServerCertificate(authority, state.hosts, now)
  writing(folder, () => {
    replace(file('ca.key'), authority.key, true)
    replace(file('ca.crt'), authority.certificate, false)
    replace(file('server.key'), server.key, true)
    replace(file('server.crt'), server.certificate, false)
  })
  return authority.certificate
}

export interface Invited {
  /** One line, with a key. */
  readonly invitation: string
  readonly endpoints: readonly string[]
}

/** `endpoints` empty: all. Throws `name_taken` without `force`, `bad_input`, `file_failed`. */
export function inviteUser(
  folder: string,
  { name, endpoints, force }: { name: string; endpoints: readonly string[]; force: boolean },
  templates: Templates,
): Invited {
  const before = readRelay(folder)
  assertName(name)
  assertFree(before, 'user', name, force)
  const granted = grantedEndpoints(before, endpoints)
  const { key, seed } = newKeys()
  const others = before.users.filter((each) => each.name !== name)
  const state = { ...before, users: [...others, { name, key, endpoints: granted }] }
  writeRelay(folder, state, templates)
  const invitation = encodeInvitation({
    tabscope: 'relay invitation',
    version: 1,
    name: state.name,
    servers: serversOf(state),
    seed,
    ca: state.ca,
    user: name,
    // The desktop creates endpoints for those that it names.
    endpoints: granted.includes('*')
      ? [...granted, ...state.endpoints.map(({ slug }) => slug)]
      : granted,
  })
  return { invitation, endpoints: granted }
}

/** Returns the file for `tabscope receive --relay`. Throws as `inviteUser`. */
export function addReceiver(
  folder: string,
  { name, force }: { name: string; force: boolean },
  templates: Templates,
): string {
  const before = readRelay(folder)
  assertFree(before, 'receiver', name, force)
  writeRelay(folder, withReceiver(before, name), templates)
  return path.join(folder, receiverFileName(name))
}

/** Throws `not_found`, `file_failed`. */
export function revoke(folder: string, name: string, templates: Templates): 'receiver' | 'user' {
  const before = readRelay(folder)
  const receivers = before.receivers.filter((each) => each.name !== name)
  const users = before.users.filter((each) => each.name !== name)
  if (receivers.length === before.receivers.length && users.length === before.users.length) {
    const names = [...before.users, ...before.receivers].map((each) => each.name)
    throw new AppError('not_found', `The relay has no "${name}", only: ${names.join(', ')}.`)
  }
  writeRelay(folder, { ...before, receivers, users }, templates)
  if (users.length < before.users.length) return 'user'
  rmSync(path.join(folder, receiverFileName(name)), { force: true })
  return 'receiver'
}

function withReceiver(state: RelayState, name: string): RelayState {
  assertName(name)
  assertFree(state, 'receiver', name, true)
  const others = state.receivers.filter((each) => each.name !== name)
  return { ...state, receivers: [...others, { name, ...newKeys() }] }
}

function receiverFileName(name: string): string {
  return `receiver-${name}.json`
}

function newKeys(): { key: string; seed: string } {
  const pair = createUser()
  return { key: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString('latin1') }
}

/** Throws `not_found` without a relay there, and `bad_input` for a damaged one, without a part of its text. */
export function readRelay(folder: string): RelayState {
  const file = path.join(folder, stateFile)
  if (!existsSync(file)) throw noRelay(folder)
  const parsed = RelayState.safeParse(parsedJson(readText(file)))
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new AppError(
    'bad_input',
    `${file} is damaged or of another version${where === '' ? '' : `: see ${where}`}. Restore it from a backup, or update Tabscope.`,
  )
}

/** Of `check`, which may run where only this file is. Throws `not_found`, `bad_input`, `file_failed`. */
export function readAdminFile(folder: string): AdminFile {
  const file = path.join(folder, 'admin.json')
  if (!existsSync(file)) throw noRelay(folder)
  const parsed = AdminFile.safeParse(parsedJson(readText(file)))
  if (parsed.success) return parsed.data
  throw new AppError(
    'bad_input',
    `${file} is damaged or of another version. Write it again: tabscope relay init --force`,
  )
}

function noRelay(folder: string): AppError {
  return new AppError(
    'not_found',
    `There is no relay in ${folder}. Create one with "tabscope relay init", or name its folder: --relay DIR`,
  )
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** First the state, from which the other files can be rendered again. */
function writeRelay(folder: string, state: RelayState, templates: Templates): void {
  writing(folder, () => {
    replace(path.join(folder, stateFile), `${JSON.stringify(state, null, 2)}\n`, true)
    for (const { name, text, secret } of renderFiles(state, folder, templates)) {
      const file = path.join(folder, name)
      // A container that has this one file must see the change, so it is not replaced by another one.
      const found = lstatSync(file, { throwIfNoEntry: false })
      if (name === 'nats.conf' && found?.isFile()) writeFileSync(file, text, { flush: true })
      else replace(file, text, secret)
    }
  })
}

/** Also a link, not its file. */
function replace(file: string, text: string, secret: boolean): void {
  const part = `${file}.part`
  rmSync(part, { force: true })
  // By its descriptor, since another owner of the folder could put a link in its place.
  const opened = openSync(part, 'wx', 0o600)
  try {
    writeFileSync(opened, text, { flush: true })
    const before = lstatSync(file, { throwIfNoEntry: false })
    const other = before?.isFile() && before.uid !== process.getuid?.() ? before : null
    if (other) fchownSync(opened, other.uid, other.gid)
    fchmodSync(opened, other?.mode ?? (secret ? 0o600 : 0o644))
  } finally {
    closeSync(opened)
  }
  renameSync(part, file)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AppError(
      'file_failed',
      `Cannot read ${file}. Check that it exists, and its permissions.`,
      {
        cause: error,
      },
    )
  }
}

function writing(folder: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw fileFailed(path.join(folder, stateFile), error)
  }
}

/** Asks the nats-server that was started in `folder` to read its configuration again, which ends connections of revoked keys. False: none runs on this computer. */
export async function reloadServer(folder: string): Promise<boolean> {
  const pid = pidIn(folder)
  // The file may be of a container, or of a process that is gone: its number means another process here.
  if (pid === null || !(await isNatsServer(pid))) return false
  try {
    process.kill(pid, 'SIGHUP')
    // With the first one, it gives the account of a new key no services. Signals that follow each other at once are one.
    await pause(secondReloadMs)
    process.kill(pid, 'SIGHUP')
    return true
  } catch {
    return false
  }
}

function pidIn(folder: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(folder, 'data/nats.pid'), 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

async function isNatsServer(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'nats-server'
  } catch {
    // No Linux, or no such process.
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)])
    return path.basename(stdout.trim()) === 'nats-server'
  } catch {
    return false
  }
}
