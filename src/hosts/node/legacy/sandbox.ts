import { describeFailure } from '#engine/listening/listening.ts'
import { SandboxError } from '#sandbox/errors.ts'
import { checkRate } from '#sandbox/run.ts'
import { freePort, unserved } from '#sandbox/service-control.ts'
import { faultsNamed } from '#sandbox/service/faults.ts'
import { openService, type Service } from '#sandbox/service/service.ts'
import type { Delivered } from '#sandbox/service/webhooks.ts'
import { printable } from '../../printable.ts'
import { parse, secretOf, secretOptions, wholeNumber } from '../options.ts'
import { coloured, say, writeJson, writeLine } from '../output.ts'
import { expectStop } from '../stop.ts'
import { UsageError } from '../usage-error.ts'
import { failedListener } from './running.ts'

/** `sandbox`: the service in miniature until it is stopped. It is thrown away after use, so its secret is printed. */
export async function sandbox(args: string[]): Promise<number> {
  const { values } = parse(args, {
    ...secretOptions,
    port: { type: 'string' },
    'webhook-url': { type: 'string' },
    'redirect-url': { type: 'string', multiple: true },
    'token-lifetime': { type: 'string' },
    fault: { type: 'string', multiple: true },
    rate: { type: 'string' },
  })
  const json = values.json ?? false
  const port = wholeNumber('port', values.port, 0, 65535) ?? 0
  const tokenLifetime = wholeNumber('token-lifetime', values['token-lifetime'], 1, 31_536_000)
  const webhook = webhookOf(values['webhook-url'], secretOf(values))
  const rate = rateOf(values.rate, webhook !== null)
  const faults = faultsNamed(values.fault ?? [])
  const redirectUrls = values['redirect-url'] ?? [
    `http://127.0.0.1:${await freePort()}/callback`,
    unserved,
  ]
  const stop = expectStop()
  const service = await openService({
    port,
    redirectUrls,
    faults,
    webhook,
    onDelivery: (delivered) => report(delivered, json),
    ...(tokenLifetime === undefined ? {} : { tokenLifetime }),
  }).catch(async (error: unknown) => {
    if (!(error instanceof SandboxError) || error.code !== 'port_in_use') throw error
    const failed = await describeFailure(port, error.cause)
    throw new SandboxError('port_in_use', failedListener(failed, ['sandbox', args]), {
      cause: error,
    })
  })
  if (json) {
    const { baseUrl, accessId } = service.state()
    const { accessSecret } = service
    writeJson({ event: 'ready', baseUrl, accessId, accessSecret, redirectUrls })
  } else say(introduction(service))
  if (rate > 0) await service.startEvening(rate)
  await stop.until(() => service.close())
  return 0
}

function webhookOf(url: string | undefined, secret: string | undefined) {
  if (url !== undefined) return { url, secret: secret ?? null }
  if (secret !== undefined)
    throw new UsageError('--secret signs what goes to a webhook: give --webhook-url, too.')
  return null
}

/** Deliveries a second; 0: none is sent unless the dashboard is asked to. */
function rateOf(text: string | undefined, hasWebhook: boolean): number {
  if (text === undefined) return hasWebhook ? 1 : 0
  if (!hasWebhook)
    throw new UsageError('--rate is of what goes to a webhook: give --webhook-url, too.')
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--rate needs deliveries a second, not "${text}".`)
  const rate = Number(text)
  if (rate > 0) checkRate(rate)
  return rate
}

function introduction(service: Service): string {
  const { baseUrl, dashboardUrl, accessId, redirectUrls, faults } = service.state()
  const { accessSecret } = service
  const [first = '', ...others] = redirectUrls
  const more = others.map((url) => `                 ${url}\n`).join('')
  const on = faults.length > 0 ? `Faults that are on: ${faults.join(', ')}\n` : ''
  return `The sandbox, the service in miniature, with its dashboard: ${dashboardUrl}

  base URL       ${baseUrl}
  access id      ${accessId}
  access secret  ${accessSecret}
  redirect URLs  ${first}
${more}
To use them in Tabscope:

  ${settingCommand({ baseUrl, accessId, accessSecret, redirectUrl: first })}

${on}Ctrl+C stops it, and all of this is forgotten.`
}

/** Takes the values over. The secret goes by the environment: a command line can be read by others. */
function settingCommand(values: {
  baseUrl: string
  accessId: string
  accessSecret: string
  redirectUrl: string
}): string {
  const { baseUrl, accessId, accessSecret, redirectUrl } = values
  const name = 'TABSCOPE_SANDBOX_SECRET'
  const variable =
    process.platform === 'win32'
      ? `$env:${name} = ${quoted(accessSecret)};`
      : `${name}=${quoted(accessSecret)}`
  return (
    `${variable} tabscope integration set --name Sandbox --base-url ${quoted(baseUrl)} ` +
    `--access-id ${quoted(accessId)} --access-secret-env ${name} --redirect-url ${quoted(redirectUrl)}`
  )
}

/** As one word of a shell. In single quotes nothing has a meaning but the quote itself. */
function quoted(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text
  const quote = process.platform === 'win32' ? "''" : `'\\''`
  return `'${text.replaceAll("'", quote)}'`
}

function report({ type, outcome }: Delivered, json: boolean): void {
  const { status, ok, error } = outcome
  if (json) return writeJson({ event: 'webhook', type, status, ok })
  const mark = ok ? coloured('green', '✓') : coloured('red', '✗')
  writeLine(`${mark} ${coloured('bold', type.padEnd(18))} ${printable(error ?? String(status))}`)
}
