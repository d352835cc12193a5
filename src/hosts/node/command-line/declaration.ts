import { Argument, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { CliLine } from '#contract/cli-output.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { confirmRemoval, toTarget } from './confirm.ts'
import {
  allIntegrations,
  findIntegration,
  withRunning,
  withSession,
} from '../session/in-session.ts'
import { print } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { callInputs, type CallField } from './call-inputs.ts'
import { action, defineCommand, type Example, type ExitCode } from './command.ts'
import { logDescription, importedLog, withLog } from '../session/log-option.ts'
import { named } from './nearest.ts'
import {
  choice,
  collect,
  collected,
  decimal,
  duration,
  header,
  id,
  integer,
  time,
} from './values.ts'

interface Declaration<N extends CallName, T> {
  readonly does: string
  readonly examples: readonly [Example, ...Example[]]
  readonly call?: N
  /**
   * Arguments and options as in the help: `<url> --timeout <duration>`. Its name is that of a field of the input, without `Id` or `Ms`, or its
   * placeholder is; an argument that is neither is the field `id`. The schema of the call has their types, limits and descriptions.
   */
  readonly usage?: string
  /** Instead of those in the schema, by field. */
  readonly descriptions?: { readonly [F in keyof CallInput<N>]?: string }
  /** `id` is the ID of what the user names. */
  readonly names?: Kind
  /** Options without a value that set fields. */
  readonly flags?: Readonly<
    Record<string, readonly [description: string, set: Partial<CallInput<N>>]>
  >
  /** Default: `change`. */
  readonly access?: 'create' | 'change' | 'read'
  /** It needs a running Tabscope: the command that starts one. */
  readonly start?: string
  /** Adds `--allow-target`, since it may send to a target that was never confirmed. */
  readonly sends?: true
  /** Adds `--log`. */
  readonly log?: true
  /** Throws `UsageError` before a session is opened. The input does not have the IDs of what is given by name yet. */
  readonly check?: (input: Partial<CallInput<N>>) => void
  /** Adds `--yes`. What is deleted, as a sentence. */
  readonly confirm?: (session: Session, input: CallInput<N>) => Promise<string> | string
  /** Default: the call. With `sends`, what sends is passed to `send`, which asks about the target. */
  readonly run?: (session: Session, input: CallInput<N>, send: Send) => Promise<T>
  /** `words`: the arguments as the user wrote them. */
  readonly print: (
    output: T,
    input: CallInput<N>,
    session: Session,
    words: readonly string[],
  ) => ExitCode | void | Promise<ExitCode | void>
}

/** Of the input of a call. */
export function fieldsOf(call: string): Readonly<Record<string, CallField>> {
  const fields: Readonly<Record<string, CallField>> = JSON.parse(callInputs[call] ?? '{}')
  return fields
}

type Send = <T>(work: () => Promise<T>) => Promise<T>

export function declare<N extends CallName = 'app.snapshot', T = CallOutput<N>>(
  name: string,
  declaration: Declaration<N, T>,
): CommandUnknownOpts {
  const { does, examples, call, usage = '', flags = {}, sends, confirm, log } = declaration
  const command: CommandUnknownOpts = defineCommand(name, does, examples)
  const descriptions: Readonly<Record<string, string>> = { ...declaration.descriptions }
  const fields = call === undefined ? {} : fieldsOf(call)
  const parts = Array.from(
    usage.matchAll(/(?:-\w, )?--[\w-]+(?: <\S+>)?|[<[]\S+[\]>]/g),
    ([text]) => partOf(text, fields, descriptions, declaration.names),
  )
  for (const { definition } of parts) {
    if (definition instanceof Option) command.addOption(definition)
    else command.addArgument(definition)
  }
  for (const [flag, [description]] of Object.entries(flags)) command.option(flag, description)
  if (sends) command.option('--allow-target', 'Allow a target outside the local network')
  if (confirm) command.option('-y, --yes', 'Skip the confirmation')
  if (log) command.option('--log <log>', logDescription)

  /** `resolving`: adds the IDs of what is given by name. */
  const givenInput = () => {
    const options: Record<string, unknown> = command.opts()
    const words = [...command.processedArgs]
    const plain: Record<string, unknown> = {}
    const resolving: ((session: Session) => Promise<unknown>)[] = []
    for (const { field, definition, resolve, isRequired } of parts) {
      const value =
        definition instanceof Option ? options[definition.attributeName()] : words.shift()
      if (resolve && (isRequired || typeof value === 'string')) {
        const word = typeof value === 'string' ? value : undefined
        resolving.push(async (session) => (plain[field] = await resolve(session, word)))
      } else if (value !== undefined) plain[field] = value
    }
    for (const [flag, [, set]] of Object.entries(flags)) {
      if (options[new Option(flag).attributeName()] === true) Object.assign(plain, set)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by what the schema of the call says
    return { input: plain as CallInput<N>, resolving }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- T is CallOutput<N> unless there is a `run`
  const pass = (async (session: Session, input: CallInput<N>, send: Send) => {
    if (call === undefined) throw new TypeError(`${name} has no call.`)
    return sends ? send(() => session.call(call, input)) : session.call(call, input)
  }) as NonNullable<typeof declaration.run>
  const { start, access = 'change', check } = declaration
  return command.action(
    action(() => {
      const { yes, allowTarget, log: word } = command.opts()
      const { input, resolving } = givenInput()
      check?.(input)
      const work = async (session: Session, of: number | null = null): Promise<ExitCode> => {
        if (log) Object.assign(input, { log: of })
        for (const resolve of resolving) await resolve(session)
        if (confirm && !(await confirmRemoval(await confirm(session, input), yes === true))) {
          return 1
        }
        const send: Send = (sending) =>
          toTarget(session, { allowTarget: allowTarget === true || undefined }, sending)
        const output = await (declaration.run ?? pass)(session, input, send)
        const words = command.processedArgs.map(String)
        return (await declaration.print(output, input, session, words)) ?? 0
      }
      if (log) return withLog(typeof word === 'string' ? word : undefined, work)
      return start === undefined ? withSession(access, work) : withRunning(start, work)
    }),
  )
}

/** For `print` of what removes something by its ID. */
export function removed(kind: CliLine<'removed'>['kind'], name = kind.replaceAll('_', ' ')) {
  return (
    _output: unknown,
    { id: removedId }: { id: number },
    _session: Session,
    [word = '']: readonly string[],
  ): void =>
    print('removed', { kind, id: removedId }, () => `Removed ${name} ${escapeControls(word)}.`)
}

const resolvers = {
  endpoint: async (session: Session, slug?: string) => {
    const { endpointOf } = await import('./send-options.ts')
    return endpointOf((await session.call('app.snapshot', {})).endpoints, slug).id
  },
  integration: async (session: Session, name = '') =>
    findIntegration(await allIntegrations(session), name).id,
  event_log: async (session: Session, word = '') => (await importedLog(session, word)).id,
  relay: async (session: Session, name = '') =>
    named('Relay', name, await session.call('relay.list', {}), (each) => [each.name]).id,
}

type Kind = keyof typeof resolvers

/** `--limit` and `count` of `-n, --limit <count>`; `url` of `<url>`. */
function wordsOf(usage: string): string[] {
  return usage.replace(/^-\w, /, '').match(/[\w-]+/g) ?? []
}

function partOf(
  usage: string,
  fields: Readonly<Record<string, CallField>>,
  descriptions: Readonly<Record<string, string>>,
  idOf: Kind | undefined,
) {
  const isOption = usage.startsWith('-')
  const [word = '', placeholder = ''] = wordsOf(usage)
  const name = new Option(isOption ? word : `--${word}`).attributeName()
  const candidates = [name, `${name}Id`, `${name}Ms`, placeholder, ...(isOption ? [] : ['id'])]
  const field = candidates.find((each) => each in fields) ?? ''
  const schema = fields[field]
  if (!schema) throw new TypeError(`${usage} is no field of the call.`)
  const kind = field === 'id' ? idOf : kinds[field]
  const description = descriptions[field] ?? schema.description
  const definition = isOption ? new Option(usage, description) : new Argument(usage, description)
  const parse = kind ? undefined : parserOf(usage, schema)
  if (parse) definition.argParser(parse)
  if (definition instanceof Option && schema.isRequired && !kind) definition.makeOptionMandatory()
  const resolve = kind && resolvers[kind]
  return { field, definition, resolve, isRequired: schema.isRequired }
}

const kinds: Readonly<Record<string, Kind>> = {
  endpointId: 'endpoint',
  integrationId: 'integration',
}

type Parser = ((text: string, before: unknown) => unknown) & {
  readonly choices?: readonly string[]
}

function parserOf(usage: string, field: CallField): Parser | undefined {
  const { type, minimum: from = 0, maximum: to = 0, choices, isList } = field
  const [label = '', placeholder = ''] = wordsOf(usage)
  if (choices) return choice(label, choices)
  if (isList && placeholder.endsWith('s'))
    return (text) => text.split(',').map((word) => word.trim())
  if (placeholder === 'time') return time(label)
  if (placeholder === 'duration') {
    const parse = duration(label, { from, to })
    return (text) => Math.ceil(parse(text))
  }
  const isId = type === 'integer' && to === Number.MAX_SAFE_INTEGER
  const parse = isId ? id : placeholder === 'header' ? header : undefined
  if (parse) {
    const all = collected<unknown>(parse)
    return isList ? (text, before) => all(text, Array.isArray(before) ? before : []) : parse
  }
  switch (type) {
    case 'integer':
      return integer(label, from, to)
    case 'number':
      return decimal(label, from, to)
    case 'boolean':
      return (text) => choice(label, ['on', 'off'])(text) === 'on'
    default:
      return isList
        ? (text, before) => collect(text, Array.isArray(before) ? before : [])
        : undefined
  }
}
