import { isIP } from 'node:net'
import type { ReceiverFile } from '../files.ts'
import { deliverySubject, noEndpoint, streams } from '../format.ts'
import {
  type AdminFile,
  clusterOffset,
  hostInUrl,
  isLoopbackRelay,
  monitorOf,
  monitorOffset,
  type RelayState,
  serversOf,
} from './state.ts'

/** Of `resources/relay/`, by their names. */
export type Templates = Readonly<Record<string, string>>

export interface RenderedFile {
  readonly name: string
  readonly text: string
  /** Has a key. */
  readonly secret: boolean
}

/** `folder`: absolute, where the services of the system find the files. */
export function renderFiles(
  state: RelayState,
  folder: string,
  templates: Templates,
): RenderedFile[] {
  return [
    { name: 'nats.conf', text: natsConfiguration(state), secret: false },
    { name: 'admin.json', text: json(adminFile(state)), secret: true },
    ...state.receivers.map(({ name }) => ({
      name: `receiver-${name}.json`,
      text: json(receiverFile(state, name)),
      secret: true,
    })),
    ...servicesFor(state, templates).map(([name, template]) => ({
      name,
      text: filled(template, valuesFor(state, folder)),
      secret: false,
    })),
  ]
}

/** A relay on loopback is for trying it, and the containers are for one server. */
function servicesFor(state: RelayState, templates: Templates): [name: string, text: string][] {
  if (isLoopbackRelay(state)) return []
  return Object.entries(templates).filter(
    ([name]) => state.hosts.length === 1 || name.endsWith('.service'),
  )
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function adminFile(state: RelayState): AdminFile {
  return {
    tabscope: 'relay admin',
    version: 1,
    name: state.name,
    servers: serversOf(state),
    seed: state.admin.seed,
    ca: state.ca,
    monitor: monitorOf(state),
    replicas: state.hosts.length,
    keepDays: state.keepDays,
    maxBytes: state.maxBytes,
    receivers: state.receivers.map(({ name }) => name),
    users: state.users.map(({ name, endpoints }) => ({ name, endpoints })),
  }
}

function receiverFile(state: RelayState, receiver: string): ReceiverFile {
  return {
    tabscope: 'relay receiver',
    version: 1,
    name: state.name,
    servers: serversOf(state),
    seed: state.receivers.find(({ name }) => name === receiver)?.seed ?? null,
    ca: state.ca,
    receiver,
    endpoints: state.endpoints,
    monitor: monitorOf(state),
  }
}

/** Each in one line: names and addresses are checked, but a name of a relay is any text. */
function valuesFor(state: RelayState, folder: string): Readonly<Record<string, string>> {
  const [host = ''] = state.hosts
  return {
    name: state.name.replaceAll(/[\p{Cc}%]/gu, ' '),
    folder: folder.replaceAll('%', '%%'),
    port: String(state.port),
    receiver: state.receivers[0]?.name ?? '',
    // Within the network of the containers, so that the name in the certificate is the one that is connected to.
    alias: isIP(host) === 0 ? host : 'relay',
  }
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_text, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`no value for ${key}`)
    return value
  })
}

export function natsConfiguration(state: RelayState): string {
  const { port, maxBytes } = state
  const slugs = state.endpoints.map(({ slug }) => slug)
  const host = isLoopbackRelay(state) ? ['host: "127.0.0.1"'] : []
  const users = [
    `    { nkey: ${state.admin.key} } # the administrator`,
    ...state.receivers.map(({ name, key }) =>
      userBlock(`receiver ${name}`, key, receiverRights(name, slugs)),
    ),
    ...state.users.map(({ name, key, endpoints }) =>
      userBlock(`desktops of ${name}`, key, desktopRights(name, endpoints)),
    ),
  ]
  return `# Written by "tabscope relay" from relay.json: changes are lost. Paths are relative to the folder in which nats-server is started.
${host.map((line) => `${line}\n`).join('')}port: ${port}
http: "127.0.0.1:${port + monitorOffset}"
pid_file: "data/nats.pid"
max_payload: 1MB
${state.ca === null ? '' : `\n${tlsBlock()}\n`}
jetstream {
  store_dir: "data"
  max_file_store: ${maxBytes}
  # What is acknowledged is on the disk.
  sync_interval: always
}
${state.hosts.length > 1 ? `\n${clusterBlock(state)}\n` : ''}
authorization {
  users: [
${users.join('\n')}
  ]
}
`
}

function tlsBlock(): string {
  return `tls {
  cert_file: "tls/server.crt"
  key_file: "tls/server.key"
  min_version: "1.3"
  timeout: 5
}`
}

function clusterBlock({ hosts, port }: RelayState): string {
  const clusterPort = port + clusterOffset
  const routes = hosts.map((host) => `"tls://${hostInUrl(host)}:${clusterPort}"`)
  return `server_name: $RELAY_SERVER
cluster {
  name: relay
  port: ${clusterPort}
  no_advertise: true
  routes: [${routes.join(', ')}]
  tls {
    cert_file: "tls/server.crt"
    key_file: "tls/server.key"
    ca_file: "tls/ca.crt"
    verify: true
    min_version: "1.3"
    timeout: 5
  }
}`
}

function userBlock(who: string, key: string, { publish, subscribe }: Rights): string {
  return `    { # ${who}
      nkey: ${key}
      permissions: {
        publish: { allow: [${publish.map((each) => JSON.stringify(each)).join(', ')}] }
        subscribe: { allow: [${subscribe.map((each) => JSON.stringify(each)).join(', ')}] }
      }
    }`
}

/** What a user of the server may publish to and subscribe to. Everything else is refused. */
export interface Rights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** Writes its endpoints, and reads nothing. */
export function receiverRights(name: string, slugs: readonly string[]): Rights {
  const all = [...slugs, noEndpoint]
  return {
    publish: [...all.map(deliverySubject), ...all.map((slug) => `parts.${slug}.>`)],
    subscribe: [inboxOf(name)],
  }
}

/** Reads `slugs` (`*`: all), each with a consumer whose filter is that subject alone, and large bodies of the same. Writes nothing. */
export function desktopRights(user: string, slugs: readonly string[]): Rights {
  const { deliveries, bodies } = streams
  return {
    publish: [
      `$JS.API.STREAM.INFO.${deliveries}`,
      // The server compares the end of the subject with the filter of the consumer.
      ...slugs.map((slug) => `$JS.API.CONSUMER.CREATE.${deliveries}.*.${deliverySubject(slug)}`),
      ...(slugs.includes('*') ? ['parts.>'] : slugs.map((slug) => `parts.${slug}.>`)).map(
        (subject) => `$JS.API.DIRECT.GET.${bodies}.${subject}`,
      ),
      `$JS.FC.${deliveries}.>`,
    ],
    subscribe: [inboxOf(user)],
  }
}

function inboxOf(name: string): string {
  return `_INBOX_${name}.>`
}
