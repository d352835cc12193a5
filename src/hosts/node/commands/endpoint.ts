import { Option } from '@commander-js/extra-typings'
import type { CliLine } from '#contract/cli-output.ts'
import type { Endpoint, Header, ListenerState } from '#contract/models.ts'
import type { Integration } from '#contract/integrations.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { headersOf } from '../command-line/call-request.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { collect, secretFrom } from '../command-line/values.ts'
import {
  selectIntegration,
  findIntegration,
  configurationOf,
  withSession,
} from '../session/in-session.ts'
import { print, printDetails, writeJson, writeLine } from '../output/output.ts'
import { globals } from '../command-line/globals.ts'
import { endpointOf, maskedHeaders } from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { printList } from '../output/table.ts'
import { facts, secretText } from '../output/text.ts'
import { UsageError } from '../command-line/errors.ts'

const secretOptions = [
  new Option('--secret <secret>', 'The secret; visible to other users in the process list'),
  new Option('--secret-env <variable>', 'Environment variable that holds the secret'),
] as const

const headerText = 'Custom header from the dashboard as "Name: value" (repeatable)'

const list = declare('list', {
  does: 'List webhook endpoints; their secrets and the values of custom headers are masked',
  examples: [['List all endpoints', 'endpoint list']],
  access: 'read',
  run: configurationOf,
  print: (state) =>
    printList(
      'endpoint',
      state.endpoints.map((endpoint) => endpointJson(state, endpoint)),
      {
        ID: ({ id }) => id,
        Path: ({ slug }) => ['bold', slug],
        Integration: (endpoint) => integrationOf(state, endpoint),
        Secret: ({ secret }) => secretText(secret),
        URL: ({ url }) => url ?? 'not listening',
        Name: ({ name }) => name,
      },
      'No endpoints. To add one: tabscope endpoint add PATH',
    ),
})

const add = defineCommand('add', 'Add a webhook endpoint', [
  ['With a secret from the environment', 'endpoint add main --secret-env WEBHOOK_SECRET'],
  [
    'For one of several integrations, with a custom header',
    'endpoint add bar --integration "My bar" --header "X-Location: pier-9"',
  ],
])
  .argument('<path>', 'Last part of the URL, /hooks/<path>')
  .option('--name <name>', 'Name of the endpoint (default: the path)')
  .option('--integration <name>', 'Integration to use; required if there are several')
  .option('--application-id <id>', 'Expected value of X-<brand>-Application-ID (default: any)')
  .option('--header <header>', headerText, collect)
  .addOption(secretOptions[0])
  .addOption(secretOptions[1])
  .action(
    action((slug, options) => {
      const customHeaders = headersFrom(options.header ?? [])
      const secret = secretFrom('secret', options.secret, options.secretEnv)
      return withSession('create', async (session) => {
        const { integrations } = await stateOf(session)
        const endpoint = await session.call('endpoints.create', {
          slug,
          name: options.name ?? slug,
          integrationId: selectIntegration(integrations, options.integration).id,
          applicationId: options.applicationId ?? '',
          customHeaders,
          secret,
        })
        return printEndpoint(session, endpoint)
      })
    }),
  )

const show = defineCommand(
  'show',
  'Show a webhook endpoint; its secrets and the values of custom headers are masked',
  [
    ['Show an endpoint', 'endpoint show main'],
    ['With the values of its custom headers, as JSON', 'endpoint show main --reveal --json'],
  ],
)
  .argument('<path>', 'Last part of the URL of an endpoint')
  .option('--reveal', 'Show the values of custom headers; the secrets stay masked')
  .action(
    action((slug, { reveal = false }) =>
      withSession('read', async (session) => {
        const state = await configurationOf(session)
        const json = endpointJson(state, endpointOf(state.endpoints, slug), reveal)
        printDetails('endpoint', json, () => endpointText(state, json))
      }),
    ),
  )

const set = defineCommand('set', 'Change a webhook endpoint; omitted options keep their values', [
  ['Change its path', 'endpoint set main --path pier-9'],
  ['Replace its custom headers', 'endpoint set main --header "X-Location: pier-9"'],
  ['Accept every application ID', 'endpoint set main --application-id ""'],
])
  .argument('<path>', 'Last part of the URL of an endpoint')
  .option('--path <path>', 'New last part of the URL')
  .addOption(new Option('--slug <path>', 'Same as --path').hideHelp())
  .option('--name <name>', 'Name of the endpoint')
  .option('--integration <name>', 'Integration')
  .option('--application-id <id>', 'Expected value of X-<brand>-Application-ID; empty: any')
  .option('--header <header>', `${headerText}; replaces all headers`, collect)
  .addOption(new Option('--clear-headers', 'Remove all custom headers').conflicts('header'))
  .action(
    action((slug, options) => {
      const customHeaders = options.clearHeaders
        ? []
        : options.header && headersFrom(options.header)
      const { name, applicationId, integration, path = options.slug } = options
      const given = [path, name, applicationId, integration, customHeaders]
      if (given.every((value) => value === undefined)) {
        throw new UsageError(
          'Nothing to change. Use --path, --name, --integration, --application-id, --header or --clear-headers.',
        )
      }
      return withSession('change', async (session) => {
        const { id } = await endpointAt(session, slug)
        const { integrations } = await stateOf(session)
        const endpoint = await session.call('endpoints.update', {
          id,
          slug: path,
          name,
          applicationId,
          customHeaders,
          integrationId:
            integration === undefined ? undefined : findIntegration(integrations, integration).id,
        })
        return printEndpoint(session, endpoint)
      })
    }),
  )

const setSecret = defineCommand('set-secret', 'Set or generate the secret of a webhook endpoint', [
  ['Use the secret from the dashboard', 'endpoint set-secret main --secret-env WEBHOOK_SECRET'],
  ['Generate a secret and print it once', 'endpoint set-secret main --generate --reveal'],
  [
    'Correct a secret that was entered wrong, and keep the previous one as it is',
    'endpoint set-secret main --correct --secret-env WEBHOOK_SECRET',
  ],
  [
    'Stop accepting the previous secret',
    'endpoint set-secret main --secret-env WEBHOOK_SECRET --no-keep-previous',
  ],
])
  .argument('<path>', 'Last part of the URL of an endpoint')
  .addOption(secretOptions[0])
  .addOption(secretOptions[1])
  .addOption(
    new Option('--generate', 'Generate a random secret').conflicts(['secret', 'secretEnv']),
  )
  .option('--reveal', 'With --generate: print the new secret once')
  .option(
    '--keep-previous',
    'Keep accepting the secret that verified deliveries until now (default)',
    true,
  )
  .option('--no-keep-previous', 'Delete the previous secret')
  .addOption(
    new Option(
      '--correct',
      'The current secret was entered wrong: replace it, and leave the previous one',
    ).conflicts(['generate', 'keepPrevious']),
  )
  .action(
    action((slug, options) => {
      const { generate = false, reveal = false, correct = false, keepPrevious } = options
      if (reveal && !generate) throw new UsageError('--reveal requires --generate.')
      const given = secretFrom('secret', options.secret, options.secretEnv)
      if (given === undefined && !generate) {
        throw new UsageError('A secret is required: use --secret-env, --secret or --generate.')
      }
      return withSession('change', async (session) => {
        const { id } = await endpointAt(session, slug)
        const endpoint = correct
          ? await session.call('endpoints.correctSecret', { id, secret: given })
          : await session.call('endpoints.rotateSecret', { id, secret: given, keepPrevious })
        if (!reveal) return printEndpoint(session, endpoint)
        const { secret } = await session.call('endpoints.revealSecret', { id, which: 'current' })
        if (globals.json) {
          const json = endpointJson(await stateOf(session), endpoint)
          writeJson('endpoint', { ...json, newSecret: secret })
        } else {
          writeLine(escapeControls(secret))
        }
      })
    }),
  )

const remove = declare('remove', {
  does: 'Delete a webhook endpoint; its deliveries are kept',
  examples: [
    ['Delete it after confirmation', 'endpoint remove main'],
    ['Delete it without confirmation', 'endpoint remove main --yes'],
  ],
  call: 'endpoints.remove',
  usage: '<path>',
  descriptions: { id: 'Last part of the URL of an endpoint' },
  names: 'endpoint',
  confirm: async (session, { id }) => {
    const slug = (await stateOf(session)).endpoints.find((each) => each.id === id)?.slug
    return `Removing endpoint "${slug}" also deletes its secrets, forward targets and response rules. Webhooks to /hooks/${slug} get 404.`
  },
  print: removed('endpoint'),
})

export const command = group('endpoint', 'Manage webhook endpoints and their secrets', [
  list,
  add,
  show,
  set,
  setSecret,
  remove,
])

interface State {
  readonly endpoints: readonly Endpoint[]
  readonly integrations: readonly Integration[]
  readonly listener: ListenerState
}

function stateOf(session: Session): Promise<State> {
  return session.call('app.snapshot', {})
}

async function endpointAt(session: Session, slug: string): Promise<Endpoint> {
  return endpointOf((await stateOf(session)).endpoints, slug)
}

function headersFrom(texts: readonly string[]): Header[] {
  return headersOf(texts).map(({ name, value }) => [name, value])
}

async function printEndpoint(session: Session, endpoint: Endpoint): Promise<0> {
  const state = await stateOf(session)
  const json = endpointJson(state, endpoint)
  print('endpoint', json, () => endpointText(state, json))
  return 0
}

function endpointJson(state: State, endpoint: Endpoint, reveal = false): CliLine<'endpoint'> {
  const customHeaders = reveal ? endpoint.customHeaders : maskedHeaders(endpoint.customHeaders)
  return { ...endpoint, customHeaders, url: urlOf(state, endpoint) }
}

function endpointText(state: State, endpoint: CliLine<'endpoint'>): string {
  return facts([
    ['ID', endpoint.id],
    ['Name', endpoint.name],
    ['URL', endpoint.url ?? `/hooks/${endpoint.slug} (not listening)`],
    ['Integration', integrationOf(state, endpoint)],
    ['Secret', secretText(endpoint.secret)],
    ['Previous secret', secretText(endpoint.previousSecret)],
    ['Application ID', endpoint.applicationId || 'any'],
    ...endpoint.customHeaders.map(([name, value]) => ['Header', `${name}: ${value}`] as const),
  ])
}

function integrationOf({ integrations }: State, { integrationId }: Endpoint): string {
  return integrations.find(({ id }) => id === integrationId)?.name ?? ''
}

function urlOf({ listener }: State, { slug }: Endpoint): string | null {
  return listener.state === 'listening' ? `${listener.origin}/hooks/${slug}` : null
}
