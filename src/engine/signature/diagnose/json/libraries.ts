import type { TimeBudget } from '../time-budget.ts'
import { parseDocument, type JsonDocument } from './document.ts'
import { escapeRules, writeString, type EscapeRuleName } from './escapes.ts'
import { fill, keptTemplate, layouts, template, type LayoutName } from './layouts.ts'
import { memberRules, orderRules } from './members.ts'
import { numberRule, type NumberRuleName } from './numbers.ts'

/** One way to parse JSON and write it again with a well-known library. */
export interface Library {
  /** "Python’s json.dumps" */
  readonly name: string
  /** Grows with how rarely it is used. Names with a lower cost are preferred. */
  readonly cost: number
  readonly escapes: EscapeRuleName
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
  escapes: EscapeRuleName,
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

const php = { layouts: ['compact', 'four'] } as const satisfies Options
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

/**
 * What each writes was recorded with PHP 8.2, Python 3.11, Ruby 3.1, Rails 6.1, Go 1.19, Jackson 2.14 and Gson 2.10. Newtonsoft.Json, System.Text.Json,
 * Swift, Moshi, kotlinx.serialization and org.json follow their documentation and source.
 */
export const libraries: readonly Library[] = [
  library('JSON.stringify of JavaScript', 2, 'none', 'javascript', { order: 'indexesFirst' }),
  library('json.dumps of Python', 2, 'python', 'python', {
    layouts: ['spaced', 'two', 'four', 'compact'],
  }),
  library('json_encode of PHP', 2, 'php', 'php', php),
  library('json.dumps of Python with ensure_ascii=False', 3, 'none', 'python', {
    layouts: ['spaced', 'compact', 'two', 'four'],
  }),
  library('json_encode of PHP with JSON_UNESCAPED_SLASHES', 3, 'phpUnicode', 'php', php),
  library('json_encode of PHP with JSON_UNESCAPED_UNICODE', 3, 'phpSlashes', 'php', php),
  library(
    'json_encode of PHP with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE',
    3,
    'separators',
    'php',
    php,
  ),
  library('Jackson', 3, 'noneUpper', 'java', jackson),
  library('Gson', 3, 'gson', 'kept', gson),
  library('json.Marshal of Go', 3, 'html', 'go', go),
  library('System.Text.Json of .NET', 3, 'systemText', 'kept', net),
  library('Newtonsoft.Json of .NET', 3, 'newtonsoft', 'kept', net),
  library('JSON.generate of Ruby', 3, 'none', 'ruby', ruby),
  library('to_json of Rails', 3, 'html', 'ruby', one),
  library('Jackson as bytes', 4, 'pairsUpper', 'java', jackson),
  library('Jackson without null', 4, 'noneUpper', 'java', { ...jackson, members: 'noNulls' }),
  library('Jackson with sorted keys', 4, 'noneUpper', 'java', { ...jackson, order: 'sorted' }),
  library('Jackson with ESCAPE_NON_ASCII', 4, 'asciiUpper', 'java', jackson),
  library('Jackson with ESCAPE_FORWARD_SLASHES', 5, 'slashesUpper', 'java', jackson),
  library('Gson of objects without types', 4, 'gson', 'doubles', gson),
  library('Gson with null', 4, 'gson', 'kept', { layouts: ['compact', 'two'] }),
  library('Gson with disableHtmlEscaping', 4, 'separators', 'kept', gson),
  library('Encoder of Go', 4, 'html', 'go', { ...go, end: '\n' }),
  library('json.Marshal of Go in struct order', 4, 'html', 'go', { ...go, order: null }),
  library('json.Marshal of Go before 1.22', 4, 'htmlLong', 'go', go),
  library('Encoder of Go before 1.22', 5, 'htmlLong', 'go', { ...go, end: '\n' }),
  library('Encoder of Go with SetEscapeHTML(false)', 4, 'separators', 'go', { ...go, end: '\n' }),
  library('Encoder of Go before 1.22 with SetEscapeHTML(false)', 5, 'separatorsLong', 'go', {
    ...go,
    end: '\n',
  }),
  library('json.Marshal of Go with UseNumber', 4, 'html', 'kept', go),
  library('json.Marshal of Go before 1.22 with UseNumber', 5, 'htmlLong', 'kept', go),
  library('json.RawMessage of Go', 4, 'htmlKept', 'kept', { ...one, members: 'lastOfEqual' }),
  library('json.dumps of Python with sort_keys', 4, 'python', 'python', {
    layouts: ['spaced', 'compact', 'two', 'four'],
    order: 'sorted',
  }),
  library('json_encode of PHP with arrays for objects', 4, 'php', 'php', {
    ...php,
    members: 'objectsAsArrays',
  }),
  library(
    'json_encode of PHP with arrays for objects, JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE',
    5,
    'separators',
    'php',
    {
      ...php,
      members: 'objectsAsArrays',
    },
  ),
  library(
    'json_encode of PHP with arrays for objects and JSON_UNESCAPED_SLASHES',
    5,
    'phpUnicode',
    'php',
    {
      ...php,
      members: 'objectsAsArrays',
    },
  ),
  library(
    'json_encode of PHP with arrays for objects and JSON_UNESCAPED_UNICODE',
    5,
    'phpSlashes',
    'php',
    {
      ...php,
      members: 'objectsAsArrays',
    },
  ),
  library(
    'json_encode of PHP with arrays for objects, JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT',
    6,
    'phpHex',
    'php',
    { ...php, members: 'objectsAsArrays' },
  ),
  library(
    'json_encode of PHP with arrays for objects, JSON_PRESERVE_ZERO_FRACTION',
    6,
    'php',
    'phpZero',
    { ...php, members: 'objectsAsArrays' },
  ),
  library(
    'json_encode of PHP with JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT',
    5,
    'phpHex',
    'php',
    php,
  ),
  library('json_encode of PHP with JSON_PRESERVE_ZERO_FRACTION', 4, 'php', 'phpZero', php),
  library('to_json of Rails with BigDecimal', 5, 'html', 'bigDecimal', one),
  library('Newtonsoft.Json of .NET with doubles', 5, 'newtonsoft', 'java', net),
  library('Newtonsoft.Json of .NET with EscapeHtml', 5, 'newtonsoftHtml', 'kept', net),
  library('Newtonsoft.Json of .NET with EscapeNonAscii', 5, 'newtonsoftAscii', 'kept', net),
  library('System.Text.Json of .NET with doubles', 4, 'systemText', 'javascript', net),
  library(
    'System.Text.Json of .NET with UnsafeRelaxedJsonEscaping',
    4,
    'systemTextRelaxed',
    'kept',
    net,
  ),
  library('JSONEncoder of Swift', 4, 'slashes', 'javascript', swift),
  library('JSONEncoder of Swift with sortedKeys', 5, 'slashes', 'javascript', {
    ...swift,
    order: 'sorted',
  }),
  library('kotlinx.serialization', 4, 'none', 'java', { layouts: ['compact', 'four'] }),
  library('Moshi', 5, 'separators', 'java', { ...gson, layouts: ['compact', 'two'] }),
  library('org.json', 5, 'orgJson', 'java', { layouts: ['compact', 'two', 'four'] }),
]

/** As the library writes the document, in each of its layouts. */
export async function* writings(
  document: JsonDocument,
  { escapes, numbers, layouts: names, order, members, end }: Library,
  budget: TimeBudget,
): AsyncIterable<string> {
  const chosen = memberRules[members].rewrite(document.root)
  const root = order === null ? chosen : orderRules[order].rewrite(chosen)
  const strings = document.strings.map((inside) => writeString(inside, escapeRules[escapes]))
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
    const from = escapeRules[each.escapes].keeps ? other : document
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
