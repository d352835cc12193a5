import type { Attempt } from '#contract/sending.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { AttemptsInput, AttemptsPage } from '#engine/sending/store/attempts.ts'
import { allAttempts, attemptColumns, attemptJson, attemptText } from '../attempt-text.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { collected, deliveryId, id, integer } from '../command-line/values.ts'
import { sessionDeliveryIds } from '../delivery-ids.ts'
import { withSession } from '../in-session.ts'
import { logDescription, withLog } from '../log-option.ts'
import { printDetails, printMessage, headerLines } from '../output.ts'
import type { Session } from '../session.ts'
import { printTable } from '../table.ts'

/** Of a body; responses are stored only up to it. */
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
      if (word === undefined && delivery === undefined) {
        return withSession('read', async (session) => {
          const read = (input: AttemptsInput) => session.call('attempts.list', input)
          printAttempts(await allAttempts(read, { jobId }, limit))
        })
      }
      return withLog(word, async (session, log) => {
        const words = delivery === undefined ? [] : [delivery]
        const [of] = await sessionDeliveryIds(session, words, log)
        if (of !== undefined) await session.call('deliveries.get', { id: of, log })
        const read = (input: AttemptsInput) => session.call('attempts.list', { ...input, log })
        printAttempts(await allAttempts(read, { deliveryId: of, jobId }, limit))
      })
    }),
  )

function printAttempts({ rows, total }: Pick<AttemptsPage, 'rows' | 'total'>): undefined {
  printTable('attempt', rows, attemptColumns, (row) => row)
  if (rows.length === 0) printMessage('No attempts. To send a delivery: tabscope resend ID')
  else if (total > rows.length) {
    printMessage(
      `${rows.length} of ${plural(total, 'attempt', 'attempts')}. Use --limit N for more.`,
    )
  }
}

const show = defineCommand(
  'show',
  'Show the request and the response of attempts, with bodies and timings',
  [
    ['One attempt', 'attempt show 7'],
    ['As JSON', 'attempt show 7 --json'],
  ],
)
  .argument('<attempt...>', 'Attempt IDs', collected(id))
  .option('--log <log>', logDescription)
  .action(
    action((ids, { log: word }) =>
      withLog(word, async (session, log) => {
        const { bodyText } = await import('../delivery-detail.ts')
        const unknown: number[] = []
        for (const [index, each] of ids.entries()) {
          const attempt = await findAttempt(session, each, log)
          if (attempt === null) {
            unknown.push(each)
            continue
          }
          const body = async (which: 'request' | 'response'): Promise<Uint8Array> => {
            const slice = { id: each, log, which, offset: 0, length: shownBytes }
            return (await session.call('attempts.body', slice)).bytes
          }
          const response = attempt.response === null ? new Uint8Array() : await body('response')
          const request = await body('request')
          printDetails('attempt', attemptJson(attempt, response), () =>
            [
              ...(index === 0 ? [] : ['']),
              attemptText(attempt),
              '',
              escapeControls(`${attempt.method} ${attempt.request.target} HTTP/1.1`),
              ...headerLines(attempt.request.headers),
              '',
              bodyText(request),
              ...(attempt.response === null
                ? []
                : [
                    '',
                    escapeControls(
                      `HTTP/${attempt.response.httpVersion} ${attempt.response.status} ${attempt.response.statusText}`,
                    ),
                    ...headerLines(attempt.response.headers),
                    '',
                    bodyText(response),
                  ]),
            ].join('\n'),
          )
        }
        if (unknown.length === 0) return 0
        throw new AppError(
          'not_found',
          `Attempt ${unknown.join(', ')} does not exist. To list attempts: tabscope attempt list`,
        )
      }),
    ),
  )

export const command = group('attempt', 'List and show requests that were sent', [list, show])

async function findAttempt(
  session: Session,
  id: number,
  log: number | null,
): Promise<Attempt | null> {
  try {
    return await session.call('attempts.get', { id, log })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
