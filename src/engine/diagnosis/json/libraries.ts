import type { TimeBudget } from '../time-budget.ts'
import { parseDocument, type JsonDocument, type JsonNode } from './document.ts'
import { libraryEscapes, writeString, type EscapeRule } from './escapes.ts'
import { fill, keptTemplate, layouts, template, type LayoutName, type Template } from './layouts.ts'
import { memberRules, orderRules } from './members.ts'
import { isRoundedFrom, numberRules, originalsOf, type NumberRuleName } from './numbers.ts'

/** One way to parse JSON and write it again with a well-known library. */
export interface Library {
  readonly name: string
  /** Of what was recorded, or the source of the row: "2.14". */
  readonly version: string
  /** Grows with how rarely it is used. Names with a lower cost are preferred. */
  readonly cost: number
  readonly escapes: EscapeRule
  readonly numbers: NumberRuleName
  /** The default first; each further one costs 1 more. Null: as received. */
  readonly layouts: readonly (LayoutName | null)[]
  readonly order: keyof typeof orderRules | null
  /** The keys are in an order that differs from one time to the next; `order` is for comparing. */
  readonly isUnordered: boolean
  readonly members: keyof typeof memberRules
  readonly start: '' | '\n'
  readonly end: '' | '\n'
}

const table = `
JSON.stringify of JavaScript | Node 24 | 2 | compact two four tab |  | javascript | indexesFirst
json.dumps of Python | 3.11 | 2 | spaced two four compact tab one | ascii delete | python
json.dumps of Python with ensure_ascii=False | 3.11 | 3 | spaced two four compact tab one |  | python
Jackson | 2.14 | 3 | compact jackson jacksonWindows | ^control | java
Gson | 2.10 | 3 | compact two | html separator apostrophe equals | kept | noNulls
json.Marshal of Go | 1.19 | 3 | compact two tab four | html separator | go | sorted
System.Text.Json of .NET | source | 3 | compact two twoWindows | html apostrophe quote plus backtick delete ascii ^ | kept
Newtonsoft.Json of .NET | 6.0 | 3 | compact two twoWindows | newline separator | net | times
JSON.generate of Ruby | 2.6 | 3 | compact ruby two rubyWindows |  | ruby
to_json of Rails | 6.1 | 3 | compact | html separator | ruby
serde_json of Rust | 1.0 | 3 | compact two |  | rust | sorted
PostgreSQL’s jsonb | 15 | 3 | spaced brackets |  | postgres | byLength
json_build_object of PostgreSQL | 15 | 5 | aroundColons |  | kept
PostgreSQL’s json, SQLite or MariaDB | 15 | 5 | compact spaced |  | kept
canonical JSON (RFC 8785) | 4.0 | 4 | compact two four tab |  | javascript | sorted
Jackson as bytes | 2.14 | 4 | compact jackson jacksonWindows | pair ^ | java
Jackson without null | 2.14 | 4 | compact jackson jacksonWindows | ^control | java | noNulls
Jackson with sorted keys | 2.14 | 4 | compact jackson jacksonWindows | ^control | java | sorted
Jackson with ESCAPE_NON_ASCII | 2.14 | 4 | compact jackson jacksonWindows | ascii ^ | java
Jackson with ESCAPE_FORWARD_SLASHES | source | 5 | compact jackson jacksonWindows | slash ^control | java
Jackson with BigDecimal | 2.14 | 5 | compact jackson jacksonWindows | ^control | strippedDecimal
Gson of objects without types | 2.10 | 4 | compact two | html separator apostrophe equals | doubles | noNulls
Gson with null | 2.10 | 4 | compact two | html separator apostrophe equals | kept
Gson with disableHtmlEscaping | 2.10 | 4 | compact two | separator | kept | noNulls
Gson with null and disableHtmlEscaping | 2.10 | 5 | compact two | separator | kept
Encoder of Go | 1.19 | 4 | compact two tab four | html separator | go | sorted LF
json.Marshal of Go in struct order | 1.19 | 4 | compact two tab four | html separator | go
json.Marshal of Go before 1.22 | 1.19 | 4 | compact two tab four | html separator long | go | sorted
Encoder of Go before 1.22 | 1.19 | 5 | compact two tab four | html separator long | go | sorted LF
Encoder of Go with SetEscapeHTML(false) | 1.19 | 4 | compact two tab four | separator | go | sorted LF
Encoder of Go before 1.22 with SetEscapeHTML(false) | 1.19 | 5 | compact two tab four | separator long | go | sorted LF
json.Marshal of Go with UseNumber | 1.19 | 4 | compact two tab four | html separator | kept | sorted
json.Marshal of Go before 1.22 with UseNumber | 1.19 | 5 | compact two tab four | html separator long | kept | sorted
json.RawMessage of Go | 1.19 | 4 | compact | html separator kept | kept
json-iterator of Go | 1.1 | 5 | compact two tab four | html separator | goIterator | sorted
json-iterator of Go with ConfigDefault | 1.1 | 5 | compact | html separator | goIterator | unordered
json.dumps of Python with Decimal as text | 3.11 | 5 | spaced compact | ascii delete | quotedFractions
json.dumps of Python with sort_keys | 3.11 | 4 | spaced two four compact tab one | ascii delete | python | sorted
canonicaljson of Python | 1.6 | 5 | compact |  | python | sorted
jsonify of Flask | 3.1 | 4 | compact | ascii delete | python | sorted LF
tojson of Jinja | 3.1 | 5 | spaced | html apostrophe ascii delete | python | sorted
serde_json of Rust with HashMap | 1.0 | 5 | compact |  | rust | unordered
orjson or Pydantic of Python | 3.8 | 4 | compact two |  | rust
orjson of Python with sorted keys | 3.8 | 5 | compact two |  | rust | sorted
ujson of Python | 5.7 | 5 | compact four | slash ascii | rust
ujson of Python with encode_html_chars | 5.7 | 6 | compact four | slash html ascii | rust
pandas of Python | 1.5 | 6 | compact | slash ascii | plainZero
simplejson of Python with Decimal | 3.18 | 5 | spaced two four compact | ascii delete | decimalText
simplejson of Python for HTML | 3.18 | 5 | spaced two four compact | html ascii delete | python
rapidjson or mujson of Python | 1.4 | 5 | compact four | ascii ^ | python
Oj of Ruby | 3.14 | 5 | compact |  | ruby
Oj of Ruby with indent | 3.14 | 6 | oj |  | ruby | LF
Yajl of Ruby | 1.4 | 5 | compact yajlTwo |  | ruby
to_json of Rails with BigDecimal | 6.1 | 5 | compact | html separator | bigDecimal
JSON.generate of Ruby with ascii_only | 2.6 | 5 | compact ruby two rubyWindows | ascii | ruby
JSON.generate of Ruby with script_safe | 2.6 | 5 | compact ruby two rubyWindows | slash | ruby
Newtonsoft.Json of .NET without dates | 6.0 | 5 | compact two twoWindows | newline separator | net
Newtonsoft.Json of .NET with decimals | source | 5 | compact two twoWindows | newline separator | kept
Newtonsoft.Json of .NET with EscapeHtml | source | 5 | compact two twoWindows | newline separator html apostrophe quote | kept
Newtonsoft.Json of .NET with EscapeNonAscii | source | 5 | compact two twoWindows | ascii | kept
System.Text.Json of .NET with doubles | source | 4 | compact two twoWindows | html apostrophe quote plus backtick delete ascii ^ | javascript
System.Text.Json of .NET with UnsafeRelaxedJsonEscaping | source | 4 | compact two twoWindows | c1 newline space narrow wide separator pair delete ^ | kept
System.Json of Mono | 6.8 | 6 | spaced | separator | kept | sorted
JSONEncoder of Swift | source | 4 | compact swift | slash | javascript
JSONEncoder of Swift with dictionaries | source | 5 | compact | slash | javascript | unordered
JSONEncoder of Swift with sortedKeys | source | 5 | compact swift | slash | javascript | sorted
kotlinx.serialization | source | 4 | compact four |  | java
Moshi | source | 5 | compact two | separator | java | noNulls
org.json | source | 5 | compact two four | script c1 newline space narrow format punctuation separator | java | buckets
org.json of Android | 12 | 5 | compact four | slash | javaWhole | buckets
json-simple of Java | 2.3 | 5 | compact | slash delete c1 newline separator ^ | java | buckets
json-smart of Java | 2.2 | 6 | compact | slash c1 newline separator | java | buckets
mjson of Java | 1.4 | 6 | compact | delete c1 newline separator | java | buckets
Jettison of Java | 1.5 | 6 | compact | slash separator | javaWhole
json-lib of Java | 2.4 | 6 | compact |  | javaFractions
javax.json | 1.1 | 5 | compact |  | decimalText
javax.json with PRETTY_PRINTING | 1.1 | 6 | brackets |  | decimalText | LFbefore
JsonOutput of Groovy | 2.4 | 5 | compact groovy | ascii delete | decimalText | sorted
JsonOutput of Groovy with JsonSlurperClassic | 2.4 | 6 | compact groovy | ascii delete | decimalText | buckets
data.json of Clojure | 2.4 | 5 | compact | slash ascii | java | tree
data.json of Clojure with bigdec | 2.4 | 6 | compact | slash ascii | decimalText | tree
Cheshire of Clojure | 5.11 | 5 | compact jackson jacksonWindows | ^control | java | tree
Cheshire of Clojure with escape-non-ascii | 5.11 | 6 | compact jackson jacksonWindows | ascii ^ | java | tree
nlohmann/json of C++ | 3.11 | 4 | compact two four |  | python | sorted
nlohmann/json of C++ with ensure_ascii | 3.11 | 5 | compact two four | ascii delete | python | sorted
Qt | 6.4 | 4 | compact |  | goIterator | sorted
Qt with Indented | 6.4 | 5 | brackets |  | goIterator | sorted LF
RapidJSON of C++ | 1.1 | 4 | compact four |  | rapidjson
RapidJSON of C++ with ASCII | 1.1 | 5 | compact four | ascii ^ | rapidjson
Boost.JSON of C++ | 1.81 | 5 | compact |  | boost
Boost.PropertyTree of C++ | 1.74 | 6 | compact four | slash | quoted | LF texts
jsoncpp of C++ | 1.9 | 5 | compact jsoncpp jsoncppTwo | ascii | seventeenZero | sorted
jsoncpp of C++ with emitUTF8 | 1.9 | 5 | compact jsoncpp |  | seventeenZero | sorted
StyledWriter or FastWriter of jsoncpp | 1.9 | 5 | compact jsoncppStyled | ascii | seventeenZero | sorted LF
cpprestsdk of C++ | 2.10 | 6 | compact |  | seventeenOfFractions | sorted
picojson of C++ | 1.3 | 6 | compact | slash delete | seventeen | sorted
picojson of C++ with indentation | 1.3 | 6 | two | slash delete | seventeen | sorted LF
Poco of C++ | 1.11 | 6 | compact ruby |  | plain | sorted
Poco of C++ in order | 1.11 | 6 | compact ruby |  | plain
taoJSON of C++ | 1.0 | 6 | compact two | delete | rust | sorted
cJSON of C | 1.7 | 4 | compact cjson |  | fifteenOrMore
Jansson of C | 2.14 | 5 | spaced compact two one |  | jansson
Jansson of C with sorted keys | 2.14 | 6 | spaced compact two |  | jansson | sorted
Jansson of C with ENSURE_ASCII | 2.14 | 6 | spaced compact two | ascii ^ | jansson
Jansson of C with ESCAPE_SLASH | 2.14 | 6 | spaced compact two | slash | jansson
jshon | 2013 | 6 | one | slash | jansson | LF
json-c | 0.16 | 4 | paddedEmpty compact jsonc spaced bracketsTwo | slash | kept
json-c without escaped slashes | 0.16 | 5 | paddedEmpty compact jsonc |  | kept
json-glib | 1.6 | 5 | compact glib | delete | seventeenZero
libbson of MongoDB | 1.23 | 5 | paddedTwice |  | twenty
libbson of MongoDB, canonical | 1.23 | 6 | paddedTwice |  | extendedTwenty
EJSON of MongoDB for JavaScript, canonical | 7.3 | 6 | compact two |  | extended
json_reformat of YAJL | 2.1 | 6 | yajl |  | kept | LF
fast-json-stringify of JavaScript | 7.3 | 5 | compact |  | javascript | nullsAsStrings
json-bigint of JavaScript | 1.0 | 5 | compact | delete c1 newline narrow separator format invisible | javascriptFractions
serialize-javascript | 7.1 | 5 | compact two | code angle separator ^ascii | javascript
jsesc of JavaScript | 3.1 | 6 | compact | ascii delete ^ | javascript
lossless-json of JavaScript | 4.3 | 5 | compact |  | kept
jq | 1.6 | 4 | compact two tab | delete | goIterator | LF
jq with -j | 1.6 | 5 | two compact | delete | goIterator
jq with -S | 1.6 | 5 | compact two tab | delete | goIterator | sorted LF
jq with -a | 1.6 | 5 | compact two tab | ascii delete | goIterator | LF
Jsonnet | 0.18 | 6 | jsonnet | delete | jsonnet | sorted LF
Jsonnet, minified | 0.18 | 6 | compact | delete | jsonnet | sorted
JSON::PP or JSON::XS of Perl, canonical | 4.0 | 5 | compact |  | fifteenOfFractions | sorted
JSON::PP or JSON::XS of Perl, canonical and pretty | 4.0 | 6 | perl |  | fifteenOfFractions | sorted LF
Cpanel::JSON::XS of Perl | 4.35 | 5 | compact |  | python | unordered
Cpanel::JSON::XS of Perl with ascii | 4.35 | 6 | compact | ascii | python | unordered
JSON::XS of Perl, canonical with ascii | 4.0 | 6 | compact | ascii | fifteenOfFractions | sorted
Cpanel::JSON::XS of Perl, canonical | 4.35 | 6 | compact |  | python | sorted
Mojo::JSON of Perl | 9.31 | 6 | compact | slash | python | sorted
Mojo::JSON of Perl without XS | 9.31 | 6 | compact | slash | fifteenOfFractions | sorted
JSON::Fast of Raku with sorted-keys | 0.17 | 6 | bracketsTwo compact | pair ^ | plainZero | sorted
jiffy of Erlang | 1.1 | 5 | compact jiffy |  | erlang
jiffy of Erlang with uescape | 1.1 | 6 | compact jiffy | ascii ^ | erlang
jiffy of Erlang with maps | 1.1 | 6 | compact jiffy |  | erlang | descending
Crystal | 1.6 | 6 | compact two | delete | prolog
std.json of D | 2.100 | 6 | compact four | slash delete ^ | eighteen | sorted
std.json of D without escaped slashes | 2.100 | 6 | compact four | delete ^ | eighteen | sorted
std.json of D with escapeNonAsciiChars | 2.100 | 6 | compact four | slash delete ascii ^ | eighteen | sorted
Nim or simdjson of C++ | 1.6 | 6 | compact two |  | python
Yojson of OCaml | 2.0 | 6 | compact yojson | delete | python
aeson of Haskell | 2.0 | 5 | compact |  | haskell | sorted
json of Haskell | 0.10 | 6 | compact |  | scheme
guile-json | 4.7 | 6 | compact two |  | scheme | reversed
guile-json with unicode | 4.7 | 6 | compact two | pair separator | scheme | reversed
guile-json with escaped slashes | 4.7 | 6 | compact two | slash | scheme | reversed
Racket | 8.7 | 6 | compact | delete | erlang | sorted
jsonlite of R | 1.8 | 5 | compact jsonlite |  | fifteen | nullsAsObjects
jsonlite of R without auto_unbox | 1.8 | 5 | compact jsonlite |  | fifteen | boxed
jsonlite of R with null="null" | 1.8 | 6 | compact jsonlite |  | fifteen
rjson of R | 0.2 | 6 | compact | ascii delete | fifteen | objectsAsArrays
jsonencode of Octave | 7.3 | 6 | compact |  | javascript | nullsAsArrays
json-encode of Emacs | 28 | 6 | compact two |  | python | objectsAsNull
yason of Common Lisp | 0.7 | 6 | compact |  | single | emptyAsNull
tcllib of Tcl | 1.0 | 6 | compact tclAligned tcl | delete | kept
SWI-Prolog | 9.0 | 6 | prolog prologLine |  | prolog
SWI-Prolog with dicts | 9.0 | 6 | prolog prologLine |  | prolog | sorted
fpjson of Free Pascal | 3.2 | 6 | paddedObjects compact pascal |  | pascal
fpjson of Free Pascal, strict | 3.2 | 6 | paddedObjects compact pascal | slash | pascal
JSON_NORMALIZE of MariaDB | 10.11 | 6 | compact |  | normalized | sorted
DuckDB | 1.5 | 6 | compact |  | rust | sqlTimes
`

/** Flags of json_encode and a setting, with how rare they are. They are independent. */
const phpFlags = [
  ['JSON_UNESCAPED_SLASHES', 1],
  ['JSON_UNESCAPED_UNICODE', 1],
  ['JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT', 3],
  ['JSON_PRESERVE_ZERO_FRACTION', 2],
  ['serialize_precision=17', 3],
] as const

/** Every set of flags, and each with empty arrays for empty objects, which PHP writes unless it decodes to objects. */
function* phpRows(): Iterable<string> {
  for (let set = 0; set < 1 << phpFlags.length; set += 1) {
    const [slashes, unicode, hex, zero, precise] = phpFlags.map(
      (_, flag) => (set & (1 << flag)) !== 0,
    )
    const flags = phpFlags.filter((_, flag) => (set & (1 << flag)) !== 0)
    const cost = flags.reduce((sum, [, more]) => sum + more, slashes && unicode ? 1 : 2)
    const escapes = `${slashes ? '' : 'slash '}${unicode ? 'separator' : 'ascii'}${hex ? ' html apostrophe quote' : ''} ^ascii`
    const rest = `compact four | ${escapes} | php${precise ? 'Seventeen' : ''}${zero ? 'Zero' : ''}`
    const names = flags.map(([flag]) => flag)
    yield `${phpName(names)} | 8.2 | ${cost} | ${rest}`
    yield `${phpName(['arrays for objects', ...names])} | 8.2 | ${cost + 2} | ${rest} | objectsAsArrays`
  }
}

function phpName(options: readonly string[]): string {
  return ['json_encode of PHP', options.join(' and ')].filter(Boolean).join(' with ')
}

/** Libraries with equal escapes share their rule, so that texts are written once. */
const escapeRules = new Map<string, EscapeRule>()

function escapesOf(words: string, cost: number): EscapeRule {
  const known = escapeRules.get(words) ?? libraryEscapes(words, cost)
  escapeRules.set(words, known)
  return known
}

function libraryOf(row: string): Library {
  const [name = '', version = '', cost, names = '', escapes = '', numbers = '', more = ''] = row
    .split('|')
    .map((cell) => cell.trim())
  const words = more.split(' ')
  const isUnordered = words.includes('unordered')
  return {
    name,
    version,
    cost: Number(cost),
    escapes: escapesOf(escapes, Number(cost)),
    numbers: nameIn(numberRules, numbers),
    layouts: names.split(' ').map((each) => nameIn(layouts, each)),
    order: isUnordered ? 'sorted' : (words.find((word) => isIn(orderRules, word)) ?? null),
    isUnordered,
    members: words.find((word) => isIn(memberRules, word)) ?? 'lastOfEqual',
    start: words.includes('LFbefore') ? '\n' : '',
    end: words.includes('LF') ? '\n' : '',
  }
}

function isIn<T extends object>(record: T, name: string): name is keyof T & string {
  return Object.hasOwn(record, name)
}

function nameIn<T extends object>(record: T, name: string): keyof T & string {
  if (isIn(record, name)) return name
  throw new Error(`There is no rule “${name}”.`)
}

export const libraries: readonly Library[] = [...table.trim().split('\n'), ...phpRows()]
  .map(libraryOf)
  .toSorted((a, b) => Number(a.isUnordered) - Number(b.isUnordered) || a.cost - b.cost)

/** As the library writes the document, in each of its layouts. */
export async function* writings(
  document: JsonDocument,
  { escapes, numbers, layouts: names, order, members, start, end }: Library,
  budget: TimeBudget,
): AsyncIterable<string> {
  const root = rootOf(document.root, { order, members })
  const strings = document.strings.map((inside) => writeString(inside, escapes))
  const numerals = document.numbers.map(({ raw }) => numberRules[numbers](raw))
  for (const name of names) {
    const made =
      name === null ? keptTemplate(document) : await template(root, layouts[name], budget)
    yield start + fill(made, strings, numerals) + end
  }
}

export function rootOf(root: JsonNode, { order, members }: Pick<Library, 'order' | 'members'>) {
  const chosen = memberRules[members].rewrite(root)
  return order === null ? chosen : orderRules[order].rewrite(chosen)
}

/** The libraries that make `text` of the received JSON, the most common first. Numbers may have lost zeros on the way. */
export async function producersOf(
  text: string,
  received: string,
  budget: TimeBudget,
): Promise<Library[]> {
  const document = await parseDocument(received, true, budget)
  const written = await parseDocument(text, true, budget)
  if ('fault' in document || 'fault' in written) return []
  const numerals = written.numbers.map(({ raw }) => raw)
  const templates = new Map<string, Template>()
  const found: Library[] = []
  const sorted = orderRules.sorted.rewrite(written.root)
  for (const each of libraries) {
    // An order that can be computed is more likely.
    if (each.isUnordered && found.length > 0) break
    const strings = document.strings.map((inside) => writeString(inside, each.escapes))
    const write = numberRules[each.numbers]
    for (const name of each.layouts) {
      const id = `${each.order} ${each.members} ${name}`
      const made =
        templates.get(id) ??
        (name === null
          ? keptTemplate(document)
          : await template(rootOf(document.root, each), layouts[name], budget))
      templates.set(id, made)
      const numbers = document.numbers.map(({ raw }) => write(raw))
      const ordered = each.isUnordered ? await template(sorted, layouts.compact, budget) : null
      const slots = ordered?.slots.filter((one) => one < 0) ?? numerals.map((_, nth) => ~nth)
      for (const [nth, slot] of made.slots.filter((one) => one < 0).entries()) {
        const raw = document.numbers[~slot]?.raw ?? ''
        const given = numerals[~(slots[nth] ?? 0)] ?? ''
        const originals = isRoundedFrom(raw, given) ? [given] : originalsOf(raw)
        if (originals.some((original) => write(original) === given)) numbers[~slot] = given
      }
      const wanted = ordered ? fill(ordered, written.strings, numerals) : text
      if (each.start + fill(made, strings, numbers) + each.end !== wanted) continue
      found.push(each)
      break
    }
    if (budget.due) await budget.yield()
  }
  return found
}
