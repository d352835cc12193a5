import type { Run, RunStep, RunSummary } from '#contract/authorization.ts'
import type { SentRequest } from '#contract/http.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatDuration } from '#shared/text/format.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { integer } from '../command-line/values.ts'
import { allIntegrations, findIntegration, withSession } from '../in-session.ts'
import { colored, printDetails, printMessage, headerLines } from '../output.ts'
import { printList } from '../table.ts'
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
        printList(
          'run',
          found.slice(0, limit),
          {
            ID: ({ id }) => id,
            Started: ({ startedAt }) => formatTime(startedAt),
            Kind: ({ kind }) => kind,
            State: ({ state }) => [styles[state], state],
            Duration: durationText,
            Token: ({ tokenId }) => tokenId,
            Error: errorText,
          },
          'No runs. To start one: tabscope authorize',
        )
        if (found.length > limit) {
          printMessage(
            `The newest ${limit === 1 ? 'run' : `${limit} runs`}. Use --limit N for more.`,
          )
        }
      }),
    ),
  )

const show = declare('show', {
  does: 'Show each step of an authorization or a refresh; secrets are masked',
  examples: [['Show a run', 'authorization show 3']],
  call: 'authorization.run',
  usage: '<run>',
  descriptions: { id: 'Run ID' },
  access: 'read',
  print: (run) => printDetails('run', run, () => runText(run)),
})

export const command = group(
  'authorization',
  'List and show authorizations and refreshes',
  [list, show],
  list,
)

function durationText({ startedAt, endedAt }: RunSummary): string | null {
  return endedAt === null ? null : formatDuration(endedAt - startedAt)
}

function errorText({ failure }: RunSummary): string | null {
  return failure && `${failure.code}: ${failure.message}`
}

function runText(run: Run): string {
  const { failure } = run
  return [
    facts([
      ['Run', run.id],
      ['Kind', run.kind],
      ['State', run.state],
      ['Started', formatTime(run.startedAt)],
      ['Duration', durationText(run)],
      ['Token', run.tokenId],
      ['Error', errorText(run)],
      ['Meaning', failure && failure.meaning],
      ['Remedy', failure && failure.remedy],
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
  request,
  response,
}: RunStep): string[] {
  const time = durationMs === null ? '' : colored('gray', ` ${Math.round(durationMs)} ms`)
  return [
    `${colored(marks[outcome][0], marks[outcome][1])} ${colored('bold', escapeControls(title))}${time}`,
    ...(detail === null ? [] : [`  ${escapeControls(detail)}`]),
    ...(rows.length === 0
      ? []
      : facts(rows.map(({ name, value }) => [name, value]))
          .split('\n')
          .map(indented)),
    ...(request ? messageText(`${request.method} ${request.url}`, request) : []),
    ...(response
      ? messageText(`${response.status} ${response.statusText}`.trimEnd(), response)
      : []),
  ]
}

type Message = Pick<SentRequest, 'headers' | 'body'>

function messageText(first: string, { headers, body }: Message): string[] {
  return [
    escapeControls(first),
    ...headerLines(headers),
    // Keep the line breaks of the body; escape every other control character.
    ...(body === null ? [] : body.split('\n').map(escapeControls)),
  ].map(indented)
}

function indented(line: string): string {
  return `  ${line}`.trimEnd()
}
