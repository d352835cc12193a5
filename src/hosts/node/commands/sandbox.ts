import { escapeControls } from '#shared/text/visible.ts'
import { faults } from '#sandbox/service/faults.ts'
import type { Service, DeliveryReport } from '#sandbox/service/service.ts'
import { SandboxError } from '#sandbox/errors.ts'
import { action, defineCommand } from '../command-line/command.ts'
import {
  choice,
  collect,
  collected,
  decimal,
  duration,
  port,
  secretFrom,
} from '../command-line/values.ts'
import { asStarted } from '../command-line/io.ts'
import { colored, print } from '../output/output.ts'
import { announce, failedListener } from '../session/running.ts'
import { expectStop } from '../session/stop.ts'
import { UsageError } from '../command-line/errors.ts'

const year = 31_536_000_000

const withOptions = defineCommand(
  'sandbox',
  'Run a simulator of the service, with credentials for testing a client',
  [
    ['Print a base URL and credentials that work until it stops', 'sandbox'],
    [
      'Send signed webhooks to a handler, 5 per second',
      'sandbox --webhook-url http://127.0.0.1:3000/hooks --secret-env HOOK_SECRET --rate 5',
    ],
    ['Make the token endpoint fail', 'sandbox --fault server_error --token-lifetime 2m'],
  ],
)
  .option('--port <port>', 'Port of the sandbox (0: any free port)', port('--port'), 0)
  .option('--redirect-url <url>', 'Allowed redirect URL (repeatable)', collect)
  .option(
    '--token-lifetime <duration>',
    'Lifetime of access tokens (default: 24h)',
    duration('--token-lifetime', { from: 1000, to: year }),
  )
  .option(
    '--fault <name>',
    `Fault to simulate (repeatable):  ${faults.join(', ')}`,
    collected(choice('--fault', faults)),
  )
  .option('--webhook-url <url>', 'Send webhooks to this URL')
  .option('--secret <secret>', 'Secret to sign webhooks with')
  .option('--secret-env <name>', 'Environment variable that holds the secret')
  .option('--rate <count>', 'Webhooks per second (default: 1)', decimal('--rate', 0, 10_000))

export const command = withOptions.action(action((values) => sandbox(values)))

type Values = ReturnType<typeof withOptions.opts>

async function sandbox(values: Values): Promise<0> {
  const webhook = webhookOf(values)
  const rate = values.rate ?? (webhook === null ? 0 : 1)
  if (rate > 0 && webhook === null) throw new UsageError('--rate requires --webhook-url URL.')
  const [{ openService }, { freePort, placeholderRedirectUrl }] = await Promise.all([
    import('#sandbox/service/service.ts'),
    import('#sandbox/service-control.ts'),
  ])
  const redirectUrls = values.redirectUrl ?? [
    `http://127.0.0.1:${await freePort()}/callback`,
    placeholderRedirectUrl,
  ]
  const stop = expectStop()
  const { tokenLifetime } = values
  const service = await openService({
    port: values.port,
    redirectUrls,
    faults: faults.filter((fault) => values.fault?.includes(fault)),
    webhook,
    onDelivery: report,
    ...(tokenLifetime === undefined ? {} : { tokenLifetime: Math.round(tokenLifetime / 1000) }),
  }).catch(async (error: unknown) => {
    if (!(error instanceof SandboxError) || error.code !== 'port_in_use') throw error
    const { describeFailure } = await import('#engine/receiving/listener/listening/listening.ts')
    const failed = await describeFailure(values.port, error.cause)
    throw new SandboxError('port_in_use', await failedListener(failed), { cause: error })
  })
  const { baseUrl, accessId } = service.state()
  const { accessSecret } = service
  announce('ready', { baseUrl, accessId, accessSecret, redirectUrls }, [introduction(service)])
  if (rate > 0) await service.startTraffic(rate)
  await stop.until(() => service.close())
  return 0
}

function webhookOf({ webhookUrl: url, secret: given, secretEnv }: Values) {
  const secret = secretFrom('secret', given, secretEnv)
  if (url !== undefined) return { url, secret: secret ?? null }
  if (secret !== undefined) throw new UsageError('--secret requires --webhook-url URL.')
  return null
}

/** The secret is valid only as long as the sandbox runs, so it is printed. */
function introduction(service: Service): string {
  const { baseUrl, accessId, redirectUrls, faults: active } = service.state()
  const { accessSecret } = service
  const [first = '', ...others] = redirectUrls
  const more = others.map((url) => `                 ${url}\n`).join('')
  const on = active.length > 0 ? `Active faults: ${active.join(', ')}\n` : ''
  return `The sandbox is running.

  base URL       ${baseUrl}
  access ID      ${accessId}
  access secret  ${accessSecret}
  redirect URLs  ${first}
${more}
To use them in Tabscope: ${asStarted('tabscope help integration set')}

${on}Press Ctrl+C to stop. The credentials are valid until then.`
}

function report({ url, type, outcome }: DeliveryReport): void {
  const { status, ok, error, ms, bytes, sha256 } = outcome
  print(
    'webhook',
    {
      url,
      type,
      status,
      ok,
      durationMs: ms,
      bytes,
      sha256,
      error: status === null && error !== null ? { code: 'no_response', message: error } : null,
    },
    () => {
      const mark = ok ? colored('green', '✓') : colored('red', '✗')
      return `${mark} ${colored('bold', type.padEnd(18))} ${escapeControls(error ?? String(status))}`
    },
  )
}
