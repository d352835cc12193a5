import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Option } from '@commander-js/extra-typings'
import type { ApiExchange } from '#contract/api.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { redirectLocation } from '#shared/text/address.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { headersOf, queryOf, withType } from '../command-line/call-request.ts'
import { cancellable } from '../session/stop.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { collect, duration, id } from '../command-line/values.ts'
import { defaultToken, tokenById } from '../output/token-text.ts'
import { readInputFile } from '../command-line/input-file.ts'
import {
  allIntegrations,
  findIntegration,
  selectIntegration,
  withSession,
} from '../session/in-session.ts'
import { bodyJson, printMessage, writeBytes, writeJson, headerLines } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { UsageError } from '../command-line/errors.ts'
import { io } from '../command-line/io.ts'

export const command = defineCommand(
  'call',
  'Send a request to the service with a token, and print the response body',
  [
    ['Use the newest valid token', 'call GET /api/locations'],
    [
      'Send a JSON body and a query parameter',
      `call POST /api/orders --query dryRun=true --body '{"table":"T4"}'`,
    ],
    [
      'Send a file, and print the response with its headers',
      'call PUT /api/menu --body @menu.json --include',
    ],
  ],
)
  .argument('<method>', 'HTTP method')
  .argument('<path>', 'Path relative to the base URL of the integration, or a complete URL')
  .option('--body <text>', 'Request body: text, @FILE, or @- for stdin')
  .option('--header <header>', 'Header as "Name: value" (repeatable)', collect)
  .option('--query <parameter>', 'Query parameter as name=value (repeatable)', collect)
  .option('--integration <name>', 'Integration to use; required if there are several')
  .option('--token <id>', 'Token ID (default: the newest valid token)', id)
  .option('--no-token', 'Send no token')
  .option(
    '--allow-other-origin',
    'Send the token even to an origin other than that of the base URL',
  )
  .addOption(
    new Option('--timeout <duration>', 'How long to wait for the response')
      .argParser(duration('--timeout', { from: 1, to: 600_000 }))
      .default(30_000, '30s'),
  )
  .option('--include', 'Print the status line and headers before the body')
  .action(
    action(async (method, path, options) => {
      if (timesGiven('--token') > 0 && timesGiven('--no-token') > 0) {
        throw new UsageError('Use --token or --no-token, not both.')
      }
      if (options.include && globals.json) {
        throw new UsageError('Use --include or --json, not both.')
      }
      const query = queryOf(options.query ?? [])
      const headers = headersOf(options.header ?? [])
      const body = await bodyOf(options.body)
      return withSession('create', async (session) => {
        const { integration, token } = await callerOf(session, options)
        const key = randomUUID()
        let interrupted = false
        const exchange = await cancellable(
          () => {
            interrupted = true
            return session.call('api.cancel', { key })
          },
          () =>
            session.call('api.send', {
              integrationId: integration.id,
              tokenId: token?.id ?? null,
              method: method.toUpperCase(),
              path,
              query,
              headers: withType(headers, body),
              body,
              allowOtherOrigin: options.allowOtherOrigin ?? false,
              timeout: Math.round(options.timeout),
              key,
            }),
        )
        const received = await storedBody(session, exchange)
        if (globals.json) writeJson('response', { ...exchange, ...bodyJson(received) })
        else {
          if (options.include) await writeBytes(Buffer.from(headText(exchange)))
          await writeBytes(received)
          for (const line of resultLines(exchange, token)) printMessage(line)
        }
        return exitCode(exchange, interrupted)
      })
    }),
  )

function exitCode({ status, error }: ApiExchange, interrupted: boolean): ExitCode {
  if (interrupted && (status === null || error !== null)) return 130
  return status !== null && status < 400 ? 0 : 1
}

function timesGiven(option: string): number {
  const end = io.argv.indexOf('--')
  return io.argv
    .slice(2, end === -1 ? undefined : end)
    .filter((word) => word === option || word.startsWith(`${option}=`)).length
}

async function bodyOf(given: string | undefined): Promise<string> {
  if (given === undefined || !given.startsWith('@')) return given ?? ''
  const file = given.slice(1)
  const bytes = file === '-' ? await buffer(io.stdin) : await readInputFile(file)
  if (!isUtf8(bytes)) {
    throw new AppError('bad_input', `${file === '-' ? 'Standard input' : file} is not UTF-8 text.`)
  }
  return bytes.toString('utf8')
}

async function callerOf(
  session: Session,
  wanted: { integration?: string | undefined; token?: number | boolean | undefined },
): Promise<{ integration: Integration; token: TokenView | null }> {
  const integrations = await allIntegrations(session)
  const tokens = await session.call('tokens.list', {})
  if (typeof wanted.token === 'number') {
    const token = tokenById(tokens, wanted.token)
    const integration = integrations.find(({ id: each }) => each === token.integrationId)
    if (!integration) throw new AppError('not_found', `Token ${token.id} has no integration.`)
    const { integration: name } = wanted
    if (name !== undefined && findIntegration(integrations, name) !== integration) {
      throw new UsageError(`Token ${wanted.token} belongs to "${integration.name}".`)
    }
    return { integration, token }
  }
  const integration = selectIntegration(integrations, wanted.integration)
  const own = tokens.filter(({ integrationId }) => integrationId === integration.id)
  return { integration, token: wanted.token === false ? null : defaultToken(own, Date.now()) }
}

const sliceBytes = 4 * 1024 * 1024

async function storedBody(session: Session, { id, storedBytes }: ApiExchange): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < storedBytes;) {
    const { bytes } = await session.call('api.body', { id, offset, length: sliceBytes })
    if (bytes.byteLength === 0) break
    parts.push(bytes)
    offset += bytes.byteLength
  }
  return Buffer.concat(parts)
}

function headText({ hops }: ApiExchange): string {
  const response = hops.at(-1)?.response
  if (!response) return ''
  const { httpVersion, status, statusText, headers } = response
  const first =
    `HTTP/${escapeControls(httpVersion)} ${status} ${escapeControls(statusText)}`.trimEnd()
  return [first, ...headerLines(headers), '', ''].join('\n')
}

function resultLines(
  { status, hops, durationMs, error, advice, bodyNote }: ApiExchange,
  token: TokenView | null,
): string[] {
  const response = hops.at(-1)?.response ?? null
  const statusText = response?.statusText ?? ''
  const location = response && redirectLocation(response)
  const through = hops.at(-1)?.proxy
  const sender = token
    ? `with token ${token.id}${token.label ? ` (${escapeControls(token.label)})` : ''}`
    : 'without a token'
  return [
    ...hops.slice(1).map(({ request }) => `Retried: ${escapeControls(request.url)}`),
    ...(bodyNote === undefined ? [] : [escapeControls(bodyNote)]),
    status === null
      ? escapeControls(error ?? 'No response.')
      : `${status} ${escapeControls(statusText)}`.trimEnd() +
        ` in ${Math.round(durationMs)} ms, ${sender}${through === undefined ? '' : `, through the proxy ${through}`}`,
    ...(location ? [`Not followed: ${escapeControls(location)}`] : []),
    ...(status !== null && error !== null ? [escapeControls(error)] : []),
    ...(advice
      ? [
          `${escapeControls(advice.message)} (API documentation, "${escapeControls(advice.section)}")`,
        ]
      : []),
  ]
}
