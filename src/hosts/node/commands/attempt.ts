import type { Attempt } from '#contract/sending.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import type { AttemptsInput } from '#engine/sending/store/attempts.ts'
import { allAttempts, attemptColumns, attemptJson, attemptText } from '../output/attempt-text.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { collected, deliveryId, id, integer } from '../command-line/values.ts'
import { forEachOf, sessionDeliveryIds } from '../session/delivery-ids.ts'
import { logDescription, withLog } from '../session/log-option.ts'
import { printDetails, printMessage, headerLines, writeJson } from '../output/output.ts'
import { printTable } from '../output/table.ts'

const shownBytes = 1024 * 1024

const list = defineCommand('list', 'List requests that were sent, newest first', [
  ['The newest 50', 'attempt list'],
  ['Attempts to send one delivery', 'attempt list --delivery 12'],
  ['Attempts of one job, as JSON', 'attempt list --job 3 --limit 1000 --json'],
])
  .option(
    '--delivery <delivery>',
    'Only attempts to send this delivery: its ID, or latest',
    deliveryId,
  )
  .option('--job <job>', 'Only attempts of this job', id)
  .option(
    '-n, --limit <count>',
    'Maximum number of attempts',
    integer('--limit', 1, 10_000_000),
    50,
  )
  .option('--log <log>', logDescription)
  .action(
    action(({ delivery, job: jobId, limit, log: word }) => {
      return withLog(word, async (session, log) => {
        const words = delivery === undefined ? [] : [delivery]
        const [of] = await sessionDeliveryIds(session, words, log)
        if (of !== undefined) await session.call('deliveries.get', { id: of, log })
        const read = (input: AttemptsInput) => session.call('attempts.list', { ...input, log })
        const { rows, total, notForwarded } = await allAttempts(
          read,
          { deliveryId: of, jobId },
          limit,
        )
        printTable('attempt', rows, attemptColumns, (row) => row)
        for (const reason of notForwarded) {
          if (globals.json) writeJson('not_forwarded', { deliveryId: of ?? 0, reason })
          else printMessage(escapeControls(`Delivery ${of} was not forwarded: ${reason}`))
        }
        if (rows.length + notForwarded.length === 0) {
          printMessage(`No attempts. To send a delivery: tabscope resend ${of ?? 'ID'}`)
        } else if (total > rows.length) {
          printMessage(
            `${rows.length} of ${plural(total, 'attempt', 'attempts')}. Use --limit N for more.`,
          )
        }
      })
    }),
  )

const show = defineCommand(
  'show',
  'Show the request and the response of attempts, with bodies and timings',
  [['One attempt', 'attempt show 7']],
)
  .argument('<attempt...>', 'Attempt IDs', collected(id))
  .option('--log <log>', logDescription)
  .action(
    action((ids, { log: word }) =>
      withLog(word, async (session, log) => {
        const { bodyText } = await import('../output/delivery-detail.ts')
        const shown: number[] = []
        await forEachOf('Attempt', ids, async (each) => {
          const attempt = await session.call('attempts.get', { id: each, log })
          const bodyOf = async (which: 'request' | 'response'): Promise<Uint8Array> =>
            (
              await session.call('attempts.body', {
                id: each,
                log,
                which,
                offset: 0,
                length: shownBytes,
              })
            ).bytes
          const { request, response } = attempt
          const body = response === null ? new Uint8Array() : await bodyOf('response')
          const sent = await bodyOf('request')
          printDetails('attempt', attemptJson(attempt, body), () => {
            const parts = [
              attemptText(attempt),
              messageText(`${attempt.method} ${request.target} HTTP/1.1`, request),
              bodyText(sent),
              ...(response === null
                ? []
                : [
                    messageText(
                      `HTTP/${response.httpVersion} ${response.status} ${response.statusText}`,
                      response,
                    ),
                    bodyText(body),
                  ]),
            ]
            return `${shown.length === 0 ? '' : '\n'}${parts.join('\n\n')}`
          })
          shown.push(each)
        })
      }),
    ),
  )

function messageText(first: string, { headers }: Pick<Attempt['request'], 'headers'>): string {
  return [escapeControls(first), ...headerLines(headers)].join('\n')
}

export const command = group('attempt', 'List and show requests that were sent', [list, show])
