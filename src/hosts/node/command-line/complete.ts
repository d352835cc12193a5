import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'

export interface Completions {
  readonly candidates: readonly { readonly value: string; readonly description: string }[]
  /** A file or folder is valid here. */
  readonly files: boolean
}

const none: Completions = { candidates: [], files: false }

/** For the last word after `tabscope`, which may be empty. `types`: the event types, for values named `<type>` or `<types>`. */
export function complete(
  program: CommandUnknownOpts,
  words: readonly string[],
  types: readonly string[],
): Completions {
  const last = words.at(-1) ?? ''
  const { command, position, pending, onlyArguments } = before(program, words.slice(0, -1))
  if (pending !== undefined) return valuesOf(pending, last, '', types)
  if (!onlyArguments && last.startsWith('-')) {
    const at = last.indexOf('=')
    if (at === -1) return fitting(last, optionsOf(program, command).map(namedOption))
    const name = last.slice(0, at)
    const option = optionsOf(program, command).find(({ long }) => long === name)
    return option?.required ? valuesOf(option, last, `${name}=`, types) : none
  }
  if (command.commands.length > 0) {
    return fitting(
      last,
      command.commands
        .map((each) => ({ value: each.name(), description: each.description() }))
        .toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    )
  }
  const definitions = command.registeredArguments
  const argument = definitions[position] ?? definitions.findLast(({ variadic }) => variadic)
  return argument === undefined ? none : valuesOf(argument, last, '', types)
}

interface Before {
  /** The innermost that the words name. */
  readonly command: CommandUnknownOpts
  readonly position: number
  /** Its value comes next. */
  readonly pending: Option | undefined
  readonly onlyArguments: boolean
}

function before(program: CommandUnknownOpts, words: readonly string[]): Before {
  let command = program
  let position = 0
  let pending: Option | undefined
  let onlyArguments = false
  for (const [index, word] of words.entries()) {
    if (pending !== undefined) {
      pending = undefined
      continue
    }
    if (!onlyArguments && word === '--') onlyArguments = true
    else if (!onlyArguments && word.startsWith('-')) {
      const option = optionsOf(program, command).find(
        ({ long, short }) => long === word || short === word,
      )
      if (option?.required) pending = option
    } else {
      const found = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word))
      if (found !== undefined) command = found
      // `help` goes before the name of a command.
      else if (!(index === 0 && word === 'help')) position += 1
    }
  }
  return { command, position, pending, onlyArguments }
}

function optionsOf(program: CommandUnknownOpts, command: CommandUnknownOpts): Option[] {
  const help = command.createHelp()
  const own = help.visibleOptions(command)
  return command === program ? own : [...own, ...help.visibleOptions(program)]
}

function namedOption({ long, short, description }: Option) {
  return { value: long ?? short ?? '', description }
}

function valuesOf(
  definition: Option | Argument,
  last: string,
  prefix: string,
  types: readonly string[],
): Completions {
  const placeholder = /[<[]([a-z-]+)/.exec(
    'flags' in definition ? definition.flags : `<${definition.name()}>`,
  )?.[1]
  const isList = placeholder?.endsWith('s') ?? false
  const given = last.slice(prefix.length)
  const kept = prefix + (isList ? given.slice(0, given.lastIndexOf(',') + 1) : '')
  const choices = choicesOf(definition) ?? (/^types?$/.test(placeholder ?? '') ? types : [])
  return {
    ...fitting(
      last,
      choices.map((value) => ({ value: kept + value, description: '' })),
    ),
    files: /^(?:file|dir|log)$/.test(placeholder ?? ''),
  }
}

function choicesOf({ argChoices, parseArg }: Option | Argument): readonly string[] | undefined {
  if (argChoices !== undefined) return argChoices
  const parser: unknown = parseArg
  return typeof parser === 'function' && 'choices' in parser && Array.isArray(parser.choices)
    ? parser.choices.map(String)
    : undefined
}

function fitting(last: string, candidates: Completions['candidates']): Completions {
  const unique = new Map(candidates.map((each) => [each.value, each]))
  return {
    candidates: [...unique.values()].filter(({ value }) => value.startsWith(last)),
    files: false,
  }
}
