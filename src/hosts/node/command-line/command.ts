import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { ErrorCode } from '#contract/errors.ts'
import { asStarted, io } from './io.ts'

// Every command is defined once, with commander: its name, description, arguments, options with their types and defaults, examples and action.
// The parser, help, suggestions, shell completion and the reference are derived from that definition.

/** See `exitCodes`. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130

export const exitCodes: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [0, 'success'],
  [1, 'failed or negative result'],
  [2, 'usage or missing input'],
  [3, 'not found'],
  [4, 'refused for safety'],
  [130, 'interrupted'],
]

/** For errors that are neither a failure nor a negative result (1). */
export const errorExitCodes: Partial<Record<ErrorCode, ExitCode>> = {
  bad_input: 2,
  bad_filter: 2,
  file_exists: 2,
  not_found: 3,
  confirmation_required: 4,
  access_off: 4,
  declined: 4,
  target_unconfirmed: 4,
  server_unconfirmed: 4,
  other_origin: 4,
}

export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['TABSCOPE_DATA', 'Data folder; --data takes precedence'],
  ['NO_COLOR', 'Use no colors'],
  ['FORCE_COLOR', 'Use colors even if the output is not a terminal'],
]

/** `command`: without `tabscope`. */
export type Example = readonly [purpose: string, command: string]

const examples = new WeakMap<CommandUnknownOpts, readonly Example[]>()
const notes = new WeakMap<CommandUnknownOpts, { title: string; text: string }>()
const defaults = new WeakMap<CommandUnknownOpts, CommandUnknownOpts>()
const helpWidth = 80

export function newCommand(name: string) {
  return new Command(name)
    .exitOverride()
    .helpOption('-h, --help', 'Show help for this command')
    .configureHelp({ helpWidth, showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(asStarted(text)),
      writeErr: () => undefined,
      outputError: () => undefined,
    })
}

/**
 * `description` is one sentence in the imperative, without a full stop; the caller adds arguments, options and the action. After a single example comes
 * the same with `--json`.
 */
export function defineCommand(
  name: string,
  description: string,
  [first, ...others]: readonly [Example, ...Example[]],
) {
  const json: Example = ['As JSON', `${first[1]} --json`]
  const shown = [first, ...(others.length === 0 ? [json] : others)]
  const command = newCommand(name).description(description)
  examples.set(command, shown)
  return command.addHelpText('after', () => examplesText(shown))
}

/** `list` gets the alias `ls`, `remove` and `delete` get `rm`. `implied`: the subcommand that runs if none is named. */
export function group(
  name: string,
  description: string,
  subcommands: readonly CommandUnknownOpts[],
  implied?: CommandUnknownOpts,
) {
  const command = newCommand(name).description(description).helpCommand(false)
  if (implied !== undefined) defaults.set(command, implied)
  for (const each of subcommands) {
    const alias = { list: 'ls', remove: 'rm', delete: 'rm' }[each.name()]
    if (alias !== undefined) each.alias(alias)
    command.addCommand(each, { isDefault: each === implied })
  }
  return command
}

/** A section of the help. Its lines have at most 80 characters. */
export function withNotes<C extends CommandUnknownOpts>(
  command: C,
  title: string,
  text: string,
): C {
  notes.set(command, { title, text })
  command.addHelpText('after', `\n${title}:\n${text}`)
  return command
}

export function notesOf(command: CommandUnknownOpts): { title: string; text: string } | undefined {
  return notes.get(command)
}

export function impliedBy(command: CommandUnknownOpts): CommandUnknownOpts | undefined {
  return defaults.get(command)
}

/** Empty for a group. */
export function examplesOf(command: CommandUnknownOpts): readonly Example[] {
  return examples.get(command) ?? []
}

function examplesText(shown: readonly Example[]): string {
  const lines = shown.map(([purpose, command]) => `  # ${purpose}\n  $ ${shellLines(command)}`)
  return `\nExamples:\n${lines.join('\n\n')}`
}

function shellLines(command: string): string {
  const parts = ['tabscope']
  let quoted = false
  for (const word of command.split(' ')) {
    if (word.startsWith('-') && !quoted) parts.push(word)
    else parts[parts.length - 1] += ` ${word}`
    if (word.split("'").length % 2 === 0) quoted = !quoted
  }
  const lines = ['']
  for (const part of parts) {
    const last = lines.at(-1) ?? ''
    // Room for the indentation and ` \`.
    if (last.length + part.length < helpWidth - 7)
      lines[lines.length - 1] = last === '' ? part : `${last} ${part}`
    else lines.push(`    ${part}`)
  }
  return lines.join(' \\\n')
}

/** Set by the action that ran last. */
export const outcome: { exitCode: number } = { exitCode: 0 }

/** `run` returns or resolves to undefined for 0. Only the command `run` has other codes than `ExitCode`: those of what it runs. */
export function action<A extends unknown[]>(
  run: (...args: A) => Promise<number | undefined> | number | undefined,
): (...args: A) => Promise<void> {
  return async (...args) => {
    outcome.exitCode = (await run(...args)) ?? 0
  }
}
