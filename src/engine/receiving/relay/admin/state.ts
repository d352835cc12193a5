import { isIP } from 'node:net'
import * as z from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { Slug } from '../files.ts'
import { receiverPattern } from '../format.ts'

const Name = z.string().regex(receiverPattern)

/** `relay.json`: what the administrator decided, and keys. All other files of the folder are rendered from it, except those in `tls/`. */
export const RelayState = z.object({
  tabscope: z.literal('relay'),
  version: z.literal(1),
  name: z.string().trim().min(1).max(80),
  /** One, or one for each server of a cluster. */
  hosts: z.array(z.string()).min(1).max(3),
  port: z.int(),
  keepDays: z.int(),
  /** Of all streams together, on each server. */
  maxBytes: z.int(),
  /** `status`: of the response to every delivery. */
  endpoints: z.array(z.object({ slug: Slug, status: z.int().min(200).max(599) })).min(1),
  /** PEM; null: no TLS, on loopback. */
  ca: z.string().nullable(),
  admin: z.object({ key: z.string(), seed: z.string() }),
  receivers: z.array(z.object({ name: Name, key: z.string(), seed: z.string() })),
  /** The keys are public: only the invitations have the others. `endpoints`: slugs; `*`: all. */
  users: z.array(z.object({ name: Name, key: z.string(), endpoints: z.array(z.string()) })),
})
export type RelayState = z.infer<typeof RelayState>

/** `admin.json`: what `tabscope relay check` needs, also in a container. */
export const AdminFile = z.object({
  tabscope: z.literal('relay admin'),
  version: z.literal(1),
  name: z.string(),
  servers: z.array(z.string()),
  seed: z.string(),
  ca: z.string().nullable(),
  monitor: z.string(),
  replicas: z.int(),
  keepDays: z.int(),
  maxBytes: z.int(),
  endpoints: z.array(z.string()),
  receivers: z.array(z.string()),
  users: z.array(z.object({ name: z.string(), endpoints: z.array(z.string()) })),
})
export type AdminFile = z.infer<typeof AdminFile>

/** The monitoring port is 8222 for 4222, and that of the cluster 6222. */
export const monitorOffset = 4000
export const clusterOffset = 2000

export function isLoopbackRelay({ hosts }: Pick<RelayState, 'hosts'>): boolean {
  return hosts.every((host) => host === '127.0.0.1' || host === 'localhost')
}

export function serversOf(state: Pick<RelayState, 'hosts' | 'port'>): string[] {
  const scheme = isLoopbackRelay(state) ? 'nats' : 'tls'
  return state.hosts.map((host) => `${scheme}://${hostInUrl(host)}:${state.port}`)
}

export function hostInUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

export function monitorOf({ port }: Pick<RelayState, 'port'>): string {
  return `http://127.0.0.1:${port + monitorOffset}`
}

/** Throws `bad_input` for a name that no user or receiver can have. */
export function assertName(name: string): void {
  if (Name.safeParse(name).success) return
  throw new AppError(
    'bad_input',
    `A name of the relay has 1 to 63 lower-case letters, digits and hyphens, not "${name}".`,
  )
}

/** RFC 1123, section 2.1. */
function isLabel(label: string): boolean {
  return /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-')
}

/** Throws `bad_input`. */
export function assertHost(host: string): void {
  const isName = host.length <= 253 && host.split('.').every(isLabel)
  if (isIP(host) !== 0 || isName) return
  throw new AppError(
    'bad_input',
    `"${host}" is not a host name or IP address. Use one that receivers and desktops can reach, such as relay.example.com.`,
  )
}

/** `bar`, or `bar:204` with the status of its responses. Throws `bad_input`. */
export function endpointOf(text: string): RelayState['endpoints'][number] {
  const [, slug, status = '200'] = /^([^:]*)(?::(\d{3}))?$/.exec(text) ?? []
  const parsed = RelayState.shape.endpoints.element.safeParse({ slug, status: Number(status) })
  if (parsed.success) return parsed.data
  throw new AppError(
    'bad_input',
    `An endpoint has 1 to 63 lower-case letters, digits and hyphens, and optionally a status from 200 to 599, such as bar or bar:204, not "${text}".`,
  )
}

/** `endpoints` empty: all. Throws `bad_input` for an unknown one. */
export function grantedEndpoints(state: RelayState, endpoints: readonly string[]): string[] {
  if (endpoints.length === 0) return ['*']
  const known = state.endpoints.map(({ slug }) => slug)
  const unknown = endpoints.find((slug) => !known.includes(slug))
  if (unknown === undefined) return [...new Set(endpoints)]
  throw new AppError(
    'bad_input',
    `The relay has no endpoint "${unknown}", only ${known.join(', ')}. To change its endpoints: tabscope relay init --force --endpoint …`,
  )
}

/** A receiver and a user with the same name would share an account. Throws `name_taken`; with `force` only if the other kind has the name. */
export function assertFree(
  state: RelayState,
  kind: 'receiver' | 'user',
  name: string,
  force: boolean,
): void {
  const isUser = state.users.some((each) => each.name === name)
  const isReceiver = state.receivers.some((each) => each.name === name)
  if (kind === 'user' ? isReceiver : isUser) {
    throw new AppError(
      'name_taken',
      `"${name}" is a ${isUser ? 'user' : 'receiver'} of the relay. Choose another name.`,
    )
  }
  if ((isUser || isReceiver) && !force) {
    throw new AppError(
      'name_taken',
      `"${name}" has a key already. To replace it, which ends its connections: --force`,
    )
  }
}
