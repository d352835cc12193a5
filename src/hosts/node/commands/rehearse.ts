import type { Command, OptionValues } from '@commander-js/extra-typings'
import { randomInt } from 'node:crypto'
import type { RehearsalLevel } from '#contract/rehearsal.ts'
import { plainOrQuoted } from '#engine/platform/posix-quote.ts'
import { action, group, defineCommand, type ExitCode } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { choice, duration, integer, port, secretFrom } from '../command-line/values.ts'
import { UsageError } from '../command-line/errors.ts'
import { frameworkIds } from '../command-line/frameworks.ts'
import { printMessage, writeJson } from '../output/output.ts'
import { failOn, formats, rehearseOrExplain } from '../session/rehearsal-run.ts'
import { endpointOf } from '../command-line/send-options.ts'
import { printList } from '../output/table.ts'
import { formatTime } from '../output/text.ts'

const words = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(',').flatMap((part) => part.trim() || []),
]

/** Unlike other lists, one without a case must not mean all: it may come from an empty variable of CI. */
const selection = (text: string, before: readonly string[] | undefined): string[] => {
  const cases = words(text, before)
  if (cases.length === 0) throw new UsageError('--only requires at least one case, such as S4.')
  return cases
}

function withReport<O extends OptionValues>(command: Command<[], O>) {
  return command
    .option(
      '--fail-on <result>',
      `Exit with 1 on: ${failOn.join(', ')} (default: fail)`,
      choice('--fail-on', failOn),
    )
    .option(
      '--format <format>',
      `With -o: format of the report, ${formats.join(' or ')}`,
      choice('--format', formats),
    )
    .option(
      '-o, --output <file>',
      'With --format: write a report to this file, and print the results',
    )
    .option('--force', 'Replace the file of -o if it exists')
    .option('--ephemeral', 'Use a temporary data folder that is deleted at exit')
}

const handlerOptions = withReport(
  defineCommand('run', 'Test a webhook handler with the cases of the catalogue', [
    ['Test a handler', 'rehearse --to http://127.0.0.1:3000/webhooks --secret-env WEBHOOK_SECRET'],
    [
      'Count effects with a query, so that duplicates are judged',
      'rehearse --to http://127.0.0.1:3000/webhooks --observe-command \'psql -At -c "select count(*) from orders" test\'',
    ],
    ['Repeat one case', 'rehearse --to http://127.0.0.1:3000/webhooks --only S4 --seed 7'],
    [
      'In CI, with a report that the CI shows',
      'rehearse --ephemeral --to http://127.0.0.1:3000/webhooks --secret-env WEBHOOK_SECRET --format junit -o rehearsal.xml',
    ],
  ])
    .option('--to <url>', 'URL of your webhook handler')
    .option('--endpoint <path>', 'Endpoint whose secret, brand and headers are used')
    .option('--secret <secret>', 'Secret to sign with')
    .option('--secret-env <name>', 'Environment variable that holds the secret')
    .option('--previous-secret-env <name>', 'Environment variable that holds the previous secret')
    .option('--only <cases>', 'Only these cases, such as S4,B* (repeatable)', selection)
    .option('--skip <cases>', 'Without these cases (repeatable)', words)
    .option(
      '--seed <number>',
      'Seed of the made-up identifiers (default: random)',
      integer('--seed', 0, 2 ** 31),
    )
    .option('--observe-command <command>', 'Command that prints the number of effects')
    .option('--acknowledges-first', 'The handler responds before it verifies the signature')
    .option('--accept <statuses>', 'Statuses that accept a delivery (default: any 2xx)', words)
    .option(
      '--framework <id>',
      `Framework of the fixes: ${frameworkIds.join(', ')}`,
      choice('--framework', frameworkIds),
    )
    .option('--load', 'Also run the cases with load')
    .option('--allow-target', 'Allow a target outside this machine and its network')
    .option(
      '--timeout <duration>',
      'Time limit of one request (default: 15s)',
      duration('--timeout', { from: 100, to: 120_000 }),
    ),
)

const run = handlerOptions.action(action((options) => rehearse(options)))

const list = defineCommand('list', 'List the cases of the catalogue', [
  ['List all cases', 'rehearse list'],
]).action(
  action(async () => {
    const [{ rehearsalCases }, { oauthCases }] = await Promise.all([
      import('#catalogue/rehearsal/cases.ts'),
      import('#catalogue/rehearsal/oauth-cases.ts'),
    ])
    const cases: readonly ListedCase[] = [
      ...rehearsalCases,
      ...oauthCases.map((each) => ({ ...each, group: 'oauth' })),
    ]
    printList(
      'rehearsal_case',
      cases.map(({ id, group, level, title, expected, why, basis, load, needsObserver }) => ({
        id,
        group,
        level,
        title,
        expected,
        why,
        basis,
        needsObserver: needsObserver ?? false,
        load: load ?? false,
      })),
      {
        ID: ({ id }) => id,
        Level: ({ level }) => level,
        Group: ({ group }) => group,
        Case: ({ title }) => title,
        Correct: ({ expected }) => expected,
      },
    )
  }),
)

const oauthOptions = withReport(
  defineCommand('oauth', 'Test your own OAuth client', [
    [
      'Begin each flow in a browser',
      'rehearse oauth --redirect-url http://127.0.0.1:3000/callback',
    ],
    [
      'Begin each flow with a request to your app',
      'rehearse oauth --start-url http://127.0.0.1:3000/login --call-url http://127.0.0.1:3000/locations',
    ],
    [
      'In CI, with an app that is configured for port 4790',
      'rehearse oauth --ephemeral --start-url http://127.0.0.1:3000/login --port 4790 --access-id ci --access-secret-env ACCESS_SECRET --format junit -o oauth.xml',
    ],
  ])
    .option(
      '--start-url <url>',
      'URL of your app that begins a flow (default: you begin each flow)',
    )
    .option('--call-url <url>', 'URL of your app that makes it call the API')
    .option('--redirect-url <url>', 'Redirect URL that your app must send')
    .option(
      '--port <port>',
      'Port of the authorization server (default: a free port)',
      port('--port'),
    )
    .option('--access-id <id>', 'Access ID of your app (default: made up)')
    .option(
      '--access-secret-env <name>',
      'Environment variable that holds the access secret (default: made up)',
    )
    .option('--only <cases>', 'Only these cases, such as O3,O1* (repeatable)', selection)
    .option('--skip <cases>', 'Without these cases (repeatable)', words)
    .option(
      '--flow-timeout <duration>',
      'A flow that has not begun after this time is skipped (default: 2m)',
      duration('--flow-timeout', { from: 50, to: 3_600_000 }),
    )
    .option(
      '--watch-time <duration>',
      'How long to watch for requests that must not happen (default: 5s)',
      duration('--watch-time', { from: 50, to: 60_000 }),
    )
    .option('--allow-target', 'Allow an app outside this machine and its network'),
)

const oauth = oauthOptions.action(action((options) => rehearseOauth(options)))

const runs = declare('runs', {
  does: 'List rehearsals, newest first',
  examples: [['List all runs', 'rehearse runs']],
  access: 'read',
  run: async (session) => {
    const { reported } = await import('#engine/handlers/rehearsal/report.ts')
    return (await session.call('rehearsals.list', { log: null })).map(reported)
  },
  print: (rehearsals) =>
    printList(
      'rehearsal_run',
      rehearsals,
      {
        ID: ({ id }) => id,
        Started: ({ startedAt }) => formatTime(startedAt),
        State: ({ state }) => state,
        Grade: ({ grade }) => grade,
        Passed: ({ counts }) => counts.pass,
        Failed: ({ counts: { fail, flaky } }) => fail + flaky,
        Target: ({ options: { url, oauth: client } }) => client?.startUrl ?? url,
      },
      'No rehearsals. To run one: tabscope rehearse --to URL',
    ),
})

export const command = group(
  'rehearse',
  'Test your own webhook handler or OAuth client',
  [run, oauth, list, runs],
  run,
)

interface ListedCase {
  readonly id: string
  readonly level: RehearsalLevel
  readonly group: string
  readonly title: string
  readonly expected: string
  readonly why: string
  readonly basis: string | null
  readonly load?: true
  readonly needsObserver?: true
}

type Values = ReturnType<typeof handlerOptions.opts>

type OauthValues = ReturnType<typeof oauthOptions.opts>

async function rehearse(values: Values): Promise<ExitCode> {
  const { to } = values
  if (to === undefined) {
    throw new UsageError(
      '--to is required: the URL of your webhook handler, such as http://127.0.0.1:3000/webhooks.',
    )
  }
  const secret = secretFrom('secret', values.secret, values.secretEnv)
  if (values.endpoint !== undefined && secret !== undefined) {
    throw new UsageError('Use --endpoint, or a secret, not both.')
  }
  const previousSecret = secretFrom('previous-secret', undefined, values.previousSecretEnv)
  const { observeCommand: command } = values
  const accept = (values.accept ?? []).map(integer('--accept', 100, 599))
  return rehearseOrExplain(values, async (session) => {
    const { endpoints } = await session.call('app.snapshot', {})
    const endpointId =
      values.endpoint === undefined ? null : endpointOf(endpoints, values.endpoint).id
    const started = await session.call('rehearsals.start', {
      url: to,
      endpointId,
      only: values.only,
      skip: values.skip,
      seed: values.seed ?? randomInt(2 ** 31),
      accept,
      acknowledgesFirst: values.acknowledgesFirst,
      observer: command === undefined ? { kind: 'none' } : { kind: 'command', command },
      load: values.load,
      allowTarget: values.allowTarget,
      secretOption: secretOption(values),
      requestTimeout: values.timeout,
      secret,
      previousSecret,
    })
    if (!started.hasSecret) {
      printMessage(
        'No secret is configured: the signature is not tested. Use --secret, --secret-env or --endpoint.',
      )
    }
    return started
  })
}

async function rehearseOauth(values: OauthValues): Promise<ExitCode> {
  const { startUrl = null, callUrl = null, redirectUrl = null } = values
  if (callUrl !== null && startUrl === null)
    throw new UsageError('--call-url requires --start-url.')
  const accessSecret = secretFrom('access-secret', undefined, values.accessSecretEnv)
  if (accessSecret !== undefined && accessSecret.length < 8) {
    throw new UsageError('The access secret must have at least 8 characters.')
  }
  return rehearseOrExplain(values, async (session) => {
    const { rehearsal, client } = await session.call('rehearsals.startOauth', {
      startUrl,
      callUrl,
      redirectUrl,
      port: values.port ?? 0,
      accessId: values.accessId ?? '',
      only: values.only,
      skip: values.skip,
      secretOption:
        values.accessSecretEnv === undefined
          ? ''
          : `--access-secret-env ${plainOrQuoted(values.accessSecretEnv)}`,
      allowTarget: values.allowTarget,
      flowTimeout: values.flowTimeout,
      watchTime: values.watchTime,
      accessSecret,
    })
    if (globals.json) writeJson('client', client)
    else {
      const secret = client.accessSecret ?? `the value of ${values.accessSecretEnv ?? ''}`
      printMessage('Configure your app with:')
      printMessage(`  Base URL:      ${client.baseUrl}`)
      printMessage(`  Access ID:     ${client.accessId}`)
      printMessage(`  Access secret: ${secret}`)
    }
    return rehearsal
  })
}

function secretOption({ secret, secretEnv, endpoint, previousSecretEnv }: Values): string {
  return Object.entries({
    '--secret': secret && '…',
    '--secret-env': secretEnv,
    '--endpoint': endpoint,
    '--previous-secret-env': previousSecretEnv,
  })
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${value === '…' ? value : plainOrQuoted(value)}`],
    )
    .join(' ')
}
