import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { pathOf } from '#hosts/node/command-line/program.ts'

/** Sorted by full name. */
export function leavesOf(program: CommandUnknownOpts): CommandUnknownOpts[] {
  const all = (command: CommandUnknownOpts): CommandUnknownOpts[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(all)
  return program.commands.flatMap(all).toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
}

/** `tabscope export [options] <file>`, without the aliases. */
export function usageOf(command: CommandUnknownOpts): string {
  return `${pathOf(command)} ${command.usage()}`.trim()
}

/** As in the help, except `--help`. */
export function optionsOf(command: CommandUnknownOpts): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
}

/** With choices and the default value. */
export function optionText(option: Option): string {
  const { description, defaultValue, defaultValueDescription, argChoices } = option
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
  const hasDefault = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  return `${description}${choices}${hasDefault ? ` (default: ${defaultValueDescription ?? defaultValue})` : ''}`
}
