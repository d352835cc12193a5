import { CommanderError, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { nearestOf } from './nearest.ts'
import { UsageError } from './errors.ts'
import { asStarted, io } from './io.ts'
import { environment, exitCodes, impliedBy, newCommand, outcome } from './command.ts'
import { version } from '../version.ts'
import { configuration, globals } from './globals.ts'

interface CommandFile {
  readonly command: CommandUnknownOpts
}

const files = import.meta.glob<CommandFile>('../commands/*.ts')

function fileOf(name: string): (() => Promise<CommandFile>) | undefined {
  return Object.entries(files).find(([path]) => path === `../commands/${name}.ts`)?.[1]
}

/** In alphabetical order. */
export const commandNames: readonly string[] = Object.keys(files)
  .map((path) => path.slice('../commands/'.length, -'.ts'.length))
  .toSorted()

/** Other words that users try, without a place in lists and completion. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['deliveries', 'delivery'],
  ['attempts', 'attempt'],
  ['jobs', 'job'],
  ['logs', 'event-log'],
  ['event-logs', 'event-log'],
  ['runs', 'authorization'],
  ['authorizations', 'authorization'],
  ['endpoints', 'endpoint'],
  ['forwards', 'forward'],
  ['integrations', 'integration'],
  ['setting', 'settings'],
  ['skill', 'skills'],
  ['tokens', 'token'],
  ['tunnels', 'tunnel'],
])

const suggestions: ReadonlyMap<string, string> = new Map([
  ['auth', 'authorize'],
  ['breakpoint', 'hold'],
  ['config', 'settings'],
  ['diagnose', 'delivery diagnose'],
  ['doctor', 'self-check'],
  ['event', 'delivery list'],
  ['events', 'delivery list'],
  ['intercept', 'hold'],
  ['list', 'delivery list'],
  ['login', 'authorize'],
  ['proxy', 'forward'],
  ['replay', 'resend'],
  ['requests', 'delivery list'],
  ['secret', 'endpoint set-secret'],
  ['send', 'trigger, compose or resend'],
  ['show', 'delivery show'],
  ['test', 'rehearse'],
  ['ui', 'serve'],
  ['webhook', 'endpoint list'],
  ['webhooks', 'endpoint list'],
])

const description = `Receive, verify and re-send webhooks, and debug the authorization code flow.`

const exitCodeTexts = exitCodes.map(([code, meaning]) => `${code} ${meaning}`)

const footer = String.raw`
Run tabscope help <command> for the options and examples of a command.

Environment:
${environment.map(([name, meaning]) => `  ${name.padEnd(13)}  ${meaning}`).join('\n')}

Configuration file: $XDG_CONFIG_HOME/tabscope/config.json, with the keys data,
color and utc; by default in ~/.config, on Windows in %APPDATA%\Tabscope.

Exit codes: ${exitCodeTexts.slice(0, 3).join(', ')},
${exitCodeTexts.slice(3).join(', ')}.`

/** Loads only the command that `argv` names, or all of them for the list. */
export async function createProgram(argv: readonly string[]): Promise<CommandUnknownOpts> {
  const program = emptyProgram()
  const name = nameOf(argv)
  const file = name === undefined ? undefined : fileOf(name)
  if (file !== undefined) program.addCommand(withoutExcessArguments((await file()).command))
  else if (name === undefined) await addAll(program)
  else throw unknownCommand(name)
  return program
}

export async function completeProgram(): Promise<CommandUnknownOpts> {
  const program = emptyProgram()
  await addAll(program)
  return program
}

async function addAll(program: CommandUnknownOpts): Promise<void> {
  const all = await Promise.all(Object.values(files).map((load) => load()))
  for (const { command } of all) program.addCommand(withoutExcessArguments(command))
}

function withoutExcessArguments(command: CommandUnknownOpts): CommandUnknownOpts {
  for (const each of [command, ...command.commands]) each.allowExcessArguments(false)
  return command
}

function emptyProgram(): CommandUnknownOpts {
  const program: CommandUnknownOpts = newCommand('tabscope')
  program
    .description(description)
    .usage('<command> [options]')
    .version(`tabscope ${version()}`, '-V, --version', 'Show the version')
    .option('--data <dir>', 'Data folder')
    .option('--json', 'Print one JSON object per line')
    .option('-q, --quiet', 'Print only IDs in lists, and no messages')
    .option('--utc', 'Show times in UTC')
    .addOption(new Option('--no-utc', 'Show times in the local time zone').hideHelp())
    .addOption(
      new Option('--color <when>', 'Use colors')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .helpCommand(false)
    .addHelpText('after', footer)
    .hook('preAction', (_program, action) => {
      const { color: configured = 'auto', utc = false } = configuration()
      const { color, ...options } = action.optsWithGlobals()
      const isGiven = program.getOptionValueSource('color') !== 'default'
      const colors = usesColors(isGiven ? String(color) : 'auto', configured)
      Object.assign(globals, { utc, ...options, colors })
    })
  return program
}

/** The option takes precedence over environment variables, and those over the configuration file. */
function usesColors(option: string, configured: string): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  if (option !== 'auto') return option === 'always'
  if (FORCE_COLOR !== undefined) return ['', '1', '2', '3', 'true'].includes(FORCE_COLOR)
  if (NO_COLOR) return false
  if (configured !== 'auto') return configured === 'always'
  return io.stdout.isTTY === true && TERM !== 'dumb'
}

const withValue: ReadonlySet<string> = new Set(['--data', '--color'])

function firstWord(argv: readonly string[]): number {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    if (withValue.has(word)) index += 1
    else if (!word.startsWith('-')) return index
  }
  return -1
}

function nameOf(argv: readonly string[]): string | undefined {
  return argv[firstWord(argv)]
}

function unknownCommand(name: string): UsageError {
  const near = suggestions.get(name) ?? nearestOf(name, [...commandNames, ...aliases.keys()])
  const hint = near === undefined ? '' : ` Did you mean ${aliases.get(near) ?? near}?`
  return new UsageError(`Unknown command "${name}".${hint} To list all commands: tabscope help`)
}

/** The command line after `tabscope`. Throws `UsageError` with one line if the arguments are invalid, and the errors of the command. */
export async function run(argv: readonly string[]): Promise<number> {
  const [first, mode = ''] = argv
  if (first === 'completion' && /^--complete(?:-next)?$/.test(mode)) {
    const typed = argv.slice(3)
    const begun = mode === '--complete' ? (typed.pop() ?? '') : ''
    await printCompletions([...withoutAlias(typed), begun])
    return 0
  }
  const words = withoutAlias(withoutHelpWord(argv))
  const program = await createProgram(words)
  assertValues(program, words)
  if (nameOf(words) === undefined && words.every((word) => !isHelpOrVersion(word))) {
    io.stderr.write(asStarted(program.helpInformation()))
    return 2
  }
  try {
    outcome.exitCode = 0
    await program.parseAsync(words, { from: 'user' })
    return outcome.exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    throw new UsageError(usageMessage(program, words, error))
  }
}

/** For the scripts of `tabscope completion`: one candidate per line, then `:files` if a file is valid. */
async function printCompletions(words: readonly string[]): Promise<void> {
  const [{ complete }, { eventTypes }] = await Promise.all([
    import('./complete.ts'),
    import('#catalogue/catalogue.ts'),
  ])
  const name = nameOf(words.slice(0, -1))
  const isKnown = name !== undefined && fileOf(name) !== undefined
  const program = isKnown ? await createProgram([name]) : await completeProgram()
  const types = eventTypes.map(({ type }) => type)
  const { candidates, files } = complete(program, words, types)
  const lines = candidates.map(({ value, description: text }) => `${value}\t${text}`)
  io.stdout.write([...lines, ...(files ? [':files'] : [])].map((line) => `${line}\n`).join(''))
}

function isHelpOrVersion(word: string): boolean {
  return /^(?:--help|-h|--version|-V)$/.test(word)
}

function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const at = firstWord(argv)
  return argv[at] === 'help' ? [...argv.toSpliced(at, 1), '--help'] : argv
}

function withoutAlias(argv: readonly string[]): readonly string[] {
  const at = firstWord(argv)
  const name = aliases.get(argv[at] ?? '')
  return name === undefined ? argv : argv.with(at, name)
}

/** One line from `error: unknown option '--x'` and, on a separate line, `(Did you mean --y?)`. */
function usageMessage(
  program: CommandUnknownOpts,
  argv: readonly string[],
  { code, message }: CommanderError,
): string {
  if (code === 'commander.help') {
    const { command } = commandOf(program, argv)
    const names = command.commands.map((each) => each.name()).join(', ')
    return `${pathOf(command)} requires a subcommand: ${names}.`
  }
  const { command: group, rest } = commandOf(program, argv)
  const isUnknown = code === 'commander.unknownCommand' || code === 'commander.excessArguments'
  if (isUnknown && group.commands.length > 0) {
    return unknownSubcommand(group, rest)
  }
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n')
  const hint = more.map((line) => ` ${line.replace(/^\(|\)$/g, '')}`).join('')
  const sentence = first.charAt(0).toUpperCase() + first.slice(1)
  return `${sentence.replace(/\.?$/, '.')}${hint}`
}

function unknownSubcommand(group: CommandUnknownOpts, word: string): string {
  const names = group.commands.map((each) => each.name())
  const near = nearestOf(word, names)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return `Unknown command "${word}".${hint} Subcommands of ${pathOf(group)}: ${names.join(', ')}.`
}

/** `tabscope delivery list` */
export function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

/** The innermost command, and the word after its name, if any. */
function commandOf(
  program: CommandUnknownOpts,
  argv: readonly string[],
): { command: CommandUnknownOpts; rest: string } {
  let command = program
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    if (withValue.has(word)) {
      index += 1
      continue
    }
    const found = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word))
    if (found === undefined) {
      if (word.startsWith('-')) continue
      return { command, rest: word }
    }
    command = found
  }
  return { command, rest: '' }
}

/** An option is no value of the option before it, such as `--secret --json`. Throws `UsageError`. */
function assertValues(program: CommandUnknownOpts, argv: readonly string[]): void {
  const { command } = commandOf(program, argv)
  const options = [...(impliedBy(command) ?? command).options, ...program.options]
  for (const [index, word] of argv.entries()) {
    if (word === '--') return
    const option = options.find((each) => each.long === word || each.short === word)
    const value = argv[index + 1]
    if (!option?.required || value === undefined) continue
    if (options.some((each) => each.long !== undefined && each.long === value)) {
      throw new UsageError(
        `${word} requires a value. To use "${value}" as the value: ${word}=${value}`,
      )
    }
  }
}
