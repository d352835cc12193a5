import { eventTypeOf } from '#catalogue/catalogue.ts'
import { describeFinding, findingCodes } from '#catalogue/findings.ts'
import { deliveryHeaders, type DeliveryHeader } from '#catalogue/headers.ts'
import { checkFiles, frameworks } from '#catalogue/frameworks.ts'
import { causeNames, type CauseName } from '#catalogue/signature-causes.ts'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { fixOf } from '#catalogue/rehearsal/fixes.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import { groupFailures } from '#catalogue/rehearsal/root-causes.ts'
import type { GenerateOutput } from '#contract/constants.ts'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { enclose, encloseText, wholeLength } from './captured.ts'
import type { Connection } from './connection.ts'
import { parseOffset, untilSearchable } from './delivery-tools.ts'
import type { MaskedRecords } from './records.ts'
import { readShownFilter } from './shown-filter.ts'

const allCases = [...rehearsalCases, ...oauthCases]

interface Explanation {
  readonly kind: 'finding' | 'cause' | 'case' | 'event type' | 'header'
  readonly title: string
  readonly text: string
  readonly fix: string | null
}

/** A finding, a cause, a test case, an event type or a documented header. Throws `not_found`. */
export function explain({ name, framework }: { name: string; framework?: string | undefined }) {
  const found = explanationOf(name.trim(), parseFramework(framework))
  if (found === null) {
    throw new AppError(
      'not_found',
      'Nothing has this name. Use the code of a finding or a cause, the ID of a test case, an event type, or a documented header.',
    )
  }
  return { text: `${found.kind}: ${found.title}`, result: { ...found } }
}

function parseFramework(text: string | undefined): string | null {
  if (text === undefined || frameworks.some(({ id }) => id === text)) return text ?? null
  throw new AppError('bad_input', `Use one of these frameworks: ${frameworkIds()}.`)
}

function explanationOf(name: string, framework: string | null): Explanation | null {
  const finding = findingCodes.find(({ code }) => code === name)
  if (finding) {
    const { severity, message } = describeFinding({ code: name, location: 'request' }, null)
    const [group = ''] = name.split('.')
    const text = `Severity: ${severity}. ${message}`
    return { kind: 'finding', title: finding.title, text, fix: findingFixes[group] ?? null }
  }
  const cause = causeNames.find(({ code }) => code === name)
  if (cause) return { kind: 'cause', title: cause.title, text: places[cause.where], fix: cause.fix }
  const testCase = allCases.find(({ id }) => id === name.toUpperCase())
  if (testCase) {
    const { id, title, level, expected, why, basis, quote } = testCase
    const source = quote === undefined ? '' : ` ${basis ?? 'API documentation'}: ${quote}`
    const own = rehearsalCases.find((each) => each.id === id)
    return {
      kind: 'case',
      title,
      text: `${level}. Expected: ${expected}. ${why}${source}`,
      fix: own ? fixOf(own.fix, framework) : testCase.fix,
    }
  }
  const type = eventTypeOf(name.toUpperCase())
  if (type) {
    const text = [
      type.fired,
      `targetUuid: ${type.target.uuid ?? 'none'}`,
      `targetId: ${type.target.id ?? 'none'}`,
      ...type.data.map(({ key, type: of, description }) => `${key} (${of}): ${description}`),
    ].join('\n')
    const fix = `Select it by "type" in the verified body, ignore fields that you do not know, and accept that it is delivered again. To receive a sample: tabscope trigger ${type.type}`
    return { kind: 'event type', title: type.label, text, fix }
  }
  const lower = name.toLowerCase()
  const header = deliveryHeaders('Service').find(
    (each) => each.lowerName === lower || each.id === lower,
  )
  if (header) {
    const { id, name: title, description } = header
    return { kind: 'header', title, text: description, fix: headerFix(id, framework) }
  }
  return null
}

const differentBody =
  'If your own code sends it, correct it: explain with the event type lists the fields. If the service sends it, the API documentation differs: let the handler accept it, and report it with the delivery. A handler ignores unknown fields and values, and answers with status 400 if a field is missing that it needs.'

const findingFixes: Readonly<Record<string, string>> = {
  request:
    'Check the webhook URL on the dashboard, and whether a proxy or tunnel between changes or ends requests. Only POST requests to the path of an endpoint are deliveries.',
  body: 'Compare what was stored (read_body) with what was sent: a proxy, a tunnel or the limit in the settings may have changed it. A handler answers with status 400 to a body that is not a JSON object.',
  signature:
    'Verify the signature over the raw body. explain X-Service-Signature with a framework has the code.',
  header:
    'A handler takes type and target from the body only, because headers are not signed. If your own code sends the request, correct the header; otherwise compare the application ID and the custom headers of the endpoint with the dashboard, and check whether a proxy changes headers.',
  payload: differentBody,
  target: differentBody,
  data: differentBody,
  findings: 'Correct the findings that are listed, then receive the delivery again.',
}

function headerFix(id: DeliveryHeader['id'], framework: string | null): string {
  if (id === 'application-id') {
    return 'Compare it with the application ID of the endpoint. It is not signed: do not rely on it alone.'
  }
  if (id !== 'signature') return 'It is not signed: use the value in the body.'
  return (
    checkText(framework) ??
    `Verify it over the raw body before any parsing, in constant time. Code: explain with one of the frameworks ${frameworkIds()}.`
  )
}

const frameworkIds = (): string => frameworks.map(({ id }) => id).join(', ')

function checkText(id: string | null): string | null {
  const framework = frameworks.find((each) => each.id === id)
  if (!framework) return null
  const files = checkFiles(framework, 'Service')
  return files.map(({ path, text }) => `${path}:\n\n${text}`).join('\n')
}

const places: Readonly<Record<CauseName['where'], string>> = {
  sender: 'To change in the code that signs.',
  dashboard: 'To change on the dashboard of the service.',
  here: 'To change in Tabscope.',
  between: 'To change in a proxy, tunnel or gateway.',
  handler: 'To change in the handler of the user.',
}

/** Only codes leave: the details of a cause may contain captured text. */
export async function diagnoseSignature(
  connection: Connection,
  { id, framework }: { id: number; framework?: string | undefined },
) {
  const chosen = parseFramework(framework)
  const {
    verdict,
    causes,
    tried,
    frameworks: guesses,
    rejected,
  } = await connection.call('deliveries.diagnose', {
    id,
    // An assistant may ask for many, and all run in one thread.
    quick: true,
  })
  const matching = causes.flatMap(({ code, outcome, where }) => {
    const cause = outcome === 'matches' ? causeNames.find((each) => each.code === code) : undefined
    if (!cause) return []
    const { title, fix } = cause
    return [{ code, title, fix, where }]
  })
  const [first] = matching
  return {
    text: first
      ? `Delivery ${id} is ${verdict}${rejected ? ', and rejected by the handler' : ''}: ${first.title}.`
      : verdict === 'invalid'
        ? `Delivery ${id} is invalid. None of the ${tried} signatures that were tried matches, so that it was probably signed with another secret, or its body was changed.`
        : `Delivery ${id} is ${verdict}.`,
    result: {
      id,
      verdict,
      causes: matching,
      tried,
      changedBy: guesses.filter(({ changes }) => changes).map(({ writes }) => writes),
      handler: checkText(chosen),
    },
  }
}

/** Leaves out cases that passed unless `all` is set. */
export async function getRehearsal(
  connection: Connection,
  records: MaskedRecords,
  input: { id?: number | undefined; all: boolean; cursor?: string | undefined },
) {
  const from = parseOffset(input.cursor)
  const id = input.id ?? (await connection.call('rehearsals.list', {}))[0]?.id
  if (id === undefined) throw new AppError('not_found', 'There is no rehearsal yet.')
  const { rehearsal, results } = await connection.call('rehearsals.get', { id })
  const { state, grade, cappedBy, total, counts } = rehearsal
  const shown = results.filter(({ result }) => input.all || result !== 'pass')
  const masked = shown.length === 0 ? new Map() : await records.readCases(id)
  const { captured, next } = enclose(
    shown.map((each) => masked.get(each.id) ?? { case: each.id, reason: 'Too large to mask.' }),
    from,
  )
  const causes = groupFailures(results).map(({ title, cases }) => ` ${title}: ${cases.join(', ')}.`)
  return {
    text: `Rehearsal ${id} is ${state}, grade ${grade ?? 'none'}: ${counts.pass} of ${total} cases passed.${causes.join('')}`,
    result: {
      id,
      state,
      grade,
      cappedBy,
      total,
      passed: counts.pass,
      cases: shown.slice(from, next ?? undefined).map((each) => ({
        id: each.id,
        result: each.result,
        level: each.level,
        title: allCases.find((known) => known.id === each.id)?.title ?? '',
      })),
      captured,
      nextCursor: next === null ? null : String(next),
    },
  }
}

interface GenerateInput {
  readonly output: GenerateOutput
  readonly target: string
  readonly filter?: string | undefined
}

/** More than fits in an answer. */
const maxPage = 20_000

/** Names of fields and files may be from outside, so all is captured text. Later pages are of the same text, whatever arrives meanwhile. */
export function createGenerate(connection: Connection, records: MaskedRecords) {
  let last = { key: '', text: '', summary: '' }
  return async ({ cursor, ...input }: GenerateInput & { cursor?: string | undefined }) => {
    const from = parseOffset(cursor)
    const key = JSON.stringify(input)
    if (cursor === undefined || key !== last.key) {
      last = { key, ...(await generated(connection, records, input)) }
    }
    const { text, summary } = last
    const page = encloseText(text.slice(from, wholeLength(text, from + maxPage)))
    const next = from + page.length
    return {
      text: summary,
      result: {
        captured: page.captured,
        nextCursor: next < text.length ? String(next) : null,
      },
    }
  }
}

async function generated(
  connection: Connection,
  records: MaskedRecords,
  { output, target, filter }: GenerateInput,
) {
  let observed: string | null = null
  if (filter !== undefined) {
    await records.refresh()
    const text = readShownFilter(filter, records)
    await untilSearchable(connection, text)
    observed = text
  }
  const { integrations } = await connection.call('app.snapshot', {})
  const brand = integrations.find(({ kind }) => kind === 'service')?.brand
  const { files, payloads, notes } = await connection.call('generate.files', {
    output,
    target,
    observed,
    ...(brand !== undefined && { brand }),
  })
  const names = files.length === 1 ? [] : [...files.map(({ path }) => path), '']
  const from = payloads === null ? '' : ` from ${plural(payloads, 'payload', 'payloads')}`
  return {
    text: [...names, ...files.map(({ path, text }) => `=== ${path}\n${text}`)].join('\n'),
    summary: [
      `${plural(files.length, 'file', 'files')}${from}, as a JSON text in "captured".`,
      ...notes,
    ].join(' '),
  }
}
