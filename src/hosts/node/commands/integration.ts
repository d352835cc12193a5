import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import type { Integration, Preflight, RefreshTemplate } from '#contract/integrations.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { choice, collect, duration, secretFrom } from '../command-line/values.ts'
import { readInputFile } from '../command-line/input-file.ts'
import { allIntegrations, findIntegration, withSession } from '../session/in-session.ts'
import { colored, print, printDetails } from '../output/output.ts'
import { printList } from '../output/table.ts'
import { facts, formatTime, secretText } from '../output/text.ts'
import { UsageError } from '../command-line/errors.ts'
import { jsonPosition } from '#shared/text/errors.ts'

const set = defineCommand('set', 'Create an integration, or change the one with this name', [
  [
    'Create one',
    'integration set --name "My bar" --base-url https://service.example --access-id ID --access-secret-env BAR_SECRET --redirect-url http://127.0.0.1:4781/callback',
  ],
  ['Change its access ID only', 'integration set --name "My bar" --access-id ID'],
  ['Refresh tokens ten minutes early', 'integration set --name "My bar" --due-before 10m'],
])
  .requiredOption('--name <name>', 'Name of the integration')
  .option('--brand <word>', 'Brand in X-<brand>-Signature and <brand>-WebhookAgent')
  .option('--base-url <url>', 'Base URL of the service')
  .option('--access-id <id>', 'Access ID of the client application')
  .option('--access-secret <secret>', 'Access secret; visible to other users in the process list')
  .option('--access-secret-env <variable>', 'Environment variable that holds the access secret')
  .option('--redirect-url <url>', 'Redirect URL, exactly as on the dashboard (repeatable)', collect)
  .option('--use-redirect-url <url>', 'Redirect URL to use for authorizations')
  .option('--refresh-template <file>', 'JSON file with the request that refreshes a token')
  .option(
    '--auto-refresh <on|off>',
    'Refresh tokens automatically',
    choice('--auto-refresh', ['on', 'off']),
  )
  .option(
    '--due-before <duration>',
    'How long before expiry a token is refreshed',
    duration('--due-before', { to: 86_400_000 }),
  )
  .action(
    action(async ({ name, redirectUrl: redirectUrls, ...options }) => {
      if (name.trim() === '') throw new UsageError('--name must not be empty.')
      const { brand, baseUrl, accessId, autoRefresh, dueBefore, refreshTemplate: file } = options
      const accessSecret = secretFrom(
        'access-secret',
        options.accessSecret,
        options.accessSecretEnv,
      )
      const template = file === undefined ? undefined : await readTemplate(file)
      const redirectUrl = options.useRedirectUrl ?? redirectUrls?.[0]
      const refresh = {
        automatic: autoRefresh && autoRefresh === 'on',
        dueBeforeSeconds: dueBefore && Math.round(dueBefore / 1000),
        template,
      }
      return withSession('create', async (session) => {
        const after = await session.call('integrations.set', {
          name,
          brand,
          baseUrl,
          accessId,
          accessSecret,
          redirectUrls,
          redirectUrl,
          refresh,
        })
        print('integration', after, () => integrationText(after))
      })
    }),
  )

const list = declare('list', {
  does: 'List integrations',
  examples: [['List all integrations', 'integration list']],
  access: 'read',
  run: allIntegrations,
  print: (integrations) =>
    printList('integration', integrations, {
      ID: ({ id }) => id,
      Name: ({ name }) => ['bold', name],
      Kind: ({ kind }) => kind,
      'Base URL': ({ baseUrl }) => baseUrl || 'not set',
      'Access ID': ({ accessId }) => accessId || 'not set',
      'Redirect URL': ({ redirectUrl }) => redirectUrl || 'not set',
    }),
})

const ofIntegration = {
  usage: '<name>',
  descriptions: { id: 'Name of an integration' },
  names: 'integration',
} as const

const show = defineCommand('show', 'Show an integration; its secret is masked', [
  ['Show an integration', 'integration show "My bar"'],
])
  .argument('<name>', 'Name of an integration')
  .action(
    action((name) =>
      withSession('read', async (session) => {
        const found = findIntegration(await allIntegrations(session), name)
        printDetails('integration', found, () => integrationText(found))
      }),
    ),
  )

const check = declare('check', {
  does: 'Check whether an authorization can start; exit code 1 if not',
  examples: [['Check an integration', 'integration check "My bar"']],
  call: 'integrations.preflight',
  ...ofIntegration,
  access: 'read',
  print: (preflight, { id }) => {
    print('preflight', { ...preflight, integrationId: id }, () => preflightText(preflight))
    return preflight.ready ? 0 : 1
  },
})

const remove = declare('remove', {
  does: 'Delete an integration with its tokens and runs',
  examples: [
    ['Delete it after confirmation', 'integration remove "My bar"'],
    ['Delete it without confirmation', 'integration remove "My bar" --yes'],
  ],
  call: 'integrations.remove',
  ...ofIntegration,
  confirm: async (session, { id }) => {
    const name = (await allIntegrations(session)).find((each) => each.id === id)?.name
    const tokens = (await session.call('tokens.list', { integrationId: id })).length
    const also = tokens === 0 ? 'its runs' : plural(tokens, 'token', 'tokens')
    return `Removing "${name}" also deletes ${also}.`
  },
  print: removed('integration'),
})

export const command = group('integration', 'Manage client applications of the service', [
  set,
  list,
  show,
  check,
  remove,
])

const templateHint =
  'To start from the current template, copy refresh.template from: tabscope integration show NAME --json'

async function readTemplate(file: string): Promise<RefreshTemplate> {
  const text = (await readInputFile(file)).toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new AppError('bad_input', `${file} is not JSON${jsonPosition(error)}. ${templateHint}`, {
      cause: error,
    })
  }
  const { RefreshTemplate: Template } = await import('#contract/integrations.ts')
  const parsed = Template.safeParse(json)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.flatMap(({ path: [first] }) => (first ? [String(first)] : []))
  const detail = fields.length === 0 ? '' : `: invalid ${[...new Set(fields)].join(', ')}`
  throw new AppError('bad_input', `${file} is not a refresh template${detail}. ${templateHint}`, {
    cause: parsed.error,
  })
}

function integrationText(integration: Integration): string {
  const { accessSecret, redirectUrl, redirectUrls, refresh } = integration
  const { template } = refresh
  return facts([
    ['ID', integration.id],
    ['Name', integration.name],
    ['Kind', integration.kind === 'sandbox' ? 'built-in sandbox' : null],
    ['Brand', integration.brand],
    ['Base URL', integration.baseUrl || 'not set'],
    ['Access ID', integration.accessId || 'not set'],
    ['Access secret', secretText(accessSecret)],
    ...redirectUrls.map(
      (url) => ['Redirect URL', url === redirectUrl ? `${url} (used)` : url] as const,
    ),
    ...(redirectUrls.length === 0 ? [['Redirect URL', 'not set'] as const] : []),
    [
      'Refresh request',
      `${template.method} ${template.path} (assumed: the API documentation describes none)`,
    ],
    [
      'Refresh',
      refresh.provenAt === null
        ? 'manual, until a refresh has succeeded'
        : `${refresh.automatic ? 'automatic' : 'manual'}, last succeeded ${formatTime(refresh.provenAt)}`,
    ],
    ['Due', `${refresh.dueBeforeSeconds} s before a token expires`],
  ])
}

const marks = { ok: ['green', '✓'], warning: ['yellow', '!'], error: ['red', '✗'] } as const

const redirectModes = {
  served: 'Tabscope receives the redirect while an authorization runs.',
  paste: 'Tabscope cannot receive the redirect: paste the URL that the browser is redirected to.',
} as const

function preflightText({ checks, ready, redirectUrl, redirectMode }: Preflight): string {
  const warnings = checks.filter(({ outcome }) => outcome === 'warning').length
  return [
    ...checks.map(({ outcome, message, suggestion }) => {
      const text = suggestion === null ? message : `${message} (${suggestion})`
      return `${colored(marks[outcome][0], marks[outcome][1])} ${escapeControls(text)}`
    }),
    ...(redirectUrl === ''
      ? []
      : [
          `The dashboard must list exactly: ${escapeControls(redirectUrl)}`,
          redirectModes[redirectMode],
        ]),
    ready
      ? `Ready to authorize${warnings === 0 ? '' : `, ${plural(warnings, 'warning', 'warnings')}`}.`
      : 'Not ready to authorize.',
  ].join('\n')
}
