import { buffer } from 'node:stream/consumers'
import { plural } from '#shared/text/format.ts'
import { action, defineCommand, type ExitCode, group } from '../command-line/command.ts'
import { choice } from '../command-line/values.ts'
import { confirmRemoval } from '../confirm.ts'
import { UsageError } from '../errors.ts'
import { withSession } from '../in-session.ts'
import { readInputFile } from '../input-file.ts'
import { io } from '../io.ts'
import { print, printDetails, printMessage } from '../output.ts'
import { relayNamed, relayText } from '../relay-text.ts'

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
  .action(
    action((given, { file, endpoints }) => {
      if (given !== undefined && file !== undefined) {
        throw new UsageError('Specify the invitation or --file, not both.')
      }
      return withSession('create', async (session) => {
        const invitation = await invitationFrom(given, file)
        const relay = await session.call('relay.add', { invitation, createEndpoints: endpoints })
        print('relay', relay, () => relayText(relay))
        if (!session.joined) printMessage('Its deliveries are read while Tabscope runs.')
      })
    }),
  )

async function invitationFrom(
  given: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) return (await readInputFile(file)).toString('utf8')
  if (given !== undefined && given !== '-') return given
  return (await buffer(io.stdin)).toString('utf8')
}

const status = defineCommand('status', 'Show the relays, what waits there, and their receivers', [
  ['All relays', 'relay status'],
  ['In a script, what is not read yet', "relay status --json | jq '.behind'"],
]).action(
  action(() =>
    withSession('read', async (session) => {
      const relays = await session.call('relay.list', {})
      if (relays.length === 0) printMessage('No relays. To follow one: tabscope relay add')
      for (const relay of relays) printDetails('relay', relay, () => relayText(relay))
    }),
  ),
)

const forget = defineCommand('forget', 'Stop following a relay, and delete its key', [
  ['Keep its deliveries', 'relay forget Team'],
  ['Delete its deliveries too, without confirmation', 'relay forget Team --deliveries --yes'],
])
  .argument('<name>', 'Name of the relay')
  .option('--deliveries', 'Also delete all deliveries that came from it')
  .option('-y, --yes', 'Skip the confirmation')
  .action(
    action((name, { deliveries = false, yes = false }) =>
      withSession('change', async (session) => {
        const relay = await relayNamed(session, name)
        const consequence = deliveries
          ? `Forgetting "${relay.name}" also deletes its ${plural(relay.deliveries, 'delivery', 'deliveries')} here.`
          : `"${relay.name}" can be followed again only with a new invitation. Its deliveries stay.`
        if (!(await confirmRemoval(consequence, yes))) return 1
        const { deleted } = await session.call('relay.forget', { id: relay.id, deliveries })
        print('removed', { kind: 'relay', id: relay.id }, () =>
          deliveries
            ? `Forgot "${relay.name}" and deleted ${plural(deleted, 'delivery', 'deliveries')}.`
            : `Forgot "${relay.name}".`,
        )
      }),
    ),
  )

const pause = defineCommand('pause', 'Disconnect from a relay until it is resumed', [
  ['Pause a relay', 'relay pause Team'],
  ['Print its state as JSON', 'relay pause Team --json'],
])
  .argument('<name>', 'Name of the relay')
  .action(action((name) => changed(name, { enabled: false })))

const resume = defineCommand('resume', 'Connect to a paused relay again', [
  ['Resume a relay', 'relay resume Team'],
  ['Print its state as JSON', 'relay resume Team --json'],
])
  .argument('<name>', 'Name of the relay')
  .action(action((name) => changed(name, { enabled: true })))

const forward = defineCommand(
  'forward',
  'Forward what arrives from a relay to the targets of its endpoint, or not',
  [
    ['Forward from now on', 'relay forward Team on'],
    ['Only show', 'relay forward Team off'],
  ],
)
  .argument('<name>', 'Name of the relay')
  .argument('<state>', 'on or off', choice('state', ['on', 'off']))
  .action(action((name, state) => changed(name, { forward: state === 'on' })))

function changed(
  name: string,
  change: { readonly enabled?: boolean; readonly forward?: boolean },
): Promise<ExitCode> {
  return withSession('change', async (session) => {
    const { id } = await relayNamed(session, name)
    const relay = await session.call('relay.update', { id, ...change })
    print('relay', relay, () => relayText(relay))
  })
}

export const command = group(
  'relay',
  'Follow relays, which receive deliveries while this computer is away',
  [add, status, forget, pause, resume, forward],
  status,
)
