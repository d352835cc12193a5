import { existsSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { RelayView } from '#contract/relay.ts'
import type { RelayCheck } from '#engine/receiving/relay/admin/check.ts'
import { formatDuration, formatSize, plural } from '#shared/text/format.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, defineCommand, group } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { collect, integer, size } from '../command-line/values.ts'
import { confirmChange } from '../command-line/confirm.ts'
import { UsageError } from '../command-line/errors.ts'
import { withSession } from '../session/in-session.ts'
import { readInputFile } from '../command-line/input-file.ts'
import { io, resolvePath } from '../command-line/io.ts'
import { print, printDetails, printError, printMessage } from '../output/output.ts'
import { relayText } from '../output/relay-text.ts'
import { facts, formatTime } from '../output/text.ts'

const add = defineCommand(
  'add',
  'Follow a relay: connect with an invitation, and read what its receivers accepted',
  [
    ['With the line of the administrator on stdin', 'relay add < invitation.txt'],
    ['From a file', 'relay add --file invitation.txt'],
  ],
)
  .argument(
    '[invitation]',
    'The line that "tabscope relay invite" printed; absent or -: from stdin. Other users of this computer may see arguments',
  )
  .option('--file <file>', 'File with the invitation')
  .option('--no-endpoints', 'Do not create endpoints for paths that are missing here')
  .option('-y, --yes', 'Skip the confirmation that it replaces a relay')
  .action(
    action((given, { file, endpoints, yes }) => {
      if (given !== undefined && file !== undefined) {
        throw new UsageError('Specify the invitation or --file, not both.')
      }
      return withSession('create', async (session) => {
        const invitation = await invitationFrom(given, file)
        const { replaces, confirm, servers } = await session.call('relay.read', { invitation })
        if (confirm) {
          const before = (await session.call('relay.list', {})).find(({ id }) => id === replaces)
          const question = `This replaces the servers, the user and the key of "${before?.name}" (${before?.servers.join(', ')}) by those of ${servers.join(', ')}. Only the address says that it is the same relay.`
          if (!(await confirmChange(question, yes ?? false))) return 1
        }
        const replace = confirm ? replaces : null
        const input = { invitation, createEndpoints: endpoints, replace }
        const relay = await session.call('relay.add', input)
        print('relay', relay, () => relayText(relay))
        if (!session.joined) printMessage('Its deliveries are read while Tabscope runs.')
        return 0
      })
    }),
  )

async function invitationFrom(
  given: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) return (await readInputFile(file)).toString('utf8')
  if (given !== undefined && given !== '-') return given
  if (io.stdin.isTTY) printMessage('Paste the invitation, press Enter, then Ctrl+D.')
  return (await buffer(io.stdin)).toString('utf8')
}

const status = declare('status', {
  does: 'Show the relays, and what waits there',
  examples: [
    ['All relays', 'relay status'],
    ['In a script, what is not read yet', "relay status --json | jq '.behind'"],
  ],
  call: 'relay.list',
  access: 'read',
  print: (relays) => {
    if (relays.length === 0) printMessage('No relays. To follow one: tabscope relay add')
    for (const relay of relays) printDetails('relay', relay, () => relayText(relay))
  },
})

const ofRelay = {
  usage: '<relay>',
  descriptions: { id: 'Name of the relay', forward: 'on or off' },
  names: 'relay',
} as const

const forget = declare('forget', {
  does: 'Stop following a relay, and delete its key',
  examples: [
    ['Keep its deliveries', 'relay forget Team'],
    ['Delete its deliveries too, without confirmation', 'relay forget Team --deliveries --yes'],
  ],
  call: 'relay.forget',
  ...ofRelay,
  flags: {
    '--deliveries': ['Also delete all deliveries that came from it', { deliveries: true }],
  },
  confirm: async (session, { id, deliveries }) => {
    const relay = (await session.call('relay.list', {})).find((each) => each.id === id)
    return deliveries
      ? `Forgetting "${relay?.name}" also deletes its ${plural(relay?.deliveries ?? 0, 'delivery', 'deliveries')} here.`
      : `"${relay?.name}" can be followed again only with a new invitation. Its deliveries stay.`
  },
  print: ({ deleted }, { id, deliveries }, _, [name = '']) =>
    print('removed', { kind: 'relay', id }, () => {
      const also = deliveries ? ` and deleted ${plural(deleted, 'delivery', 'deliveries')}` : ''
      return `Forgot "${escapeControls(name)}"${also}.`
    }),
})

const printRelay = (relay: RelayView): void => print('relay', relay, () => relayText(relay))

const toggle = (name: string, does: string, enabled: boolean) =>
  declare(name, {
    does,
    examples: [[does, `relay ${name} Team`]],
    call: 'relay.update',
    ...ofRelay,
    run: (session, { id }) => session.call('relay.update', { id, enabled }),
    print: printRelay,
  })

const pause = toggle('pause', 'Disconnect from a relay until it is resumed', false)
const resume = toggle('resume', 'Connect to a paused relay again', true)

const forward = declare('forward', {
  does: 'Forward what arrives from a relay to the targets of its endpoint, or not',
  examples: [
    ['Forward from now on', 'relay forward Team on'],
    ['Only show', 'relay forward Team off'],
  ],
  call: 'relay.update',
  ...ofRelay,
  usage: '<relay> <forward>',
  print: printRelay,
})

const defaultFolder = 'tabscope-relay'
const dayMs = 86_400_000
/** The monitoring port is 4000 above. */
const maxPort = 61_535

const init = defineCommand(
  'init',
  'Create a relay: the configuration of its nats-server, keys and certificates',
  [
    [
      'A relay on a server of your own',
      'relay init --host relay.example.com --endpoint bar --endpoint terrace',
    ],
    ['Try it on this computer', 'relay init --host 127.0.0.1 --endpoint bar -o try'],
    ['Keep deliveries longer; keys and users stay', 'relay init --force --keep-days 14 -o try'],
  ],
)
  .option(
    '--host <host>',
    'Name or address of the server; three for a cluster, which keeps three copies',
    collect,
  )
  .option(
    '--endpoint <slug>',
    'Endpoint, such as bar, or bar:204 to respond 204 (repeatable)',
    collect,
  )
  .option('--name <name>', 'Name that desktops show (default: the host)')
  .option('--receiver <name>', 'Name of the receiver (default: edge-1)')
  .option('--port <port>', 'Port of the server (default: 4222)', integer('--port', 1, maxPort))
  .option(
    '--keep-days <days>',
    'Days that the relay keeps deliveries (default: 7)',
    integer('--keep-days', 1, 365),
  )
  .option(
    '--max-size <size>',
    'Disk space of the relay (default: 10GB)',
    size('--max-size', 64 * 1024 ** 2, 100 * 1024 ** 4),
  )
  .option('-o, --output <dir>', `Folder (default: ${defaultFolder})`)
  .option('--force', 'Change the relay in the folder; its keys and users stay')
  .action(
    action(async (values) => {
      const { host: hosts, endpoint: slugs, force = false } = values
      const folder = resolvePath(values.output ?? defaultFolder)
      if (!force && hosts === undefined) {
        throw new UsageError('Specify the server of the relay: --host relay.example.com')
      }
      if (!force && slugs === undefined) {
        throw new UsageError('Specify at least one endpoint: --endpoint bar')
      }
      const count = new Set(hosts).size
      if (hosts && (count !== hosts.length || (count !== 1 && count !== 3))) {
        throw new UsageError('A relay has one --host, or three different ones for a cluster.')
      }
      const { createRelay, endpointOf, isLoopbackRelay, serversOf, templates } = await tools()
      const state = await createRelay(
        folder,
        {
          name: values.name,
          hosts,
          port: values.port,
          keepDays: values.keepDays,
          maxBytes: values.maxSize,
          endpoints: slugs?.map((slug) => endpointOf(slug)),
          receiver: values.receiver,
        },
        { force, now: Date.now(), templates },
      )
      const receivers = state.receivers.map(({ name }) => name)
      const endpoints = state.endpoints.map(({ slug }) => slug)
      print(
        'relay_created',
        { name: state.name, folder, servers: serversOf(state), endpoints, receivers },
        () => `Wrote the relay "${escapeControls(state.name)}" to ${folder}.`,
      )
      for (const line of nextSteps(folder, isLoopbackRelay(state), receivers[0] ?? '')) {
        printMessage(line)
      }
    }),
  )

function nextSteps(folder: string, isLocal: boolean, receiver: string): string[] {
  const inFolder = folder === resolvePath('.') ? '' : `cd ${folder} && `
  return [
    'Next:',
    isLocal
      ? `1. Start the server:     ${inFolder}nats-server -c nats.conf`
      : `1. Copy the folder to the server, except relay.json and tls/ca.key, and start it there: compose.yaml or tabscope-nats.service.`,
    `2. Create its streams:   ${inFolder}tabscope relay check`,
    `3. Start the receiver:   ${inFolder}tabscope receive --relay receiver-${receiver}.json`,
    `4. Invite a developer:   ${inFolder}tabscope relay invite ann`,
    isLocal
      ? 'Keep relay.json private: it has the keys.'
      : 'Keep relay.json and tls/ca.key private, and back them up: they are the only copies of the keys.',
  ]
}

const invite = defineCommand('invite', 'Give a developer or a receiver a key of the relay', [
  ['A line for a developer, who may read all endpoints', 'relay invite ann'],
  ['Only some endpoints', 'relay invite ben --endpoint bar --endpoint terrace'],
  ['Another receiver', 'relay invite edge-2 --receiver'],
])
  .argument('<name>', 'Name of the developer or receiver')
  .option(
    '--endpoint <slug>',
    'Endpoint that the developer may read (repeatable, default: all)',
    collect,
  )
  .option('--receiver', 'Write the file of a receiver instead of a line for a developer')
  .option('--relay <dir>', `Folder of the relay (default: this folder, or ${defaultFolder})`)
  .option('--force', 'Replace the key of an existing name')
  .action(
    action(async (name, { endpoint: endpoints = [], receiver = false, relay, force = false }) => {
      if (receiver && endpoints.length > 0) {
        throw new UsageError(
          'A receiver has all endpoints of the relay: use --endpoint without --receiver.',
        )
      }
      const folder = relayFolder(relay)
      const { addReceiver, inviteUser, reloadServer, templates } = await tools()
      if (receiver) {
        const file = addReceiver(folder, { name, force }, templates)
        const reloaded = await reloadServer(folder)
        print('receiver_file', { receiver: name, file, reloaded }, () => file)
        printMessage(
          `For "tabscope receive --relay ${path.basename(file)}". The file has a key: only the receiver may read it.`,
        )
        hintReload(folder, reloaded)
        return
      }
      const invited = inviteUser(folder, { name, endpoints, force }, templates)
      const { invitation, endpoints: granted } = invited
      const reloaded = await reloadServer(folder)
      print(
        'invitation',
        { user: name, endpoints: [...granted], invitation, reloaded },
        () => invitation,
      )
      const what = granted.includes('*') ? 'all endpoints' : granted.join(', ')
      printMessage(
        `Send this line to ${name} privately: whoever has it can read ${what}. It is not stored here. To use it: the page Relay, or tabscope relay add`,
      )
      hintReload(folder, reloaded)
    }),
  )

const revoke = defineCommand('revoke', 'Take the key of a developer or a receiver away', [
  ['End the access of a developer', 'relay revoke ann'],
  ['Of a relay in another folder', 'relay revoke ann --relay /srv/tabscope-relay'],
])
  .argument('<name>', 'Name of the developer or receiver')
  .option('--relay <dir>', `Folder of the relay (default: this folder, or ${defaultFolder})`)
  .action(
    action(async (name, { relay }) => {
      const folder = relayFolder(relay)
      const { reloadServer, revokeKey, templates } = await tools()
      const kind = revokeKey(folder, name, templates)
      const reloaded = await reloadServer(folder)
      print('revoked', { name, kind, reloaded }, () =>
        reloaded
          ? `Revoked the key of ${name}, and ended its connections.`
          : `Revoked the key of ${name}.`,
      )
      if (kind === 'user') printMessage('Deliveries that were read already stay on that computer.')
      hintReload(folder, reloaded)
    }),
  )

function hintReload(folder: string, reloaded: boolean): void {
  if (reloaded) return
  printMessage(
    `No nats-server of ${folder} runs on this computer. Copy nats.conf to the server if it is elsewhere, then reload it; until then the old keys are valid. A new key works after the second reload:`,
  )
  printMessage('  sudo systemctl reload tabscope-nats')
  const signal = 'docker compose kill --signal HUP nats'
  printMessage(`  ${signal} && sleep 2 && ${signal}`)
}

const check = defineCommand(
  'check',
  'Create the streams of a relay, and check that it keeps what it acknowledges',
  [
    ['The relay in this folder', 'relay check'],
    ['In a script: problems, one per line', "relay check --json | jq -r '.problems[]'"],
  ],
)
  .option('--relay <dir>', `Folder of the relay (default: this folder, or ${defaultFolder})`)
  .action(
    action(async ({ relay }) => {
      const [{ checkRelay }, { readAdminFile }] = await Promise.all([
        import('#engine/receiving/relay/admin/check.ts'),
        import('#engine/receiving/relay/admin/folder.ts'),
      ])
      const result = await checkRelay(readAdminFile(relayFolder(relay)))
      printDetails('relay_check', result, () => checkText(result))
      for (const hint of result.hints) printMessage(hint)
      for (const problem of result.problems) printError(`Problem: ${problem}`)
      return result.problems.length === 0 ? 0 : 1
    }),
  )

const changes = { created: ' (created now)', updated: ' (limits updated now)', none: '' } as const
const syncs = {
  always: 'each message, before it is acknowledged',
  interval: 'only at intervals',
  unknown: 'unknown',
} as const

function checkText(result: RelayCheck): string {
  const { certificateExpiresAt: expiresAt, users, receivers } = result
  return facts([
    ['Relay', result.name],
    ['Server', `${result.server}, nats-server ${result.version}`],
    ['Synced to disk', syncs[result.sync]],
    ...result.streams.map((stream): [string, string] => [
      stream.name,
      `${plural(stream.messages, 'message', 'messages')}, ${formatSize(stream.bytes)} of ${formatSize(stream.maxBytes)}, for ${formatDuration(stream.maxAgeMs)}, ${plural(stream.replicas, 'copy', 'copies')}${changes[stream.change]}`,
    ]),
    ['Clock', `${formatDuration(Math.abs(result.clockMs))} from this computer's`],
    [
      'Certificate',
      expiresAt === null
        ? 'none: on loopback'
        : `until ${formatTime(expiresAt)}, ${plural(Math.floor((expiresAt - Date.now()) / dayMs), 'day', 'days')}`,
    ],
    ['Receivers', receivers.join(', ') || 'none'],
    [
      'Developers',
      users
        .map(({ name, endpoints }) =>
          endpoints.includes('*') ? name : `${name} (${endpoints.join(', ')})`,
        )
        .join(', ') || 'none yet',
    ],
  ])
}

/** Loaded by no other command: keys, and templates of files. */
async function tools() {
  const [
    { addReceiver, createRelay, inviteUser, reloadServer, revoke: revokeKey },
    { endpointOf, isLoopbackRelay, serversOf },
    { relayTemplates },
  ] = await Promise.all([
    import('#engine/receiving/relay/admin/folder.ts'),
    import('#engine/receiving/relay/admin/state.ts'),
    import('../output/relay-templates.ts'),
  ])
  return {
    addReceiver,
    createRelay,
    endpointOf,
    inviteUser,
    isLoopbackRelay,
    reloadServer,
    revokeKey,
    serversOf,
    templates: relayTemplates(),
  }
}

function relayFolder(given: string | undefined): string {
  if (given !== undefined) return resolvePath(given)
  const here = ['relay.json', 'admin.json'].some((name) => existsSync(resolvePath(name)))
  return resolvePath(here ? '.' : defaultFolder)
}

export const command = group(
  'relay',
  'Follow relays, which receive deliveries while this computer is away, and run one for a team',
  [add, status, forget, pause, resume, forward, init, invite, revoke, check],
  status,
)
