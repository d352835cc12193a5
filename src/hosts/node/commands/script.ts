import type { CliLine } from '#contract/cli-output.ts'
import type { Delivery } from '#contract/models.ts'
import type { Script, ScriptFailure, ScriptRun } from '#contract/scripts.ts'
import { changedHeaders } from '#shared/diff/headers.ts'
import { formatDuration } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand, group } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { deliveryId } from '../command-line/values.ts'
import { confirmChange } from '../command-line/confirm.ts'
import { sessionDeliveryIds, storedBody } from '../session/delivery-ids.ts'
import { withSession } from '../session/in-session.ts'
import { named } from '../command-line/nearest.ts'
import { colored, print, writeBytes, writeJson } from '../output/output.ts'
import { bytesOf } from '../command-line/send-options.ts'
import type { Session } from '../session/session.ts'
import { printList } from '../output/table.ts'
import { failedText, formatTime } from '../output/text.ts'

const list = declare('list', {
  does: 'List saved scripts, where they are used, and where they failed',
  examples: [['List all scripts', 'script list']],
  call: 'scripts.list',
  access: 'read',
  print: (scripts) =>
    printList(
      'script',
      scripts,
      {
        Name: ({ name }) => name,
        Saved: ({ savedAt }) => formatTime(savedAt),
        Lines: ({ source }) => source.trimEnd().split('\n').length,
        'Used by': usesText,
        Failed: ({ failed }) => (failed ? ['red', failedText(failed)] : ''),
      },
      'No scripts. To save one: tabscope script save NAME FILE',
    ),
})

const show = defineCommand('show', 'Print the source of a script', [
  ['Save a script as a file', 'script show table > table.ts'],
  ['With where it is used', 'script show table --json'],
])
  .argument('<name>', 'Name of the script')
  .action(
    action((name) =>
      withSession('read', async (session) => {
        const script = await scriptNamed(session, name)
        if (globals.json) writeJson('script', script)
        else await writeBytes(Buffer.from(script.source))
      }),
    ),
  )

const save = defineCommand('save', 'Save a script, which runs only where it is selected', [
  ['Save a script', 'script save table table.ts'],
  ['Replace it without confirmation', 'script save table table.ts --replace'],
])
  .argument('<name>', 'Name of the script')
  .argument('<file>', 'File with JavaScript or TypeScript, or - for stdin')
  .option('--replace', 'Replace the script with this name without confirmation')
  .action(
    action(async (name, file, { replace = false }) => {
      const source = await sourceOf(file)
      return withSession('create', async (session) => {
        const scripts = await session.call('scripts.list', {})
        const before = scripts.find((each) => each.name === name)
        if (before && !replace) {
          const uses = usesText(before)
          const used = uses === '' ? 'Nothing uses it.' : `It is used by ${uses}.`
          const consequence = `This replaces the script "${name}". ${used}`
          if (!(await confirmChange(consequence, false, '--replace'))) return 1
        }
        const saved = await session.call('scripts.save', {
          name,
          source,
          replace: before !== undefined,
        })
        print('script', saved, () => `Saved "${name}".`)
        return 0
      })
    }),
  )

const remove = declare('delete', {
  does: 'Delete a script that nothing uses',
  examples: [
    ['Delete a script', 'script delete table'],
    ['Without confirmation', 'script delete table --yes'],
  ],
  call: 'scripts.remove',
  usage: '<name>',
  descriptions: { name: 'Name of the script' },
  confirm: async (session, { name }) => {
    const uses = usesText(await scriptNamed(session, name))
    if (uses !== '') {
      throw new AppError(
        'in_use',
        `The script "${name}" is used by ${uses}. Remove it there first.`,
      )
    }
    return `This permanently deletes the script "${name}".`
  },
  print: (_, { name }) => print('script_removed', { name }, () => `Deleted "${name}".`),
})

const run = defineCommand('run', 'Run a script on a delivery, and show what it changes', [
  ['Run a file on the newest delivery', 'script run table.ts latest'],
  ['Run a saved script', 'script run table 12'],
  ['As JSON', 'script run table 12 --json'],
])
  .argument('<script>', 'File whose name ends in .ts or .js, or the name of a saved script')
  .argument('<delivery>', 'Delivery ID, or latest', deliveryId)
  .option('--state <json>', 'State that the script begins with (default: {})')
  .action(
    action(async (script, delivery, { state = '{}' }) => {
      const file = /\.[cm]?[jt]s$/.test(script) || script === '-' ? await sourceOf(script) : null
      return withSession('change', async (session) => {
        const source = file ?? (await scriptNamed(session, script)).source
        const [id = 0] = await sessionDeliveryIds(session, [delivery])
        const found = await session.call('deliveries.get', { id, log: null })
        const result = await session.call('scripts.run', {
          source,
          deliveryId: id,
          state,
          log: null,
        })
        const line = await lineOf(session, found, result)
        print('script_run', line.value, () => line.text)
        return result.result.kind === 'failed' ? 1 : 0
      })
    }),
  )

export const command = group('script', 'Save scripts that change requests or respond', [
  list,
  show,
  save,
  run,
  remove,
])

async function sourceOf(file: string): Promise<string> {
  return Buffer.from((await bytesOf(file)) ?? []).toString('utf8')
}

async function scriptNamed(session: Session, name: string): Promise<Script> {
  return named('Script', name, await session.call('scripts.list', {}), (each) => [each.name])
}

function usesText({ usedBy: { responses, forwards } }: Script): string {
  return [
    ...responses.map((id) => `response rule ${id}`),
    ...forwards.map((id) => `forward target ${id}`),
  ].join(', ')
}

async function lineOf(session: Session, { id: deliveryId, headers }: Delivery, run: ScriptRun) {
  const { result } = run
  const notes = run.notes.map((note) => colored('yellow', note))
  if (result.kind !== 'request') {
    const value: Line = { ...run, result, deliveryId, changes: null }
    return { value, text: runText(value, notes) }
  }
  const { body, ...request } = result
  const { changesText, diffDeliveries } = await import('../output/delivery-diff.ts')
  const before = await storedBody(session, deliveryId)
  const { headers: changed, body: changedBody } = diffDeliveries(
    { delivery: { id: deliveryId, headers }, body: before },
    {
      delivery: { id: deliveryId, headers: changedHeaders(headers, result.headers) },
      body: body ?? before,
    },
  )
  const changes = { headers: changed, body: changedBody }
  const value: Line = { ...run, result: request, deliveryId, changes }
  return { value, text: runText(value, [...notes, changesText(changes, '')]) }
}

type Line = CliLine<'script_run'>

function runText({ result, log, state, durationMs }: Line, changes: readonly string[]): string {
  return [
    ...resultLines(result),
    ...changes,
    ...(log.length === 0 ? [] : ['', colored('bold', 'Log'), ...log.map((each) => `  ${each}`)]),
    ...(state === '{}' ? [] : ['', `State: ${state}`]),
    '',
    colored('gray', `Took ${formatDuration(durationMs)}. Nothing was sent.`),
  ].join('\n')
}

function resultLines(result: Line['result']): string[] {
  switch (result.kind) {
    case 'none':
      return ['It returned nothing: the delivery continues unchanged.']
    case 'skip':
      return ['The delivery is not forwarded.']
    case 'request':
      return [
        ...(result.url === null ? [] : [`URL: ${result.url}`]),
        ...(result.sign === 'auto' ? [] : [`Signature: ${result.sign}`]),
      ]
    case 'response': {
      const { status, headers, body, delayMs } = result
      const after = delayMs > 0 ? ` after ${formatDuration(delayMs)}` : ''
      if (status === null) return [`Closes the connection without a response${after}.`]
      return [
        `Responds with ${status}${after}.`,
        ...headers.map(([name, value]) => `  ${name}: ${value}`),
        ...(body === '' ? [] : [body]),
      ]
    }
    case 'failed':
      return [colored('red', `${placeText(result.failure)}${result.failure.message}`)]
  }
}

function placeText({ line, column }: Pick<ScriptFailure, 'line' | 'column'>): string {
  if (line === null) return ''
  return column === null ? `Line ${line}: ` : `Line ${line}, column ${column}: `
}
