import type { Run, RunStep, RunSummary } from '#contract/authorization.ts'
import type { SentRequest } from '#contract/http.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatDuration } from '#shared/text/format.ts'
import { group } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
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

const list = declare('list', {
  does: 'List authorizations and refreshes, newest first',
  examples: [
    ['The newest 50', 'authorization list'],
    ['The newest run of an integration', 'authorization list --integration "My bar" --limit 1'],
  ],
  call: 'authorization.runs',
  usage: '--integration <name> -n, --limit <count>',
  descriptions: {
    integrationId: 'Only runs of this integration',
    limit: 'Maximum number of runs (default: 50)',
  },
  access: 'read',
  // One more than is printed, to know whether there are more.
  run: (session, { limit = 50, ...input }) =>
    session.call('authorization.runs', { ...input, limit: Math.min(limit + 1, maxRuns) }),
  print: (runs, { limit = 50 }) => {
    printList(
      'run',
      runs.slice(0, limit),
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
    if (runs.length > limit) {
      printMessage(`The newest ${limit === 1 ? 'run' : `${limit} runs`}. Use --limit N for more.`)
    }
  },
})

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
