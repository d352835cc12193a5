import { Option } from '@commander-js/extra-typings'
import type { DraftContent } from '#contract/compose.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { choice, deliveryId } from '../command-line/values.ts'
import { sessionDeliveryIds } from '../session/delivery-ids.ts'
import { withSession } from '../session/in-session.ts'
import { isFile, logOf } from '../session/log-option.ts'
import { named } from '../command-line/nearest.ts'
import { printMessage } from '../output/output.ts'
import { printAttempt, sendOne } from '../session/send-one.ts'
import {
  bytesOf,
  endpointOf,
  signOf,
  withEdits,
  withSendOptions,
} from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { UsageError } from '../command-line/errors.ts'

const origins = ['type', 'from', 'template', 'fromCurl'] as const

function others(name: (typeof origins)[number]): string[] {
  return origins.filter((each) => each !== name)
}

export const command = withSendOptions(
  defineCommand('compose', 'Send a sample, a template, a file or an edited delivery', [
    ['Send a sample', 'compose --type ORDER_PLACED --to http://127.0.0.1:3000/webhooks'],
    [
      'Send a delivery with a different total, signed again',
      'compose --from latest --set data.total=0 --to http://127.0.0.1:3000',
    ],
    [
      'Send the request of a cURL command, signed again',
      'compose --from-curl command.txt --to http://127.0.0.1:3000/webhooks',
    ],
    ['Send the output of another command', 'compose --body - --to http://127.0.0.1:3000/webhooks'],
  ]),
)
  .addOption(
    new Option('--type <type>', 'Start from a sample of an event type').conflicts(others('type')),
  )
  .addOption(
    new Option('--from <delivery>', 'Start from a delivery: its ID, or latest')
      .argParser(deliveryId)
      .conflicts(others('from')),
  )
  .option('--log <log>', 'With --from: event log of the delivery: its file, ID or name')
  .addOption(new Option('--template <name>', 'Start from a template').conflicts(others('template')))
  .addOption(
    new Option(
      '--from-curl <command>',
      'Start from a cURL command: its text, a file that contains it, or - for stdin',
    ).conflicts(others('fromCurl')),
  )
  .option('--method <method>', 'Method of the request')
  .option('--endpoint <path>', 'Endpoint whose brand and secrets are used (default: the first)')
  .option('--placeholders', 'Fill in {{uuid}}, {{now}} and {{counter}}')
  .action(
    action(async (options) => {
      const { to, set = [], body: file, log } = options
      await checkOptions(options)
      const curl = await curlCommand(options.fromCurl)
      const body = await bytesOf(file)
      return await withSession(accessFor(options), async (session) => {
        const { endpoints } = await session.call('app.snapshot', {})
        const endpoint =
          options.endpoint === undefined ? null : endpointOf(endpoints, options.endpoint)
        const logId = await logOf(session, log)
        const started = await begin(
          session,
          { ...options, curl },
          { endpointId: endpoint?.id ?? null, logId },
        )
        const content = await withEdits(
          session,
          {
            ...started.content,
            endpointId: endpoint?.id ?? started.content.endpointId,
            url: to ?? started.content.url,
            method: options.method?.toUpperCase() ?? started.content.method,
            placeholders: options.placeholders ?? started.content.placeholders,
          },
          { set, body, headers: options.header ?? [], sign: signOf(options, endpoints) },
          logId,
        )
        if (content.url === '') throw new UsageError('compose requires --to.')
        const id = started.id ?? (await draftFor(session, content))
        const { attempt, exitCode } = await sendOne(session, options, (key) =>
          session.call('compose.send', {
            id,
            content,
            timeout: Math.ceil(options.timeout),
            insecure: options.insecure ?? false,
            key,
          }),
        )
        await printAttempt(session, attempt)
        return exitCode
      })
    }),
  )

interface Origin {
  readonly type?: string | undefined
  readonly from?: number | 'latest' | undefined
  readonly template?: string | undefined
  readonly body?: string | undefined
  readonly fromCurl?: string | undefined
}

/** Stored data requires an existing data folder. */
function accessFor({ from, template, log }: Parameters<typeof checkOptions>[0]) {
  return (from === undefined && template === undefined) || isFile(log) ? 'create' : 'change'
}

async function checkOptions(options: Origin & { log?: string | undefined }): Promise<void> {
  const { type, from, template, body, log, fromCurl } = options
  if ([type, from, template, body, fromCurl].every((each) => each === undefined)) {
    throw new UsageError('compose requires --type, --from, --template, --from-curl or --body.')
  }
  if (fromCurl === '-' && body === '-') {
    throw new UsageError('Use - once: stdin can be read only once.')
  }
  if (log !== undefined && from === undefined) throw new UsageError('--log requires --from.')
  if (type === undefined) return
  const { eventTypes } = await import('#catalogue/catalogue.ts')
  choice(
    '--type',
    eventTypes.map((each) => each.type),
  )(type)
}

async function curlCommand(given: string | undefined): Promise<string | undefined> {
  if (given === undefined || (/\s/.test(given) && !isFile(given))) return given
  return Buffer.from((await bytesOf(given)) ?? []).toString('utf8')
}

interface DraftStart {
  readonly id: number | undefined
  readonly content: DraftContent
}

async function begin(
  session: Session,
  { type, from, template, body, curl }: Origin & { curl: string | undefined },
  { endpointId, logId }: { endpointId: number | null; logId: number | null },
): Promise<DraftStart> {
  if (template !== undefined) return templateNamed(session, template)
  const start = async (
    origin: Parameters<typeof session.call<'compose.start'>>[1]['from'],
  ): Promise<DraftStart> => ({
    id: undefined,
    content: await session.call('compose.start', { from: origin, endpointId }),
  })
  if (from !== undefined) {
    const [id = 0] = await sessionDeliveryIds(session, [from], logId)
    return start({ kind: 'delivery', id, log: logId })
  }
  if (curl !== undefined) {
    const { content, ignored } = await session.call('compose.curl', { command: curl, endpointId })
    if (ignored.length > 0) printMessage(escapeControls(`Not taken over: ${ignored.join(', ')}`))
    return { id: undefined, content }
  }
  if (type !== undefined) return start({ kind: 'sample', type })
  const name = body === '-' ? 'stdin' : (body ?? '')
  return start({ kind: 'file', name: name.slice(-300), bytes: new Uint8Array() })
}

async function templateNamed(session: Session, name: string): Promise<DraftStart> {
  const drafts = await session.call('compose.list', {})
  const templates = drafts.filter((draft) => draft.name !== null)
  const { id } = named('Template', name, templates, (each) => [each.name ?? ''])
  return session.call('compose.get', { id })
}

/** An earlier draft with the same origin and URL, so that attempts can be compared, else a new one. */
async function draftFor(session: Session, content: DraftContent): Promise<number | undefined> {
  if (content.origin.kind === 'delivery') return undefined
  const { origin, url } = content
  const drafts = await session.call('compose.list', {})
  const before = drafts.find(
    (draft) =>
      draft.name === null &&
      draft.url === url &&
      JSON.stringify(draft.origin) === JSON.stringify(origin),
  )
  const { id } = await session.call('compose.save', {
    ...(before ? { id: before.id } : {}),
    content,
  })
  return id
}
