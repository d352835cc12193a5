import type { Run, RunStep, RunSummary } from '#contract/authorization.ts'
import type { ReceivedResponse, SentRequest } from '#contract/http.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatDuration } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { id, integer } from '../command-line/values.ts'
import { allIntegrations, findIntegration, withSession } from '../in-session.ts'
import { colored, printDetails, printMessage, headerLines } from '../output.ts'
import type { Session } from '../session.ts'
import { printTable } from '../table.ts'
import { facts, formatTime } from '../text.ts'

const styles = {
  running: 'yellow',
  waiting: 'yellow',
  succeeded: 'green',
  failed: 'red',
} as const

const maxRuns = 500

const list = defineCommand('list', 'List authorizations and refreshes, newest first', [
  ['The newest 50', 'authorization list'],
  ['The newest run of an integration', 'authorization list --integration "My bar" --limit 1'],
])
  .option('--integration <name>', 'Only runs of this integration')
  .option('-n, --limit <count>', 'Maximum number of runs', integer('--limit', 1, maxRuns), 50)
  .action(
    action(({ integration, limit }) =>
      withSession('read', async (session) => {
        const integrationId =
          integration === undefined
            ? undefined
            : findIntegration(await allIntegrations(session), integration).id
        // One more than is printed, to know whether there are more.
        const found = await session.call('authorization.runs', {
          integrationId,
          limit: Math.min(limit + 1, maxRuns),
        })
        if (found.length === 0) printMessage('No runs. To start one: tabscope authorize')
        printTable(
          'run',
          found.slice(0, limit),
          [
            { title: 'ID', value: (run) => String(run.id), align: 'right' },
            { title: 'Started', value: ({ startedAt }) => formatTime(startedAt) },
            { title: 'Kind', value: ({ kind }) => kind },
            { title: 'State', value: ({ state }) => state, style: ({ state }) => styles[state] },
            { title: 'Duration', value: durationText, align: 'right' },
            { title: 'Token', value: ({ tokenId }) => String(tokenId ?? ''), align: 'right' },
            { title: 'Error', value: errorText },
          ],
          (run) => run,
        )
        if (found.length > limit) {
          printMessage(
            `The newest ${limit === 1 ? 'run' : `${limit} runs`}. Use --limit N for more.`,
          )
        }
      }),
    ),
  )

const show = defineCommand(
  'show',
  'Show each step of an authorization or a refresh; secrets are masked',
  [
    ['Show a run', 'authorization show 3'],
    ['As JSON', 'authorization show 3 --json'],
  ],
)
  .argument('<run>', 'Run ID', id)
  .action(
    action((runId) =>
      withSession('read', async (session) => {
        const run = await runNumbered(session, runId)
        printDetails('run', run, () => runText(run))
      }),
    ),
  )

export const command = group(
  'authorization',
  'List and show authorizations and refreshes',
  [list, show],
  list,
)

/** Throws `not_found`. */
async function runNumbered(session: Session, runId: number): Promise<Run> {
  try {
    return await session.call('authorization.run', { id: runId })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError(
      'not_found',
      `Run ${runId} does not exist. To list runs: tabscope authorization list`,
      {
        cause: error,
      },
    )
  }
}

function durationText({ startedAt, endedAt }: RunSummary): string {
  return endedAt === null ? '' : formatDuration(endedAt - startedAt)
}

function errorText({ failure }: RunSummary): string {
  return failure === null ? '' : `${failure.code}: ${failure.message}`
}

function runText(run: Run): string {
  const { failure } = run
  return [
    facts([
      ['Run', String(run.id)],
      ['Kind', run.kind],
      ['State', run.state],
      ['Started', formatTime(run.startedAt)],
      ...(run.endedAt === null ? [] : [['Duration', durationText(run)] as const]),
      ...(run.tokenId === null ? [] : [['Token', String(run.tokenId)] as const]),
      ...(failure === null
        ? []
        : ([
            ['Error', errorText(run)],
            ['Meaning', failure.meaning],
            ['Remedy', failure.remedy],
          ] as const)),
    ]),
    ...run.steps.flatMap(stepLines),
    ...run.findings.map(
      ({ code, message }) => `${escapeControls(code)}  ${escapeControls(message)}`,
    ),
  ].join('\n')
}

const marks = {
  ok: ['green', '✓'],
  failed: ['red', '✗'],
  waiting: ['yellow', '…'],
  note: ['gray', '–'],
} as const satisfies Record<RunStep['outcome'], readonly [string, string]>

function stepLines({
  title,
  outcome,
  durationMs,
  detail,
  facts: rows,
  ...step
}: RunStep): string[] {
  const time = durationMs === null ? '' : colored('gray', ` ${Math.round(durationMs)} ms`)
  return [
    `${colored(marks[outcome][0], marks[outcome][1])} ${colored('bold', escapeControls(title))}${time}`,
    ...(detail === null ? [] : [`  ${escapeControls(detail)}`]),
    ...(rows.length === 0 ? [] : indented(facts(rows.map(({ name, value }) => [name, value])))),
    ...(step.request ? indented(requestText(step.request)) : []),
    ...(step.response ? indented(responseText(step.response)) : []),
  ]
}

function requestText({ method, url, headers, body }: SentRequest): string {
  return messageText(`${method} ${url}`, headers, body)
}

function responseText({ status, statusText, headers, body }: ReceivedResponse): string {
  return messageText(`${status} ${statusText}`.trimEnd(), headers, body)
}

function messageText(
  first: string,
  headers: readonly (readonly [string, string])[],
  body: string | null,
): string {
  return [
    escapeControls(first),
    ...headerLines(headers),
    // Keep the line breaks of the body; escape every other control character.
    ...(body === null ? [] : body.split('\n').map(escapeControls)),
  ].join('\n')
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`.trimEnd())
}
