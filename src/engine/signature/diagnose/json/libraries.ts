import type { TimeBudget } from '../time-budget.ts'
import { parseDocument, type JsonDocument } from './document.ts'
import {
  beyondAscii,
  escapeRule,
  escapeRules as rules,
  hexClasses,
  slashClasses,
  writeString,
  type EscapeRule,
} from './escapes.ts'
import { fill, keptTemplate, layouts, template, type LayoutName } from './layouts.ts'
import { memberRules, orderRules } from './members.ts'
import { numberRule, type NumberRuleName } from './numbers.ts'

/** One way to parse JSON and write it again with a well-known library. */
export interface Library {
  /** "Python’s json.dumps" */
  readonly name: string
  /** Grows with how rarely it is used. Names with a lower cost are preferred. */
  readonly cost: number
  readonly escapes: EscapeRule
  readonly numbers: NumberRuleName
  /** The default first; each further one costs 1 more. Null: as received. */
  readonly layouts: readonly (LayoutName | null)[]
  readonly order: keyof typeof orderRules | null
  readonly members: keyof typeof memberRules
  readonly end: '' | '\n'
}

type Options = Partial<Omit<Library, 'name' | 'cost' | 'escapes' | 'numbers'>>

function library(
  name: string,
  cost: number,
  escapes: EscapeRule,
  numbers: NumberRuleName,
  options: Options = {},
): Library {
  return {
    name,
    cost,
    escapes,
    numbers,
    layouts: ['compact', 'two', 'four'],
    order: null,
    members: 'lastOfEqual',
    end: '',
    ...options,
  }
}

const net = { layouts: ['compact', 'two', 'twoWindows'] } as const satisfies Options
const jackson = { layouts: ['compact', 'jackson', 'jacksonWindows'] } as const satisfies Options
const gson = { layouts: ['compact', 'two'], members: 'noNulls' } as const satisfies Options
const go = {
  layouts: ['compact', 'two', 'tab', 'four'],
  order: 'sorted',
} as const satisfies Options
const ruby = { layouts: ['compact', 'ruby', 'two', 'rubyWindows'] } as const satisfies Options
const swift = { layouts: ['compact', 'swift'] } as const satisfies Options
const one = { layouts: ['compact'] } as const satisfies Options

/** Flags of json_encode, with how rare they are. They are independent. */
const phpFlags = [
  ['JSON_UNESCAPED_SLASHES', 1],
  ['JSON_UNESCAPED_UNICODE', 1],
  ['JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT', 3],
  ['JSON_PRESERVE_ZERO_FRACTION', 2],
] as const

/** Every set of flags, and each with empty arrays for empty objects, which PHP writes unless it decodes to objects. */
function phpLibraries(): Library[] {
  return Array.from({ length: 1 << phpFlags.length }, (_, set) => {
    const has = (flag: number): boolean => (set & (1 << flag)) !== 0
    const flags = phpFlags.filter((_flag, index) => has(index))
    const cost = 2 + flags.reduce((sum, [, more]) => sum + more, 0) - Number(has(0) && has(1))
    const escapes = escapeRule(
      [
        ...(has(0) ? [] : slashClasses),
        ...(has(1) ? (['line separator'] as const) : beyondAscii),
        ...(has(2) ? hexClasses : []),
      ],
      { upper: ['ascii'] },
    )
    const names = flags.map(([name]) => name)
    const one = library(
      nameWith('json_encode of PHP', names),
      cost,
      escapes,
      has(3) ? 'phpZero' : 'php',
      {
        layouts: ['compact', 'four'],
      },
    )
    const withArrays = nameWith('json_encode of PHP', ['arrays for objects', ...names])
    return [one, { ...one, name: withArrays, cost: cost + 2, members: 'objectsAsArrays' } as const]
  }).flat()
}

function nameWith(name: string, options: readonly string[]): string {
  return options.length === 0 ? name : `${name} with ${options.join(' and ')}`
}

/**
 * What each writes was recorded with PHP 8.2, Python 3.11, Ruby 3.1, Rails 6.1, Go 1.19, Jackson 2.14 and Gson 2.10. Newtonsoft.Json, System.Text.Json,
 * Swift, Moshi, kotlinx.serialization and org.json follow their documentation and source.
 */
export const libraries: readonly Library[] = [
  library('JSON.stringify of JavaScript', 2, rules.none, 'javascript', { order: 'indexesFirst' }),
  library('json.dumps of Python', 2, rules.python, 'python', {
    layouts: ['spaced', 'two', 'four', 'compact'],
  }),
  ...phpLibraries(),
  library('json.dumps of Python with ensure_ascii=False', 3, rules.none, 'python', {
    layouts: ['spaced', 'compact', 'two', 'four'],
  }),
  library('Jackson', 3, rules.noneUpper, 'java', jackson),
  library('Gson', 3, rules.gson, 'kept', gson),
  library('json.Marshal of Go', 3, rules.html, 'go', go),
  library('System.Text.Json of .NET', 3, rules.systemText, 'kept', net),
  library('Newtonsoft.Json of .NET', 3, rules.newtonsoft, 'kept', net),
  library('JSON.generate of Ruby', 3, rules.none, 'ruby', ruby),
  library('to_json of Rails', 3, rules.html, 'ruby', one),
  library('Jackson as bytes', 4, rules.pairsUpper, 'java', jackson),
  library('Jackson without null', 4, rules.noneUpper, 'java', { ...jackson, members: 'noNulls' }),
  library('Jackson with sorted keys', 4, rules.noneUpper, 'java', { ...jackson, order: 'sorted' }),
  library('Jackson with ESCAPE_NON_ASCII', 4, rules.asciiUpper, 'java', jackson),
  library('Jackson with ESCAPE_FORWARD_SLASHES', 5, rules.slashesUpper, 'java', jackson),
  library('Gson of objects without types', 4, rules.gson, 'doubles', gson),
  library('Gson with null', 4, rules.gson, 'kept', { layouts: ['compact', 'two'] }),
  library('Gson with disableHtmlEscaping', 4, rules.separators, 'kept', gson),
  library('Encoder of Go', 4, rules.html, 'go', { ...go, end: '\n' }),
  library('json.Marshal of Go in struct order', 4, rules.html, 'go', { ...go, order: null }),
  library('json.Marshal of Go before 1.22', 4, rules.htmlLong, 'go', go),
  library('Encoder of Go before 1.22', 5, rules.htmlLong, 'go', { ...go, end: '\n' }),
  library('Encoder of Go with SetEscapeHTML(false)', 4, rules.separators, 'go', {
    ...go,
    end: '\n',
  }),
  library('Encoder of Go before 1.22 with SetEscapeHTML(false)', 5, rules.separatorsLong, 'go', {
    ...go,
    end: '\n',
  }),
  library('json.Marshal of Go with UseNumber', 4, rules.html, 'kept', go),
  library('json.Marshal of Go before 1.22 with UseNumber', 5, rules.htmlLong, 'kept', go),
  library('json.RawMessage of Go', 4, rules.htmlKept, 'kept', one),
  library('json.dumps of Python with sort_keys', 4, rules.python, 'python', {
    layouts: ['spaced', 'compact', 'two', 'four'],
    order: 'sorted',
  }),
  library('to_json of Rails with BigDecimal', 5, rules.html, 'bigDecimal', one),
  library('Newtonsoft.Json of .NET with doubles', 5, rules.newtonsoft, 'java', net),
  library('Newtonsoft.Json of .NET with EscapeHtml', 5, rules.newtonsoftHtml, 'kept', net),
  library('Newtonsoft.Json of .NET with EscapeNonAscii', 5, rules.newtonsoftAscii, 'kept', net),
  library('System.Text.Json of .NET with doubles', 4, rules.systemText, 'javascript', net),
  library(
    'System.Text.Json of .NET with UnsafeRelaxedJsonEscaping',
    4,
    rules.systemTextRelaxed,
    'kept',
    net,
  ),
  library('JSONEncoder of Swift', 4, rules.slashes, 'javascript', swift),
  library('JSONEncoder of Swift with sortedKeys', 5, rules.slashes, 'javascript', {
    ...swift,
    order: 'sorted',
  }),
  library('kotlinx.serialization', 4, rules.none, 'java', { layouts: ['compact', 'four'] }),
  library('Moshi', 5, rules.separators, 'java', { ...gson, layouts: ['compact', 'two'] }),
  library('org.json', 5, rules.orgJson, 'java', { layouts: ['compact', 'two', 'four'] }),
]

/** As the library writes the document, in each of its layouts. */
export async function* writings(
  document: JsonDocument,
  { escapes, numbers, layouts: names, order, members, end }: Library,
  budget: TimeBudget,
): AsyncIterable<string> {
  const chosen = memberRules[members].rewrite(document.root)
  const root = order === null ? chosen : orderRules[order].rewrite(chosen)
  const strings = document.strings.map((inside) => writeString(inside, escapes))
  const numerals = document.numbers.map(({ raw }) => numberRule(numbers)(raw))
  for (const name of names) {
    const made =
      name === null ? keptTemplate(document) : await template(root, layouts[name], budget)
    yield fill(made, strings, numerals) + end
  }
}

export interface Producer {
  readonly name: string
  readonly cost: number
}

/** The libraries that write this text again when they parse it, the most common first. `without`: a text that they would also leave as it is. */
export async function producersOf(
  text: string,
  without: string,
  budget: TimeBudget,
): Promise<Producer[]> {
  const document = await parseDocument(text, true, budget)
  const other = await parseDocument(without, true, budget)
  if ('fault' in document) return []
  const found: (Producer & { readonly keeps: boolean })[] = []
  for (const each of libraries) {
    // What keeps escapes does not tell how they came about: only what it makes of the other text does.
    const from = each.escapes.keeps ? other : document
    if ('fault' in from || !(await leaves(from, each, text, budget))) continue
    const keeps = !('fault' in other) && (await leaves(other, each, without, budget))
    found.push({ name: each.name, cost: each.cost, keeps })
  }
  const changing = found.filter(({ keeps }) => !keeps)
  return (changing.length > 0 ? changing : found)
    .map(({ name, cost }) => ({ name, cost }))
    .toSorted((a, b) => a.cost - b.cost)
}

async function leaves(
  document: JsonDocument,
  each: Library,
  text: string,
  budget: TimeBudget,
): Promise<boolean> {
  for await (const written of writings(document, each, budget)) if (written === text) return true
  return false
}
