import { isIP } from 'node:net'
import type { ReceiverFile } from '../files.ts'
import {
  bodiesStream,
  deliverySubject,
  desktopApi,
  directGet,
  hintSubject,
  noEndpoint,
  streamOf,
} from '../format.ts'
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
    endpoints: slugsOf(state),
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
  const host = isLoopbackRelay(state) ? ['host: "127.0.0.1"'] : []
  const accounts: readonly Account[] = [
    ...state.receivers.map(({ name, key }) => ({
      name,
      key,
      subjects: receiverSubjects(name, slugsOf(state)),
    })),
    ...state.users.map(({ name, key, endpoints }) => ({
      name,
      key,
      subjects: desktopSubjects(endpoints),
    })),
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
# Each key has an account of its own, which shares with RELAY only what is imported.
accounts {
  RELAY {
    jetstream: enabled
    users: [{ nkey: ${state.admin.key} }]
    exports: [
${exportsFor(accounts).join('\n')}
    ]
  }
${accounts.map(accountBlock).join('\n')}
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

/** With `_`. */
function slugsOf({ endpoints }: RelayState): string[] {
  return [...endpoints.map(({ slug }) => slug), noEndpoint]
}

interface Account {
  readonly name: string
  readonly key: string
  /** What it may use of the account RELAY: services, and `live` streams. */
  readonly subjects: readonly string[]
}

function kindOf(subject: string): 'stream' | 'service' {
  return subject.startsWith('live.') ? 'stream' : 'service'
}

/** Each once, for the accounts that import it. */
function exportsFor(accounts: readonly Account[]): string[] {
  const users = new Map<string, string[]>()
  for (const { name, subjects } of accounts) {
    for (const subject of subjects) users.set(subject, [...(users.get(subject) ?? []), name])
  }
  return Array.from(
    users,
    ([subject, names]) =>
      `      { ${kindOf(subject)}: "${subject}", accounts: ${JSON.stringify(names)} }`,
  )
}

function accountBlock({ name, key, subjects }: Account): string {
  const imports = subjects.map((subject) => {
    const isApi = subject.startsWith(`${streamApi}.`)
    const as = isApi ? `, to: "${subject.replace(streamApi, `${desktopApi}.STREAM`)}"` : ''
    return `      { ${kindOf(subject)}: { account: RELAY, subject: "${subject}" }${as} }`
  })
  return `  "${name}" {
    users: [{ nkey: ${key} }]
    imports: [
${imports.join('\n')}
    ]
  }`
}

const streamApi = '$JS.API.STREAM'

/** Writes its endpoints under its own name, and reads nothing. */
function receiverSubjects(name: string, slugs: readonly string[]): string[] {
  return slugs.flatMap((slug) => [deliverySubject(slug, name), `parts.${slug}.${name}.>`])
}

/** Reads `slugs`, and large bodies of the same; `*`: all of any time. Writes nothing. */
function desktopSubjects(slugs: readonly string[]): string[] {
  if (slugs.includes('*')) {
    return [...readingSubjects('*', '*', 'parts.>'), `${streamApi}.NAMES`]
  }
  return slugs.flatMap((slug) => readingSubjects(slug, streamOf(slug), `parts.${slug}.>`))
}

function readingSubjects(slug: string, stream: string, parts: string): string[] {
  const info = `${streamApi}.INFO.${stream}`
  return [directGet(stream), directGet(`${bodiesStream}.${parts}`), info, hintSubject(slug)]
}
