import { readFileSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import type { CliLine } from '#contract/cli-output.ts'
import { brandPattern, type GenerateOutput } from '#contract/constants.ts'
import { AppError } from '#engine/platform/errors.ts'
import { fileFailed } from '#engine/platform/file-errors.ts'
import { writeFileAt } from '#engine/platform/save-file.ts'
import { plural } from '#shared/text/format.ts'
import {
  action,
  defineCommand,
  group,
  type Example,
  type ExitCode,
} from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { choice, collect, collected, deliveryId } from '../command-line/values.ts'
import { confirmUnredacted } from '../command-line/confirm.ts'
import { sessionDeliveryIds, untilIndexed } from '../session/delivery-ids.ts'
import { UsageError } from '../command-line/errors.ts'
import { filterOf } from '../command-line/filter-option.ts'
import { frameworkIds, testFrameworkIds } from '../command-line/frameworks.ts'
import { resolvePath } from '../command-line/io.ts'
import { logDescription, withLog } from '../session/log-option.ts'
import { print, printMessage, writeBytes, writeJson } from '../output/output.ts'
import { selectionOf, selects, withSelection } from '../session/selection.ts'
import { version } from '../version.ts'

const languages = Object.keys(
  import.meta.glob('../../../engine/handlers/generate/languages/*.ts'),
).map((file) => path.basename(file, '.ts'))

type Files = CallOutput<'generate.files'>
type Generated = CliLine<'generated'>

interface Options {
  readonly output?: string | undefined
  readonly observed?: string | true | undefined
  readonly log?: string | undefined
  readonly type?: readonly string[] | undefined
  readonly brand: string
  readonly check?: boolean | undefined
  readonly force?: boolean | undefined
}

function brandOf(text: string): string {
  if (brandPattern.test(text)) return text
  throw new UsageError('--brand requires letters and digits, a letter first.')
}

function outputCommand(
  name: GenerateOutput,
  description: string,
  where: string,
  examples: readonly [Example, Example, ...Example[]],
) {
  return defineCommand(name, description, examples)
    .option(`-o, --output <${where}>`, `The ${where} to write (default: stdout)`)
    .option(
      '--observed [filter]',
      'Also fields of captured deliveries, or only of those that match a filter',
    )
    .option('--log <log>', `With --observed: ${logDescription.toLowerCase()}`)
    .option('--type <type>', 'Only this event type (repeatable)', collect)
    .option(
      '--brand <brand>',
      'The brand in the names of headers and in values',
      brandOf,
      'Service',
    )
    .option('--check', 'Write nothing, and exit with 1 if the output differs')
    .option('--force', 'Replace files that may have been edited')
}

const types = outputCommand('types', 'Generate types of the events in a language', 'file', [
  ['Types in TypeScript', 'generate types --language typescript -o webhook-events.ts'],
  [
    'With the fields of the deliveries of a week',
    "generate types --language python --observed 'verdict:valid since:7d' -o webhook_events.py",
  ],
  [
    'In CI: exit with 1 if the file is not current',
    'generate types --language typescript -o webhook-events.ts --check',
  ],
])
  .requiredOption('--language <language>', languages.join(', '), choice('--language', languages))
  .action(action((options) => run('types', options.language, options)))

const contract = (name: 'schema' | 'openapi' | 'asyncapi', label: string, file: string) =>
  outputCommand(name, `Generate ${label} of the events`, 'file', [
    ['Write it to a file', `generate ${name} -o ${file}`],
    ['With observed fields', `generate ${name} --observed -o ${file}`],
  ]).action(action((options) => run(name, '', options)))

const handler = outputCommand('handler', 'Generate a project with a webhook handler', 'folder', [
  ['A handler in TypeScript', 'generate handler --framework express -o handler'],
  ['A handler in Python', 'generate handler --framework flask -o handler'],
])
  .requiredOption(
    '--framework <framework>',
    frameworkIds.join(', '),
    choice('--framework', frameworkIds),
  )
  .action(action((options) => run('handler', options.framework, options)))

const fixtures = withSelection(
  defineCommand('fixtures', 'Generate contract tests that send fixtures to a webhook handler', [
    ['With a sample of each event type', 'generate fixtures --framework vitest -o tests'],
    [
      'With captured deliveries, masked',
      "generate fixtures --framework pytest --filter 'verdict:valid since:7d' -o tests",
    ],
    ['With two deliveries', 'generate fixtures 12 13 --framework junit -o .'],
  ]),
)
  .argument(
    '[delivery...]',
    'Delivery IDs, or latest (default: a sample of each event type)',
    collected(deliveryId),
  )
  .requiredOption('-o, --output <folder>', 'The folder to write')
  .requiredOption(
    '--framework <framework>',
    testFrameworkIds.join(', '),
    choice('--framework', testFrameworkIds),
  )
  .option('--log <log>', logDescription)
  .option('--brand <brand>', 'The brand in the samples', brandOf, 'Service')
  .option('--check', 'Write nothing, and exit with 1 if the output differs')
  .option('--force', 'Replace files that may have been edited')
  .option('--no-redact', 'Redact nothing: the files contain secrets')
  .option('-y, --yes', 'Confirm --no-redact')
  .action(
    action(async (words, { framework, log, brand, redact, yes, ...options }) => {
      const isSelected = selects(options)
      const named = words.length > 0
      if (named && isSelected) {
        throw new UsageError('Use delivery IDs or selection options, not both.')
      }
      const input = { output: 'fixtures', target: framework, brand, redact } as const
      if (!named && !isSelected && log === undefined) {
        return write(await fromDocumentation(input), options, true)
      }
      const observed = named ? null : await selectionOf(options)
      if (!redact && !(await confirmUnredacted('The files', yes ?? false))) return 1
      return withLog(log, async (session, from) => {
        const ids = await sessionDeliveryIds(session, words, from)
        if (from === null) await untilIndexed(session)
        const files = await session.call('generate.files', { ...input, observed, ids, log: from })
        return write(files, options, true, !redact)
      })
    }),
  )

export const command = group(
  'generate',
  'Generate types, contracts, handlers and tests from the documentation and captured deliveries',
  [
    types,
    contract('schema', 'a JSON Schema', 'webhook-events.schema.json'),
    contract('openapi', 'an OpenAPI document', 'openapi.json'),
    contract('asyncapi', 'an AsyncAPI document', 'asyncapi.json'),
    handler,
    fixtures,
  ],
)

async function run(output: GenerateOutput, target: string, options: Options): Promise<ExitCode> {
  const { observed, log, check = false, brand, type = [] } = options
  if (log !== undefined && observed === undefined)
    throw new UsageError('--log requires --observed.')
  if (check && options.output === undefined) throw new UsageError('--check requires -o.')
  const filter = observed === undefined ? null : filterOf(observed === true ? '' : observed)
  const input = { output, target, brand, types: [...type], observed: filter }
  if (filter === null) return write(await fromDocumentation(input), options)
  return withLog(log, async (session, from) => {
    if (from === null) await untilIndexed(session)
    return write(await session.call('generate.files', { ...input, log: from }), options)
  })
}

/** Needs no data folder. */
async function fromDocumentation(input: CallInput<'generate.files'>): Promise<Files> {
  const { generateDocumented } = await import('#engine/handlers/generate/generate.ts')
  const { output, target = '', brand = '', types: only = [] } = input
  const options = { output, target, version: version(), brand, types: only }
  return { files: await generateDocumented(options), payloads: null, notes: [] }
}

const generatedMark = 'Do not edit: generate it again'

/** `isData`: `--check` compares files that do not say that they are generated, too. */
async function write(
  { files, payloads, notes }: Files,
  { output, check = false, force = false }: Pick<Options, 'output' | 'check' | 'force'>,
  isData = false,
  isPrivate = false,
): Promise<ExitCode> {
  for (const note of notes) printMessage(note)
  const [only] = files
  if (output === undefined || output === '-') {
    if (files.length > 1 || !only) throw new UsageError('-o FOLDER is required.')
    if (globals.json) writeJson('generated', { files: [{ ...only, change: 'printed' }], payloads })
    else await writeBytes(Buffer.from(only.text))
    return 0
  }
  const to = resolvePath(output)
  const isFolder = files.length > 1 || output.endsWith('/') || statOf(to)?.isDirectory()
  const planned = files.map(({ path: name, text }) => {
    const file = isFolder ? path.join(to, ...name.split('/')) : to
    const before = statOf(file)?.isFile() ? read(file) : null
    const isCurrent = before !== null && comparable(before) === comparable(text)
    return { file, text, before, isCurrent }
  })
  const generated: Generated = {
    files: planned.map(({ file, before, isCurrent }) => ({
      path: file,
      change: before === null ? 'created' : isCurrent ? 'unchanged' : 'changed',
    })),
    payloads,
  }
  if (check) return report(planned, generated, isData)
  const edited = planned.filter(
    ({ before, isCurrent }) => before !== null && !isCurrent && !before.includes(generatedMark),
  )
  if (edited.length > 0 && !force) {
    throw new AppError(
      'file_exists',
      `${edited.map(({ file }) => file).join(', ')} may have been edited. To replace it: --force`,
    )
  }
  for (const { file, text, isCurrent } of planned)
    if (!isCurrent) writeFileAt(file, text, isPrivate)
  print('generated', generated, () => summary(generated))
  return 0
}

/** What may be edited is not compared, unless it is missing. */
function report(
  planned: readonly { file: string; text: string; before: string | null; isCurrent: boolean }[],
  generated: Generated,
  isData: boolean,
): ExitCode {
  const stale = planned.filter(
    ({ text, before, isCurrent }) =>
      before === null || (!isCurrent && (isData || text.includes(generatedMark))),
  )
  print('generated', generated, () =>
    stale.length === 0
      ? 'Current.'
      : stale.map(({ file, text, before }) => differenceText(file, before, text)).join('\n'),
  )
  return stale.length === 0 ? 0 : 1
}

/** Without what git and editors change when they check out or save a file: a byte order mark, line ends, white space at its end. */
function comparable(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd()
}

function differenceText(file: string, before: string | null, text: string): string {
  if (before === null) return `${file} does not exist.`
  const lines = comparable(text).split('\n')
  const stored = comparable(before).split('\n')
  const at = lines.findIndex((line, index) => line !== stored[index])
  const line = at === -1 ? lines.length : at
  return `${file} differs from line ${line + 1}:\n- ${stored[line] ?? ''}\n+ ${lines[line] ?? ''}`
}

function summary({ files, payloads }: Generated): string {
  const isOne = files.length === 1
  const from = payloads === null || !isOne ? '' : ` from ${plural(payloads, 'payload', 'payloads')}`
  return files.map(({ path: file, change }) => `${file}: ${change}${from}`).join('\n')
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fileFailed(file, error)
  }
}
