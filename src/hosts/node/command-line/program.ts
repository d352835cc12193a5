import { CommanderError, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { readConfiguration } from '../../configuration.ts'
import { nearestOf } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import { environment, exitCodes, impliedBy, newCommand } from './command.ts'
import { version } from '../version.ts'
import { configured, globals } from './globals.ts'

interface CommandFile {
  readonly command: CommandUnknownOpts
}

/** One file for each command; its name is the file's. Loaded when it is asked for. */
const files = import.meta.glob<CommandFile>('../commands/*.ts')

function fileOf(name: string): (() => Promise<CommandFile>) | undefined {
  return Object.entries(files).find(([path]) => path === `../commands/${name}.ts`)?.[1]
}

/** The names of all commands, in alphabetical order. */
export const commandNames: readonly string[] = Object.keys(files)
  .map((path) => path.slice('../commands/'.length, -'.ts'.length))
  .toSorted()

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

/** The command line with the commands that `argv` needs: the one it names, or all of them for the list. */
export async function createProgram(argv: readonly string[]): Promise<CommandUnknownOpts> {
  const program = emptyProgram()
  const name = nameOf(argv)
  const file = name === undefined ? undefined : fileOf(name)
  if (file !== undefined) program.addCommand(adopted((await file()).command))
  else if (name === undefined) await addAll(program)
  else throw unknownCommand(name)
  return program
}

/** The command line with all of its commands. */
export async function wholeProgram(): Promise<CommandUnknownOpts> {
  const program = emptyProgram()
  await addAll(program)
  return program
}

async function addAll(program: CommandUnknownOpts): Promise<void> {
  const all = await Promise.all(Object.values(files).map((load) => load()))
  for (const { command } of all) program.addCommand(adopted(command))
}

/** Subcommands refuse what they do not take. */
function adopted(command: CommandUnknownOpts): CommandUnknownOpts {
  for (const each of [command, ...command.commands]) each.allowExcessArguments(false)
  return command
}

function emptyProgram(): CommandUnknownOpts {
  const program: CommandUnknownOpts = newCommand('tabscope')
  program
    .description(description)
    .usage('<command> [options]')
    .version(`tabscope ${version()}`, '-V, --version', 'Show the version')
    .option('--data <dir>', 'The data folder')
    .addOption(new Option('--data-dir <dir>', 'The former name of --data').hideHelp())
    .option('--json', 'Print one JSON object a line')
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
    .on('option:color', (when: string) => setColor(when))
    .hook('preAction', (_program, action) => {
      const { color, utc = false } = configured(readConfiguration)
      // An environment variable goes before the file.
      const { NO_COLOR, FORCE_COLOR } = process.env
      if (program.getOptionValueSource('color') === 'default' && !NO_COLOR && !FORCE_COLOR) {
        setColor(color ?? 'auto')
      }
      Object.assign(globals, { utc, ...action.optsWithGlobals() })
    })
  return program
}

/** As the environment variables that everything which prints looks at. */
function setColor(when: string): void {
  if (when === 'auto') return
  const [set, unset] = when === 'always' ? ['FORCE_COLOR', 'NO_COLOR'] : ['NO_COLOR', 'FORCE_COLOR']
  process.env[set] = '1'
  delete process.env[unset]
}

/** Global options that take a value, which is not the name of a command. */
const withValue: ReadonlySet<string> = new Set(['--data', '--data-dir', '--color'])

/** Where the first word stands that is neither a global option nor the value of one; -1: nowhere. */
function firstWord(argv: readonly string[]): number {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    if (withValue.has(word)) index += 1
    else if (!word.startsWith('-')) return index
  }
  return -1
}

/** The name of the command that the words are of; undefined: they name none. */
function nameOf(argv: readonly string[]): string | undefined {
  return argv[firstWord(argv)]
}

function unknownCommand(name: string): UsageError {
  const near = nearestOf(name, commandNames)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return new UsageError(`Unknown command "${name}".${hint} To list all commands: tabscope help`)
}

/**
 * Runs the words behind `tabscope`. The action of the command sets `process.exitCode`. Throws `UsageError` with one line where they cannot be
 * understood, and what the command throws.
 */
export async function run(argv: readonly string[]): Promise<void> {
  const [first, mode = ''] = argv
  if (first === 'completion' && /^--complete(?:-next)?$/.test(mode)) {
    return printCompletions([...argv.slice(3), ...(mode === '--complete' ? [] : [''])])
  }
  const words = withoutHelpWord(argv)
  const program = await createProgram(words)
  assertValues(program, words)
  if (nameOf(words) === undefined && words.every((word) => !isHelpOrVersion(word))) {
    process.stderr.write(program.helpInformation())
    process.exitCode = 2
    return
  }
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return
    throw new UsageError(usageMessage(program, words, error))
  }
}

/** What can stand in the place of the last word, for the scripts of `tabscope completion`: a line each, then `:files` where a file can. */
async function printCompletions(words: readonly string[]): Promise<void> {
  const [{ complete }, { eventTypes }] = await Promise.all([
    import('./complete.ts'),
    import('#catalogue/catalogue.ts'),
  ])
  const name = nameOf(words.slice(0, -1))
  const isKnown = name !== undefined && fileOf(name) !== undefined
  const program = isKnown ? await createProgram([name]) : await wholeProgram()
  const types = eventTypes.map(({ type }) => type)
  const { candidates, files } = complete(program, words, types)
  const lines = candidates.map(({ value, description: text }) => `${value}\t${text}`)
  process.stdout.write([...lines, ...(files ? [':files'] : [])].map((line) => `${line}\n`).join(''))
}

function isHelpOrVersion(word: string): boolean {
  return /^(?:--help|-h|--version|-V)$/.test(word)
}

/** `help NAME ...` as `NAME ... --help`, which every command understands. */
function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const at = firstWord(argv)
  return argv[at] === 'help' ? [...argv.toSpliced(at, 1), '--help'] : argv
}

/** One line from what commander says: `error: unknown option '--x'` and, on a line of its own, `(Did you mean --y?)`. */
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
  const group = commandOf(program, argv)
  if (code === 'commander.excessArguments' && group.command.commands.length > 0) {
    return unknownSubcommand(group.command, argv[group.from] ?? '')
  }
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n')
  const hint = more.map((line) => ` ${line.replace(/^\(|\)$/g, '')}`).join('')
  const sentence = first.charAt(0).toUpperCase() + first.slice(1)
  return `${sentence.replace(/\.?$/, '.')}${hint}`
}

/** For a group with a default subcommand, which would take the word as an argument. */
function unknownSubcommand(group: CommandUnknownOpts, word: string): string {
  const names = group.commands.map((each) => each.name())
  const near = nearestOf(word, names)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return `Unknown command "${word}".${hint} ${pathOf(group)} takes: ${names.join(', ')}.`
}

/** `tabscope deliveries list` */
export function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

/** The command that the words name as far as they name one, and where its own words begin. */
function commandOf(
  program: CommandUnknownOpts,
  argv: readonly string[],
): { command: CommandUnknownOpts; from: number } {
  let command = program
  let from = 0
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    if (withValue.has(word)) {
      index += 1
      continue
    }
    const found = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word))
    if (found === undefined) {
      if (word.startsWith('-')) continue
      break
    }
    command = found
    from = index + 1
  }
  return { command, from }
}

/** An option of the same command is not taken as the value of the option before it: `--secret --json`. Throws `UsageError`. */
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
